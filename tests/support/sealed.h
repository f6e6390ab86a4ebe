// Tensor files made by hand for tests: any header and any data, with the length and the checksum right.
#pragma once

#include <cstring>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/checksum.h"

namespace nouq::test {

inline constexpr const char* checksum_mark = "\"crc64\":\"";

// The file with its checksum set right, where it has one.
inline std::string sealed(std::string file) {
  const auto mark = file.find(checksum_mark);
  const auto at = mark + std::strlen(checksum_mark);
  if (mark == std::string::npos || at + 16 > file.size()) return file;
  file.replace(at, 16, std::string(16, '0'));
  return file.replace(at, 16, fmt::format("{:016x}", crc64(std::as_bytes(std::span(file)))));
}

inline std::string sealed_file(std::string header, const std::string& data) {
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string length(8, '\0');
  const std::uint64_t size = header.size();
  std::memcpy(length.data(), &size, 8);
  return sealed(length + header + data);
}

}  // namespace nouq::test
