// One solution in double, for tests that look closer than the float32 samples allow.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include <nouq/problem.h>
#include <nouq/random.h>

namespace nouq::test {

struct Solution {
  std::vector<double> input, output, mass;
};

inline Solution solve(const Problem& problem, double parameter, const Grid& grid, std::uint64_t index = 0) {
  const std::size_t points = element_count(shape_of(grid));
  const auto time = problem.time_axis();
  const auto times = problem.has_mass_law() ? static_cast<std::size_t>(grid[*time].size()) : 0;
  Solution result{std::vector<double>(points), std::vector<double>(points), std::vector<double>(times)};
  const Draw draw{parameter, Stream(1, Purpose::fields, index)};
  problem.inputs(grid)(draw, result.input);
  problem.solver(grid)(draw, {result.input, result.output, result.mass});
  return result;
}

inline Grid two_axes(const Problem& problem, std::vector<double> first, std::vector<double> second) {
  Grid grid = problem.default_grid();
  grid[0].coordinates = std::move(first);
  grid[1].coordinates = std::move(second);
  return grid;
}

// The solution at one point.
inline double value_at(const Problem& problem, double parameter, double x, double t) {
  return solve(problem, parameter, two_axes(problem, {x}, {t})).output[0];
}

}  // namespace nouq::test
