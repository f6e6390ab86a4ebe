// Rows that sum a channel over some axes of the grid, one row for every place on the other axes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conserve/field_layout.h"
#include "conserve/linear_constraints.h"

namespace nouq {

// weights[a]: one per point of axis a, to sum over it with these weights; nothing, to keep the axis. A row's
// name is `what` and where on the remaining axes it is.
LinearConstraints axis_rows(const FieldLayout& layout, Index channel,
                            const std::vector<std::optional<std::vector<double>>>& weights,
                            const std::string& what);

// values as [n or 1, rows]: given as [n, rows], or as [n, places...] with the extents of the places where the
// rows are; a single one is for all.
Array<double> as_right_hand_sides(const Array<double>& values, std::span<const Index> places,
                                  const std::string& what);
// The extents of the axes that rows are not summed over.
Shape kept_extents(const Grid& grid, const std::vector<std::optional<std::vector<double>>>& weights);

}  // namespace nouq
