// A number with fewer digits.
//
// Why: what is drawn, or compared with two printed digits, needs few, and files of such numbers are a third
// as large. Contract: the locale does not matter; what is not finite comes back as it is.
#pragma once

#include <fmt/format.h>

#include "core/parse.h"

namespace nouq {

// digits: significant ones, at least one.
inline double with_digits(double value, int digits) {
  double rounded = value;
  return parse_number(fmt::format("{:.{}e}", value, digits - 1), rounded) ? rounded : value;
}

}  // namespace nouq
