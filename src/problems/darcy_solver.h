// Darcy flow -div(k grad u) = 1 with u = 0 on the boundary, for any positive permeability field k on a 2-d
// grid.
//
// How: finite volumes around the grid points; between neighbours the permeability is the harmonic mean of
// theirs, which keeps the flux continuous across a jump of k; Eigen's sparse LDL' factorisation. The grid
// must span the domain: its first and last points along each axis are the boundary. Second order for smooth
// k, first for jumps.
#pragma once

#include <span>

#include "core/grid.h"

namespace nouq {

// permeability and pressure: [x][y], one value per grid point. Throws for a grid with less than three points
// along an axis, and for a permeability that is not a finite number above zero.
void solve_darcy(const Grid& grid, std::span<const double> permeability, std::span<double> pressure);

}  // namespace nouq
