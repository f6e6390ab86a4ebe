#include "data/array_file.h"

#include <deque>

#include "core/file.h"
#include "data/load.h"
#include "data/magic.h"
#include "data/npy.h"
#include "data/zip.h"

#if NOUQ_HAVE_HDF5
#include "data/hdf5_writer.h"
#endif

namespace nouq {
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
