#include "core/error.h"
#include "data/hdf5_reader.h"
#include "data/run_file.h"

namespace nouq {
namespace {

class Hdf5Run final : public RunFile {
 public:
  explicit Hdf5Run(const std::filesystem::path& path) : file_(path) {}
  [[nodiscard]] std::vector<std::string> names() const override { return file_.names("/"); }
  [[nodiscard]] bool has(const std::string& name) const override { return file_.has(name); }
  [[nodiscard]] Array<double> read(const std::string& name) const override {
    require(file_.has(name), "{} is missing", file_.label(name));
    return file_.read<double>(name);
  }

 private:
  hdf5::Session session_;  // first, so that it outlives the reader
  hdf5::Reader file_;
};

}  // namespace

std::unique_ptr<RunFile> open_hdf5_run_file(const std::filesystem::path& path) {
  return std::make_unique<Hdf5Run>(path);
}

}  // namespace nouq
