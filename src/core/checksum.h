// CRC-64 (ECMA-182, reflected): finds every burst of flipped bits up to 64 and all but one in 2^64 of the
// rest.
//
// When: at the end of our own files, and as the fingerprint of data. No protection against
// intended changes. Contract: crc64(b, crc64(a)) is the checksum of a followed by b.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nouq {

std::uint64_t crc64(std::span<const std::byte> bytes, std::uint64_t before = 0);

}  // namespace nouq
