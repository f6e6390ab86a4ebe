#include "core/sobol.h"

#include <set>

#include <gtest/gtest.h>

#include "support/message.h"

namespace nouq {
namespace {

TEST(Sobol, HasOnePointInEachOfEqualIntervals) {
  for (const std::uint64_t seed : {0, 7}) {
    for (const std::uint64_t first : {0, 64, 192}) {
      for (Index d = 0; d < most_sobol_dimensions; ++d) {
        std::set<int> intervals;
        for (std::uint64_t i = first; i < first + 64; ++i)
          intervals.insert(static_cast<int>(64 * sobol_point(most_sobol_dimensions, i, seed)[d]));
        EXPECT_EQ(intervals.size(), 64U) << "axis " << d << " from " << first << " with seed " << seed;
      }
    }
  }
}

// The first two axes are a (0, m, 2) net: one of 64 points in each box of 8 x 8, 4 x 16, ...
TEST(Sobol, FillsBoxesOfTwoAxes) {
  for (const int cut : {1, 2, 4, 8, 16, 32, 64}) {
    std::set<std::pair<int, int>> boxes;
    for (std::uint64_t i = 0; i < 64; ++i) {
      const std::vector<double> x = sobol_point(2, i);
      boxes.insert({static_cast<int>(cut * x[0]), static_cast<int>(64 / cut * x[1])});
    }
    EXPECT_EQ(boxes.size(), 64U) << cut;
  }
}

// Joe and Kuo's own program prints these, in Gray code's order.
TEST(Sobol, IsTheSequenceOfJoeAndKuo) {
  EXPECT_EQ(sobol_point(4, 0), (std::vector<double>{0, 0, 0, 0}));
  EXPECT_EQ(sobol_point(4, 1), (std::vector<double>{0.5, 0.5, 0.5, 0.5}));
  EXPECT_EQ(sobol_point(4, 2), (std::vector<double>{0.75, 0.25, 0.25, 0.25}));
  EXPECT_EQ(sobol_point(4, 3), (std::vector<double>{0.25, 0.75, 0.75, 0.75}));
  EXPECT_EQ(sobol_point(4, 4), (std::vector<double>{0.375, 0.375, 0.625, 0.875}));
}

TEST(Sobol, RefusesTooManyAxes) {
  EXPECT_EQ(test::message_of([] { (void)sobol_point(11, 0); }),
            "a Sobol' sequence in 11 dimensions: expected 1 to 10");
}

}  // namespace
}  // namespace nouq
