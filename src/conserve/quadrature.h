// Weights of quadrature rules on given points: sum of weights[i] f(x_i) approximates the integral of f.
//
// Why: a conservation law is an integral, a constraint is a sum; constraints and metrics must use the same
// sum. Contract: coordinates increase strictly and may be spaced unevenly. `trapezoid` and `simpson`
// integrate from the first point to the last; `midpoint` takes the points as the centres of cells and
// integrates over the cells, which reach beyond the first and the last point.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nouq/grid.h>

namespace nouq {

// `automatic` is what the kind of the axis asks for: trapezoid on points; midpoint on cells, where the values
// are averages, and on periodic axes, where the integral reaches on to where the axis begins again.
enum class Quadrature { trapezoid, simpson, midpoint, automatic };

std::vector<std::string> quadrature_names();
// Throws for an unknown name and says the nearest valid one.
Quadrature quadrature_from_name(std::string_view name);

// Exact for straight lines.
std::vector<double> trapezoid_weights(std::span<const double> coordinates);
// Exact for parabolas, for any number of points from three on.
std::vector<double> simpson_weights(std::span<const double> coordinates);
// A cell ends half-way to the next point; the first and the last are symmetric about their points.
std::vector<double> midpoint_weights(std::span<const double> coordinates);

std::vector<double> quadrature_weights(Quadrature rule, const Axis& axis);

}  // namespace nouq
