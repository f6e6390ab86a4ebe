// Builders of linear constraints: what a law means, turned into sums over grid points.
//
// When: call these from C++; from text (TOML, command line) the same kinds are made by name
// (constraint_registry.h). Contract: values are right-hand sides, [n, ...] or [1, ...] for all samples, where
// ... is stated with each builder; a single value is for all rows. Rows have noise variance 0;
// set_noise_variance or noise_from_fields change that.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <nouq/problem.h>

#include "conserve/field_layout.h"
#include "conserve/linear_constraints.h"
#include "conserve/quadrature.h"

namespace nouq {

// The integral of a channel over some axes is known at every place on the others, e.g. over x at every t.
// values: [n, remaining axes...]; over all axes [n] or [n, 1].
LinearConstraints integral_constraints(const FieldLayout& layout, const std::vector<std::string>& axes,
                                       Quadrature rule, const Array<double>& values, Index channel = 0);

// The field is known at one end of an axis. values: [n, remaining axes...].
LinearConstraints boundary_constraints(const FieldLayout& layout, const std::string& axis, Side side,
                                       const Array<double>& values, Index channel = 0);

// The field is known at points of the grid. coordinates: [points, axes]; values: [n, points].
LinearConstraints point_constraints(const FieldLayout& layout, const ArrayView<const double>& coordinates,
                                    const Array<double>& values, Index channel = 0);

// Between two consecutive times the mass between two edges (indices along the axis) changes by what flows in
// at the lower and out at the upper one: M(t_j+1) - M(t_j) = integral of F_lower - F_upper, both by the
// trapezoid rule. fluxes: [n, edges, times], in the direction of the axis. For grids of one space axis and t.
LinearConstraints local_balance_constraints(const FieldLayout& layout, const std::string& axis,
                                            std::span<const Index> edges, const Array<double>& fluxes,
                                            Index channel = 0);

// Any sparse matrix: entry i is (rows[i], points[i], weights[i]). values: [n, rows].
LinearConstraints sparse_constraints(Index field_points, std::span<const Index> rows,
                                     std::span<const Index> points, std::span<const double> weights,
                                     const Array<double>& values);

// For the kinds: values as [n or 1, rows]: given as [n, rows], or as [n, places...] with the extents of the
// places where the rows are; a single one is for all.
Array<double> as_right_hand_sides(const Array<double>& values, std::span<const Index> places,
                                  const std::string& what);

}  // namespace nouq
