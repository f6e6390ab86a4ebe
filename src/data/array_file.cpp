#include "data/array_file.h"

#include <algorithm>
#include <array>
#include <deque>

#include "core/error.h"
#include "core/file.h"
#include "data/csv.h"
#include "data/file_format.h"
#include "data/load.h"
#include "data/npy.h"
#include "data/zip.h"

#if NOUQ_HAVE_HDF5
#include "data/hdf5_writer.h"
#endif

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

namespace {

void save_npz(const std::filesystem::path& path, const std::vector<NamedArray>& arrays) {
  std::deque<std::string> headers;
  ZipWriter writer(Compression::none);
  for (const NamedArray& array : arrays) {
    headers.push_back(npy_header(array.values));
    writer.add(array.name + ".npy",
               {std::as_bytes(std::span(headers.back())), std::as_bytes(array.values.span())});
  }
  write_file_atomically(path, writer.finish());
}

void save_hdf5(const std::filesystem::path& path, const std::vector<NamedArray>& arrays) {
#if NOUQ_HAVE_HDF5
  const hdf5::Session session;
  hdf5::Writer file(path.string());
  for (const NamedArray& array : arrays) file.add(array.name, array.values);
  const std::span<const std::byte> bytes = file.finish();
  write_file_atomically(path, std::span(&bytes, 1));
#else
  (void)arrays;
  fail("{}: this nouq was built without HDF5; write NAME.npz instead", path.string());
#endif
}

}  // namespace

void save_arrays(const std::filesystem::path& path, const std::vector<NamedArray>& arrays) {
  require_savable(path);
  if (lower_extension(path) == ".npz") {
    save_npz(path, arrays);
  } else {
    save_hdf5(path, arrays);
  }
}

}  // namespace nouq
