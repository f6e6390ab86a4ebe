// Numbers from text: all of the text, or not at all; and numbers with fewer digits.
//
// Why: the usual functions take "3x" for 3, depend on the locale, or throw. When: wherever a user or a file
// gives a number as text. Contract: no blanks, no leading plus; the locale does not matter.
#pragma once

#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace nouq {

// False when the text is anything but a number that fits.
template <class T>
bool parse_number(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

// A number with fewer digits: what is drawn, or compared with two printed digits, needs few, and files of
// such numbers are a third as large. What is not finite comes back as it is. digits: significant ones, at
// least one.
inline double with_digits(double value, int digits) {
  double rounded = value;
  return parse_number(fmt::format("{:.{}e}", value, digits - 1), rounded) ? rounded : value;
}

}  // namespace nouq
