// What the loaders of data sets and of solver runs share: what a file is, by its first bytes (a name may be
// wrong), and what they report.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nouq/data.h>  // LoadReport

namespace nouq {

enum class FileFormat { empty, npy, zip, hdf5, other };

FileFormat file_format(std::span<const std::byte> bytes);
std::string_view text_of(std::span<const std::byte> bytes);
// The ending of a name in small letters, with its dot.
std::string lower_extension(const std::filesystem::path& path);
// Says what to do about a file of HDF5 in a build without it.
[[noreturn]] void fail_without_hdf5(const std::filesystem::path& path);

// What a loader did beyond reading: conversions, defaults and things it passed over.
//
// Why: the library never prints, yet a user must learn that float64 was rounded or that an array was ignored.
// When: pass a LoadReport to any loader; the command line shows the notices. Contract: a notice is one
// sentence that names the file and the array.

inline void notice(LoadReport* report, std::string text) {
  if (report != nullptr) report->notices.push_back(std::move(text));
}

}  // namespace nouq
