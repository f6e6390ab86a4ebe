#include "data/run_file.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/file.h"
#include "data/csv.h"
#include "data/magic.h"
#include "data/npy.h"
#include "data/zip.h"

namespace nouq {
namespace {

const std::string only_name = "data";

class NpyRun final : public RunFile {
 public:
  explicit NpyRun(const std::filesystem::path& path) : values_(load_npy<double>(path)) {}
  [[nodiscard]] std::vector<std::string> names() const override { return {only_name}; }
  [[nodiscard]] bool has(const std::string& name) const override { return name == only_name; }
  [[nodiscard]] Array<double> read(const std::string&) const override { return values_; }

 private:
  Array<double> values_;
};

class NpzRun final : public RunFile {
 public:
  explicit NpzRun(const std::filesystem::path& path)
      : file_(path), source_(path.string()), zip_(file_.bytes(), source_) {}
  [[nodiscard]] std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const ZipMember& member : zip_.members()) {
      if (member.name.ends_with(".npy")) names.push_back(member.name.substr(0, member.name.size() - 4));
    }
    return names;
  }
  [[nodiscard]] bool has(const std::string& name) const override {
    return zip_.find(name + ".npy") != nullptr;
  }
  [[nodiscard]] Array<double> read(const std::string& name) const override {
    const ZipMember* member = zip_.find(name + ".npy");
    require(member != nullptr, "{}: array '{}' is missing", source_, name);
    return read_npy<double>(zip_.read(*member).bytes(), fmt::format("{}: array '{}'", source_, name));
  }

 private:
  MappedFile file_;
  std::string source_;
  ZipReader zip_;
};

class CsvRun final : public RunFile {
 public:
  explicit CsvRun(const std::filesystem::path& path) : source_(path.string()) {
    const MappedFile file(path);
    table_ = read_csv(text_of(file.bytes()), source_);
    require(!table_.rows.empty(), "{}: holds a header and no rows", source_);
  }
  [[nodiscard]] std::vector<std::string> names() const override {
    return table_.header.empty() ? std::vector{only_name} : table_.header;
  }
  [[nodiscard]] bool has(const std::string& name) const override {
    const auto all = names();
    return std::find(all.begin(), all.end(), name) != all.end();
  }
  [[nodiscard]] Array<double> read(const std::string& name) const override {
    return table_.header.empty() ? matrix() : column(column_of(table_, name, source_));
  }

 private:
  [[nodiscard]] Array<double> column(std::size_t number) const {
    std::vector<double> values;
    for (const CsvRow& row : table_.rows) values.push_back(csv_number(row, number, source_));
    const auto count = std::ssize(values);
    return {{count}, values};
  }
  [[nodiscard]] Array<double> matrix() const {
    const std::size_t columns = table_.rows.front().cells.size();
    if (columns == 1) return column(0);
    std::vector<double> values;
    for (const CsvRow& row : table_.rows) {
      for (std::size_t i = 0; i < columns; ++i) values.push_back(csv_number(row, i, source_));
    }
    return {{std::ssize(table_.rows), static_cast<Index>(columns)}, values};
  }

  std::string source_;
  CsvTable table_;
};

}  // namespace

bool is_run_file_name(const std::filesystem::path& path) {
  static const std::array<std::string, 5> endings = {".npy", ".npz", ".h5", ".hdf5", ".csv"};
  return std::find(endings.begin(), endings.end(), lower_extension(path)) != endings.end();
}

std::unique_ptr<RunFile> open_run_file(const std::filesystem::path& path) {
  switch (file_format(MappedFile(path).bytes())) {
    case FileFormat::npy:
      return std::make_unique<NpyRun>(path);
    case FileFormat::zip:
      return std::make_unique<NpzRun>(path);
    case FileFormat::hdf5:
#if NOUQ_HAVE_HDF5
      return open_hdf5_run_file(path);
#else
      fail_without_hdf5(path);
#endif
    case FileFormat::empty:
      fail("{}: the file is empty", path.string());
    case FileFormat::other:
      break;
  }
  require(lower_extension(path) == ".csv",
          "{}: is neither NPY, NPZ nor HDF5, by its first bytes, nor called .csv", path.string());
  return std::make_unique<CsvRun>(path);
}

}  // namespace nouq
