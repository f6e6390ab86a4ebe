#include "core/text.h"

#include <cstdint>

#include "core/error.h"

namespace nouq {
namespace {

bool is_scalar_value(std::uint32_t point) {
  return point < 0xD800U || (point > 0xDFFFU && point <= 0x10FFFFU);
}

// Length of the sequence that a first byte announces; 0 when it cannot begin one.
std::size_t sequence_length(std::uint8_t first) {
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first < 0xE0U) return 2;
  if (first >= 0xE0U && first < 0xF0U) return 3;
  if (first >= 0xF0U && first < 0xF5U) return 4;
  return 0;
}

// Refuses overlong forms: they would give one name several spellings.
bool is_shortest(std::uint32_t point, std::size_t length) {
  return length < 3 || point >= (length == 3 ? 0x800U : 0x10000U);
}

}  // namespace

std::u32string utf32_from_utf8(std::string_view text, const std::string& source) {
  std::u32string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<std::uint8_t>(text[i]);
    const std::size_t length = sequence_length(first);
    require(length > 0 && length <= text.size() - i, "{}: text is not UTF-8 at byte {}", source, i);
    std::uint32_t point = length == 1 ? first : first & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      const auto byte = static_cast<std::uint8_t>(text[i + k]);
      require((byte & 0xC0U) == 0x80U, "{}: text is not UTF-8 at byte {}", source, i + k);
      point = (point << 6U) | (byte & 0x3FU);
    }
    require(is_scalar_value(point) && is_shortest(point, length), "{}: text is not UTF-8 at byte {}", source,
            i);
    result.push_back(point);
    i += length;
  }
  return result;
}

std::string utf8_from_utf32(std::u32string_view text, const std::string& source) {
  std::string result;
  const auto push = [&](std::uint32_t byte) { result.push_back(static_cast<char>(byte)); };
  const auto push_tail = [&](std::uint32_t point, unsigned shift) {
    push(0x80U | ((point >> shift) & 0x3FU));
  };
  for (const std::uint32_t point : text) {
    require(is_scalar_value(point), "{}: text holds {:#x}, which is not a Unicode character", source, point);
    if (point < 0x80U) {
      push(point);
    } else if (point < 0x800U) {
      push(0xC0U | (point >> 6U));
      push_tail(point, 0);
    } else if (point < 0x10000U) {
      push(0xE0U | (point >> 12U));
      push_tail(point, 6);
      push_tail(point, 0);
    } else {
      push(0xF0U | (point >> 18U));
      push_tail(point, 12);
      push_tail(point, 6);
      push_tail(point, 0);
    }
  }
  return result;
}

void require_storable(std::string_view text, const std::string& source) {
  require(text.find('\0') == std::string_view::npos, "{}: text holds a zero character", source);
  utf32_from_utf8(text, source);
}

}  // namespace nouq
