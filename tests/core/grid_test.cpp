#include <gtest/gtest.h>
#include <nouq/grid.h>
#include <nouq/random.h>

namespace nouq {
namespace {

TEST(Linspace, HasBothEnds) {
  EXPECT_EQ(linspace(0, 1, 5), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(linspace(2, 3, 1), (std::vector<double>{2}));
  EXPECT_EQ(linspace(1, -1, 3), (std::vector<double>{1, 0, -1}));
  EXPECT_THROW((void)linspace(0, 1, 0), Error);
}

TEST(Linspace, EndsExactlyAndIncreasesStrictly) {
  const Stream stream(5, Purpose::tests);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double first = stream.normal(3 * i);
    const double last = first + 1e-3 + 10 * stream.uniform(3 * i + 1);
    const auto points = linspace(first, last, 2 + static_cast<Index>(stream.below(200, 3 * i + 2)));
    ASSERT_EQ(points.front(), first);
    ASSERT_EQ(points.back(), last);
    for (std::size_t k = 1; k < points.size(); ++k) ASSERT_LT(points[k - 1], points[k]);
  }
}

TEST(Grid, ShapeIsTheSizesOfItsAxes) {
  const Grid grid = {{"x", "m", linspace(0, 1, 4)}, {"t", "s", linspace(0, 2, 3)}};
  EXPECT_EQ(shape_of(grid), (Shape{4, 3}));
  EXPECT_EQ(shape_of({}), Shape{});
}

}  // namespace
}  // namespace nouq
