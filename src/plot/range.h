// The ranges a figure's axes really have: asked for, or found in the data, and shared where panels share.
//
// Why: drawn pictures and terminal plots must agree on what is shown. Contract: every range is finite and not
// empty, positive on logarithmic axes; a panel without one drawable value gets a default range and `empty`.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "plot/figure.h"
#include "plot/ticks.h"

namespace nouq::plot {

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

}  // namespace nouq::plot
