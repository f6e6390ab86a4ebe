// Fields from one grid onto another.
#include "data/resampling.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace nouq {
namespace {

std::vector<double> stretched(Index n) {
  std::vector<double> points = linspace(0, 1, n);
  for (double& x : points) x = x * x * (1.5 - 0.5 * x);
  return points;
}

// Of two channels over x and t: f(x) (1 + t) and its negative.
template <class Function>
std::vector<double> field_on(const Grid& grid, const Function& f) {
  std::vector<double> field;
  for (const double x : grid[0].coordinates) {
    for (const double t : grid[1].coordinates) {
      field.push_back(f(x) * (1 + t));
      field.push_back(-f(x) * (1 + t));
    }
  }
  return field;
}

TEST(Resampling, IsExactForCubics) {
  const Grid from = {{"x", "", stretched(9)}, {"t", "", linspace(0, 2, 5)}};
  const Grid to = {{"x", "", linspace(0, 1, 23)}, {"t", "", linspace(0, 2, 4)}};
  const auto cubic = [](double x) { return 1 + x * (2 + x * (3 - x)); };
  const std::vector<double> given = field_on(from, cubic), expected = field_on(to, cubic);
  std::vector<double> found(expected.size());
  Resampling(from, to).apply(given.data(), 2, found.data());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

// A peak between two points is as high as it must be; beyond the ends, by part of a cell, it goes straight
// on.
TEST(Resampling, ReachesPeaksAndEnds) {
  const Grid from = {{"x", "", cell_centres(0, 1, 8), AxisKind::cells}};
  const Grid to = {{"x", "", cell_centres(0, 1, 16), AxisKind::cells}};
  std::vector<double> given, line, found(16);
  for (const double x : from[0].coordinates) {
    given.push_back(x * (1 - x));
    line.push_back(3 * x);
  }
  Resampling(from, to).apply(given.data(), 1, found.data());
  for (std::size_t i = 1; i < 15; ++i)
    EXPECT_NEAR(found[i], to[0].coordinates[i] * (1 - to[0].coordinates[i]), 1e-12) << i;
  Resampling(from, to).apply(line.data(), 1, found.data());
  EXPECT_NEAR(found[0], 3 * to[0].coordinates[0], 1e-12);
}

TEST(Resampling, DoesNotOvershootJumps) {
  const Grid from = {{"x", "", linspace(0, 1, 12)}}, to = {{"x", "", linspace(0, 1, 57)}};
  const std::vector<double> jump = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  std::vector<double> found(57);
  Resampling(from, to).apply(jump.data(), 1, found.data());
  for (const double v : found) {
    EXPECT_GE(v, 0);
    EXPECT_LE(v, 1);
  }
}

TEST(Resampling, GoesAroundPeriodicAxes) {
  const auto ring = [](Index n) {
    std::vector<double> points = linspace(0, 1, n + 1);
    points.pop_back();
    return Grid{{"x", "", points, AxisKind::periodic}};
  };
  const auto wave = [](double x) { return std::cos(2 * std::numbers::pi * x); };
  const Grid from = ring(32);
  std::vector<double> given, found(64);
  for (const double x : from[0].coordinates) given.push_back(wave(x));
  Resampling(from, ring(64)).apply(given.data(), 1, found.data());
  for (Index i = 0; i < 64; ++i) EXPECT_NEAR(found[i], wave(static_cast<double>(i) / 64), 1e-4) << i;
}

TEST(Resampling, TheSamePointsKeepTheirBits) {
  const Grid grid = {{"x", "", stretched(7)}};
  const std::vector<float> given = {0.1F, 3.0F, -2.0F, 0.7F, 0.3F, 1e-3F, 5.0F};
  std::vector<float> found(7);
  Resampling(grid, grid).apply(given.data(), 1, found.data());
  EXPECT_EQ(found, given);
}

}  // namespace
}  // namespace nouq
