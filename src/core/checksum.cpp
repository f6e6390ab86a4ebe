#include "core/checksum.h"

#include <array>
#include <bit>
#include <cstring>

namespace nouq {
namespace {

// table[0] advances by one byte; table[k] by one byte followed by k zero bytes, so that eight bytes are done
// at a time.
using Tables = std::array<std::array<std::uint64_t, 256>, 8>;

constexpr Tables make_tables() {
  constexpr std::uint64_t polynomial = 0xc96c5795d7870f42ULL;
  Tables tables{};
  for (std::uint64_t i = 0; i < 256; ++i) {
    std::uint64_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? polynomial : 0);
    tables[0][i] = value;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t i = 0; i < 256; ++i) {
      tables[k][i] = tables[0][tables[k - 1][i] & 0xffU] ^ (tables[k - 1][i] >> 8U);
    }
  }
  return tables;
}

constexpr Tables tables = make_tables();
static_assert(std::endian::native == std::endian::little, "the eight-byte step reads little-endian words");

}  // namespace

std::uint64_t crc64(std::span<const std::byte> bytes, std::uint64_t before) {
  std::uint64_t crc = ~before;
  while (bytes.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    word ^= crc;
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= tables[7 - k][(word >> (8 * k)) & 0xffU];
    bytes = bytes.subspan(8);
  }
  for (const std::byte byte : bytes) {
    crc = tables[0][(crc ^ static_cast<std::uint64_t>(byte)) & 0xffU] ^ (crc >> 8U);
  }
  return ~crc;
}

}  // namespace nouq
