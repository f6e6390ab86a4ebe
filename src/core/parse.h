// Numbers from text: all of the text, or not at all.
//
// Why: the usual functions take "3x" for 3, depend on the locale, or throw. When: wherever a user or a file
// gives a number as text. Contract: no blanks, no leading plus; the locale does not matter.
#pragma once

#include <charconv>
#include <string_view>

namespace nouq {

// False when the text is anything but a number that fits.
template <class T>
bool parse_number(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

}  // namespace nouq
