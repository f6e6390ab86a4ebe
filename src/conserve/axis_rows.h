// Rows that sum a channel over some axes of the grid, one row for every place on the other axes.
#pragma once

#include <optional>
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

// values as [n or 1, rows], whatever the axes they came with; a single one is for all.
Array<double> as_right_hand_sides(const Array<double>& values, Index rows, const std::string& what);

}  // namespace nouq
