// The ranges a figure's axes really have: asked for, or found in the data, and shared where panels share.
//
// Why: drawn pictures and terminal plots must agree on what is shown. Contract: every range is finite and not
// empty, positive on logarithmic axes; a panel without one drawable value gets a default range and `empty`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plot/figure.h"

namespace nouq::plot {

struct Range {
  double low = 0, high = 1;
};

struct PanelRanges {
  Range x, y;
  std::optional<Range> value;  // of the heat map, if there is one
  bool empty = false;          // nothing in it can be drawn
};

// One entry per panel. The figure must be valid.
std::vector<PanelRanges> ranges_of(const Figure& figure);

// Whether a value can be placed on an axis of that scale.
bool drawable(double value, Scale scale);

// The position in [0, 1] of a drawable value.
double position(double value, Range range, Scale scale);

// The borders of cells with these centres: midway between neighbours, as far beyond the ends.
std::vector<double> cell_edges(const std::vector<double>& centres);

// Cuts 0, 1, ..., size - 1 where one is not `present` and hands on each piece as [begin, end).
void for_each_piece(std::size_t size, const std::function<bool(std::size_t)>& present,
                    const std::function<void(std::size_t, std::size_t)>& piece);

// ---- Where an axis has its marks and what they say ----
//
// Why: round numbers at an even pace are what makes an axis readable; all drawn renderers share this choice.
// Contract: labels of one axis have the same number of decimals, a true minus sign, and powers of ten as
// superscripts; ticks lie within the range.

struct Tick {
  double at = 0;
  std::string label;
};

// About `wanted` ticks (at least two where the range allows it).
std::vector<Tick> ticks_of(Range range, Scale scale, int wanted);

// "0.25", "1.2×10⁻⁵": a number for a reader, with so many significant digits.
std::string readable(double value, int digits = 3);

}  // namespace nouq::plot
