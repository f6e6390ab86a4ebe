// Grids of other resolutions over the same domain, and over others.
#include "core/grid_domain.h"

#include <gtest/gtest.h>

#include "support/message.h"

namespace nouq {
namespace {

Grid line(std::vector<double> points, bool periodic = false) {
  return {{"x", "", std::move(points), periodic}};
}

std::vector<double> cell_centres(double low, double high, Index n) {
  const double half = 0.5 * (high - low) / static_cast<double>(n);
  return linspace(low + half, high - half, n);
}

// The point that would be the first of the next period is left out.
std::vector<double> period(double low, double high, Index n) {
  std::vector<double> points = linspace(low, high, n + 1);
  points.pop_back();
  return points;
}

std::string complaint(const Grid& trained, const Grid& given) {
  return test::message_of([&] { require_same_domain(trained, given, ""); });
}

TEST(GridDomain, IsTheSameAtEveryResolution) {
  for (const Index n : {7, 16, 17, 128}) {
    EXPECT_EQ(complaint(line(linspace(-1, 1, 16)), line(linspace(-1, 1, n))), "");
    EXPECT_EQ(complaint(line(cell_centres(-1, 1, 16)), line(cell_centres(-1, 1, n))), "");
    EXPECT_EQ(complaint(line(period(-1, 1, 16), true), line(period(-1, 1, n), true)), "");
  }
}

TEST(GridDomain, IsAnotherWhereItBeginsOrEndsElsewhere) {
  EXPECT_EQ(complaint(line(linspace(0, 1, 8)), line(linspace(0, 0.5, 8))),
            "axis x runs from 0 to 0.5, but the model was trained on 0 to 1");
  EXPECT_NE(complaint(line(linspace(0, 1, 8)), line(linspace(0.1, 1, 8))), "");
  EXPECT_NE(complaint(line(linspace(0, 1, 9)), line(linspace(0, 0.9, 64))), "") << "less than a coarse cell";
  EXPECT_NE(complaint(line(period(0, 1, 16), true), line(period(0, 2, 32), true)), "");
  EXPECT_NE(complaint(line(cell_centres(0, 1, 16)), line(cell_centres(1, 2, 16))), "");
}

TEST(GridDomain, RegriddingKeepsTheDomain) {
  const Grid grid = {{"x", "m", period(0, 2, 8), true}, {"t", "s", linspace(0, 3, 4)}};
  EXPECT_EQ(regridded(grid, {8, 4}), grid);
  const Grid fine = regridded(grid, {16, 7});
  EXPECT_EQ(fine[0].coordinates, period(0, 2, 16));
  EXPECT_EQ(fine[1].coordinates, linspace(0, 3, 7));
  EXPECT_EQ(fine[1].name, "t");
  EXPECT_EQ(test::message_of([&] { (void)regridded(grid, {8}); }), "a grid of shape [8]: expected 2 axes");
}

}  // namespace
}  // namespace nouq
