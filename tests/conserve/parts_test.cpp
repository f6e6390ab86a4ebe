// The small numerical parts: runs, row multipliers, isotonic regression.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nouq/random.h>

#include "conserve/bounded_rows.h"
#include "conserve/disjoint_rows.h"
#include "conserve/dual_newton.h"

namespace nouq {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Runs, CoverTheFieldInOrder) {
  const std::vector<Index> rows = {0, 1, 2, 0, 1, 2, -1, -1, 5, 5, 5, 6, 3};
  const auto runs = runs_of(rows);
  std::vector<Index> back;
  for (const auto& run : runs) {
    EXPECT_EQ(run.point, std::ssize(back));
    for (Index j = 0; j < run.length; ++j) back.push_back(run.same_row ? run.row : run.row + j);
  }
  EXPECT_EQ(back, rows);
  EXPECT_EQ(runs.size(), 6U);
}

TEST(RowMultiplier, FindsTheRootOfRandomEquations) {
  const Stream stream(3, Purpose::tests, 0);
  std::uint64_t drawn = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + stream.below(40, drawn++);
    std::vector<double> value, step, weight, lower, upper;
    double least = 0, most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      value.push_back(stream.normal(drawn++));
      weight.push_back(stream.normal(drawn++));
      // Variances over twenty orders of magnitude, as networks give them.
      step.push_back(weight.back() * std::pow(10.0, -20 * stream.uniform(drawn++)));
      lower.push_back(-stream.uniform(drawn++));
      upper.push_back(stream.uniform(drawn++));
      least += std::min(weight[i] * lower[i], weight[i] * upper[i]);
      most += std::max(weight[i] * lower[i], weight[i] * upper[i]);
    }
    const double noise_variance = round % 3 == 0 ? 1e-9 : 0;
    const double share = round % 7 == 0 ? (round % 2 == 0 ? 0.0 : 1.0) : stream.uniform(drawn++);
    const RowEquation equation{value,         step, weight, lower, upper, least + share * (most - least),
                               noise_variance};
    const RowMultiplier found = solve_row(equation);
    double sum = -equation.target - noise_variance * found.lambda, size = std::abs(equation.target);
    for (std::size_t i = 0; i < n; ++i) {
      const double term = weight[i] * std::clamp(value[i] - found.lambda * step[i], lower[i], upper[i]);
      sum += term;
      size += std::abs(term);
    }
    EXPECT_EQ(found.shortfall, 0) << "round " << round;
    EXPECT_LE(std::abs(sum), 1e-11 * size) << "round " << round;
  }
}

TEST(RowMultiplier, SaysWhatIsMissing) {
  const std::vector<double> value = {0.5, 0.5}, step = {0.5, 0.5}, weight = {0.5, 0.5}, lower = {0, 0},
                            upper = {1, 1};
  EXPECT_NEAR(solve_row({value, step, weight, lower, upper, 1.25, 0}).shortfall, -0.25, 1e-15);
  EXPECT_NEAR(solve_row({value, step, weight, lower, upper, -0.5, 0}).shortfall, 0.5, 1e-15);
  EXPECT_EQ(solve_row({value, step, weight, lower, upper, 1.0, 0}).shortfall, 0);
  const std::vector<double> none = {0, 0};  // without variance nothing can move
  EXPECT_NEAR(solve_row({value, none, weight, lower, upper, 0.75, 0}).shortfall, -0.25, 1e-15);
  const std::vector<double> open = {infinity, infinity}, below = {-infinity, -infinity};
  EXPECT_NEAR(solve_row({value, step, weight, below, open, 3.0, 0}).lambda, -5, 1e-13);
  // All start on their lower bounds, where nothing tells how far to go.
  const std::vector<double> negative = {-1, -3};
  const RowMultiplier lifted = solve_row({negative, step, weight, lower, open, 0.5, 0});
  EXPECT_EQ(lifted.shortfall, 0);
  EXPECT_NEAR(lifted.lambda, -4, 1e-13);  // 0.5 (-1 + 0.5 * 4)
}

// Values that all have to go to zero leave rounding errors as large as themselves, which is no shortfall.
TEST(RowMultiplier, ValuesThatCancelCompletelyMeetTheirTarget) {
  for (int k = 1; k < 40; ++k) {
    std::vector<double> value, step, weight, lower, upper;
    for (int i = 1; i <= 7; ++i) {
      value.push_back(0.1 * i / k);
      step.push_back(0.3 * value.back());  // all vanish at the same place
      weight.push_back(i % 2 == 0 ? 1.0 / 3 : 0.7);
      lower.push_back(i == 3 ? 0 : -1);
      upper.push_back(1);
    }
    EXPECT_EQ(solve_row({value, step, weight, lower, upper, 0, 0}).shortfall, 0) << k;
  }
}

TEST(Isotonic, PoolsViolators) {
  std::vector<IsotonicBlock> blocks;
  isotonic_regression(std::vector<double>{1, 3, 2, 4, 0}, std::vector<double>{1, 1, 3, 1, 1}, blocks);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].end, 1U);
  EXPECT_EQ(blocks[0].value, 1);
  EXPECT_EQ(blocks[1].end, 5U);
  EXPECT_NEAR(blocks[1].value, (3 + 6 + 4 + 0) / 6.0, 1e-15);
  EXPECT_EQ(blocks[1].weight, 6);
}

// A value far away with little weight must not spoil the digits of the heavy one, on whichever side it is.
TEST(Isotonic, PoolsAcrossManyOrders) {
  std::vector<IsotonicBlock> blocks;
  isotonic_regression(std::vector<double>{1e6, 0.3}, std::vector<double>{1e-12, 1}, blocks);
  EXPECT_NEAR(blocks.at(0).value, (0.3 + 1e-6) / (1 + 1e-12), 1e-15);
  isotonic_regression(std::vector<double>{0.3, -1e6}, std::vector<double>{1, 1e-12}, blocks);
  EXPECT_NEAR(blocks.at(0).value, (0.3 - 1e-6) / (1 + 1e-12), 1e-15);
}

}  // namespace
}  // namespace nouq
