#include "data/load.h"

#include "core/error.h"
#include "core/file.h"
#include "data/array_file.h"
#include "data/file_format.h"
#include "data/npz.h"
#if NOUQ_HAVE_HDF5
#include "data/hdf5.h"
#endif

namespace nouq {
namespace {

DataSet load_hdf5_if_built(const std::filesystem::path& path, [[maybe_unused]] LoadReport* report) {
#if NOUQ_HAVE_HDF5
  return load_hdf5(path, report);
#else
  fail_without_hdf5(path);
#endif
}

void save_hdf5_if_built(const std::filesystem::path& path, [[maybe_unused]] const DataSet& data) {
#if NOUQ_HAVE_HDF5
  save_hdf5(path, data);
#else
  fail_without_hdf5(path);
#endif
}

}  // namespace

DataSet load_data_set(const std::filesystem::path& path, LoadReport* report) {
  const MappedFile file(path);
  switch (file_format(file.bytes())) {
    case FileFormat::empty:
      fail("{}: the file is empty", path.string());
    case FileFormat::npy:
      fail("{}: is one NPY array; a data set needs inputs and outputs in one NPZ file", path.string());
    case FileFormat::zip:
      return read_npz(file.bytes(), path.string(), report, &file);
    case FileFormat::hdf5:
      return load_hdf5_if_built(path, report);
    case FileFormat::other:
      break;
  }
  fail("{}: is neither NPZ nor HDF5 (by its first bytes)", path.string());
}

void save_data_set(const std::filesystem::path& path, const DataSet& data) {
  require_savable(path);
  if (lower_extension(path) == ".npz") return save_npz(path, data);
  save_hdf5_if_built(path, data);
}

void require_savable(const std::filesystem::path& path) {
  const std::string extension = lower_extension(path);
  require(extension == ".npz" || extension == ".h5" || extension == ".hdf5",
          "{}: ends in '{}', expected .npz, .h5 or .hdf5", path.string(), extension);
  std::error_code ignored;
  const auto folder = path.parent_path();
  require(folder.empty() || std::filesystem::is_directory(folder, ignored),
          "{}: there is no folder {}; make it first", path.string(), folder.string());
  require(!std::filesystem::is_directory(path, ignored), "{}: is a folder, expected a file", path.string());
#if !NOUQ_HAVE_HDF5
  if (extension != ".npz") fail_without_hdf5(path);
#endif
}

InputFile load_inputs(const std::filesystem::path& path) {
  try {
    DataSet data = load_data_set(path);
    return {data.inputs, std::move(data)};
  } catch (const Error& not_a_data_set) {
    const auto file = open_run_file(path);
    const auto names = file->names();
    const bool named = file->has("inputs");
    // A broken data set is not a file of inputs: its own message says more.
    if (file->has("outputs") || (!named && names.size() != 1)) throw;
    const Array<double> wide = file->read(named ? "inputs" : names.front());
    return {Array<float>(wide.shape(), wide.begin(), wide.end()), std::nullopt};
  }
}

}  // namespace nouq
