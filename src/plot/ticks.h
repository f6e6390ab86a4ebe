// Where an axis has its marks and what they say.
//
// Why: round numbers at an even pace are what makes an axis readable; all drawn renderers share this choice.
// Contract: labels of one axis have the same number of decimals, a true minus sign, and powers of ten as
// superscripts; ticks lie within the range.
#pragma once

#include <string>
#include <vector>

#include "plot/figure.h"

namespace nouq::plot {

struct Range {
  double low = 0, high = 1;
};

struct Tick {
  double at = 0;
  std::string label;
};

// About `wanted` ticks (at least two where the range allows it).
std::vector<Tick> ticks_of(Range range, Scale scale, int wanted);

// "0.25", "1.2×10⁻⁵": a number for a reader, with so many significant digits.
std::string readable(double value, int digits = 3);

}  // namespace nouq::plot
