#include "data/file_format.h"

#include <algorithm>
#include <cctype>

#include "core/error.h"

namespace nouq {

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

FileFormat file_format(std::span<const std::byte> bytes) {
  const std::string_view text = text_of(bytes);
  if (text.empty()) return FileFormat::empty;
  if (text.starts_with("\x93NUMPY")) return FileFormat::npy;
  if (text.starts_with("PK")) return FileFormat::zip;
  if (text.starts_with("\x89HDF\r\n\x1a\n")) return FileFormat::hdf5;
  return FileFormat::other;
}

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

void fail_without_hdf5(const std::filesystem::path& path) {
  fail("{}: this build has no HDF5; use NPZ, or build with libhdf5 installed and NOUQ_HDF5=ON",
       path.string());
}

}  // namespace nouq
