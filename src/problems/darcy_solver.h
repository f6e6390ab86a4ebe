// Darcy flow -div(k grad u) = 1 with u = 0 on the boundary, for any positive permeability field k on a 2-d
// grid; and the unit square that both Darcy problems are posed on.
//
// How: finite volumes around the grid points; between neighbours the permeability is the harmonic mean of
// theirs, which keeps the flux continuous across a jump of k; Eigen's sparse LDL' factorisation. The grid
// must span the domain: its first and last points along each axis are the boundary. Second order for smooth
// k, first for jumps.
#pragma once

#include <span>
#include <vector>

#include <nouq/grid.h>
#include <nouq/problem.h>

#include "problems/description.h"

namespace nouq {

// permeability and pressure: [x][y], one value per grid point. Throws for a grid with less than three points
// along an axis, and for a permeability that is not a finite number above zero.
void solve_darcy(const Grid& grid, std::span<const double> permeability, std::span<double> pressure);

}  // namespace nouq

namespace nouq::problems {

// The unit square: its domain, options and default grid.
inline std::vector<AxisDomain> square_domain() { return {{{"x", "1"}, 0, 1}, {{"y", "1"}, 0, 1}}; }

inline std::vector<ProblemOption> square_options() {
  return {{"nx", "64", "points along x, both ends included"},
          {"ny", "64", "points along y, both ends included"}};
}

inline Grid square_grid(const OptionReader& options) {
  return {Axis{.name = "x", .unit = "1", .coordinates = linspace(0, 1, options.count("nx", 3))},
          Axis{.name = "y", .unit = "1", .coordinates = linspace(0, 1, options.count("ny", 3))}};
}

}  // namespace nouq::problems
