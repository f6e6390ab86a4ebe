// The unit square of the two Darcy problems: its domain, options and default grid.
#pragma once

#include <vector>

#include "problems/options.h"
#include "problems/problem.h"

namespace nouq::problems {

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
