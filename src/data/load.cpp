#include "data/load.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/error.h"
#include "core/file.h"
#include "data/npz.h"
#if NOUQ_HAVE_HDF5
#include "data/hdf5.h"
#endif

namespace nouq {
namespace {

constexpr std::string_view hdf5_magic = "\x89HDF\r\n\x1a\n";
constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::string_view zip_magic = "PK";

[[maybe_unused]] [[noreturn]] void fail_without_hdf5(const std::filesystem::path& path) {
  fail("{}: this build has no HDF5; use NPZ, or build with libhdf5 installed and NOUQ_HDF5=ON",
       path.string());
}

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

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
  const auto bytes = file.bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  require(!text.empty(), "{}: the file is empty", path.string());
  require(!text.starts_with(npy_magic),
          "{}: is one NPY array; a data set needs inputs and outputs in one NPZ file", path.string());
  if (text.starts_with(zip_magic)) return read_npz(bytes, path.string(), report);
  require(text.starts_with(hdf5_magic), "{}: is neither NPZ nor HDF5 (by its first bytes)", path.string());
  return load_hdf5_if_built(path, report);
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

}  // namespace nouq
