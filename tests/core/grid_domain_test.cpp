// Grids of other resolutions over the same domain, and over others.
#include "core/grid_domain.h"

#include <gtest/gtest.h>

#include "support/message.h"

namespace nouq {
namespace {

Grid line(std::vector<double> points, AxisKind kind = AxisKind::points) {
  return {{"x", "", std::move(points), kind}};
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
    EXPECT_EQ(
        complaint(line(period(-1, 1, 16), AxisKind::periodic), line(period(-1, 1, n), AxisKind::periodic)),
        "");
  }
}

TEST(GridDomain, IsAnotherWhereItBeginsOrEndsElsewhere) {
  EXPECT_EQ(complaint(line(linspace(0, 1, 8)), line(linspace(0, 0.5, 8))),
            "axis x runs from 0 to 0.5, but the model was trained on 0 to 1");
  EXPECT_NE(complaint(line(linspace(0, 1, 8)), line(linspace(0.1, 1, 8))), "");
  EXPECT_NE(complaint(line(linspace(0, 1, 9)), line(linspace(0, 0.9, 64))), "") << "less than a coarse cell";
  EXPECT_NE(complaint(line(period(0, 1, 16), AxisKind::periodic), line(period(0, 2, 32), AxisKind::periodic)),
            "");
  EXPECT_NE(complaint(line(cell_centres(0, 1, 16)), line(cell_centres(1, 2, 16))), "");
}

TEST(GridDomain, RegriddingKeepsTheDomain) {
  const Grid grid = {{"x", "m", period(0, 2, 8), AxisKind::periodic}, {"t", "s", linspace(0, 3, 4)}};
  EXPECT_EQ(regridded(grid, {8, 4}), grid);
  const Grid fine = regridded(grid, {16, 7});
  EXPECT_EQ(fine[0].coordinates, period(0, 2, 16));
  EXPECT_EQ(fine[1].coordinates, linspace(0, 3, 7));
  EXPECT_EQ(fine[1].name, "t");
  EXPECT_EQ(test::message_of([&] { (void)regridded(grid, {8}); }), "a grid of shape [8]: expected 2 axes");
}

// Half a cell at either end belongs to the domain: other cells fill the same one.
TEST(GridDomain, RegriddingFillsTheDomainOfCells) {
  const Grid grid = {{"x", "m", cell_centres(-1, 2, 12), AxisKind::cells}};
  for (const Index n : {1, 3, 7, 12, 48}) {
    const std::vector<double> found = regridded(grid, {n})[0].coordinates, expected = cell_centres(-1, 2, n);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-14);
  }
  EXPECT_EQ(cell_centres(0, 1, 2), (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(evenly_spaced(AxisKind::cells, 0, 1, 4), cell_centres(0, 1, 4));
  EXPECT_EQ(evenly_spaced(AxisKind::periodic, 0, 1, 4), linspace(0, 1, 4));
}

TEST(Grid, KnowsTheKindsOfAxesByName) {
  for (const AxisKind kind : {AxisKind::points, AxisKind::cells, AxisKind::periodic})
    EXPECT_EQ(axis_kind_from_name(name(kind)), kind);
  EXPECT_EQ(test::message_of([] { (void)axis_kind_from_name("cell"); }),
            "unknown kind of axis 'cell'; did you mean 'cells'? Valid: points, cells, periodic");
}

}  // namespace
}  // namespace nouq
