// What a file is, by its first bytes: names lie. Shared by the loaders of data sets and of solver runs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace nouq {

enum class FileFormat { empty, npy, zip, hdf5, other };

FileFormat file_format(std::span<const std::byte> bytes);
std::string_view text_of(std::span<const std::byte> bytes);
// The ending of a name in small letters, with its dot.
std::string lower_extension(const std::filesystem::path& path);
// Says what to do about a file of HDF5 in a build without it.
[[noreturn]] void fail_without_hdf5(const std::filesystem::path& path);

}  // namespace nouq
