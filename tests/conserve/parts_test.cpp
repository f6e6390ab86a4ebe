// The small numerical parts: runs, row multipliers, isotonic regression, truncated normals.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "conserve/isotonic.h"
#include "conserve/row_multiplier.h"
#include "conserve/runs.h"
#include "conserve/truncated_normal.h"
#include "core/random.h"

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
    const double slack = round % 3 == 0 ? 1e-9 : 0;
    const double share = round % 7 == 0 ? (round % 2 == 0 ? 0.0 : 1.0) : stream.uniform(drawn++);
    const RowEquation equation{value, step, weight, lower, upper, least + share * (most - least), slack};
    const RowMultiplier found = solve_row(equation);
    double sum = -equation.target - slack * found.lambda, size = std::abs(equation.target);
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

// The integrals by a fine trapezoid rule over the part of the interval that carries weight.
double reference_deviation(double mean, double variance, double lower, double upper) {
  const double sigma = std::sqrt(variance), centre = std::clamp(mean, lower, upper);
  // From the centre outwards the density falls with at least the rate `steep`.
  const double steep = std::abs(centre - mean) / variance;
  const double reach = std::min(12 * sigma, steep > 0 ? 60 / steep : infinity);
  const double low = std::max(lower, centre - reach), high = std::min(upper, centre + reach);
  const int n = 200000;
  double squares = 0, total = 0;
  for (int i = 0; i <= n; ++i) {
    const double x = low + (high - low) * i / n;
    const double weight = i == 0 || i == n ? 0.5 : 1;
    const double density =
        weight * std::exp(-((x - mean) * (x - mean) - (centre - mean) * (centre - mean)) / (2 * variance));
    total += density;
    squares += density * (x - centre) * (x - centre);
  }
  return squares / total;
}

TEST(TruncatedNormal, MeetsTheIntegrals) {
  const double bounds[][2] = {{-1, 1}, {0, 1},   {0.5, 4}, {-0.001, 0.002}, {3, 3.5},
                              {6, 30}, {40, 41}, {-9, -5}, {-20, 0.1}};
  for (const auto& [lower, upper] : bounds) {
    for (const double variance : {1.0, 0.01, 25.0}) {
      const double expected = reference_deviation(0.2, variance, lower, upper);
      EXPECT_NEAR(truncated_deviation(0.2, variance, lower, upper), expected, 1e-6 * expected)
          << lower << " " << upper << " " << variance;
    }
  }
  EXPECT_NEAR(truncated_deviation(0, 4, 0, infinity), 4, 1e-12);  // half a normal keeps its second moment
  EXPECT_EQ(truncated_deviation(0, 4, -infinity, infinity), 4);
  EXPECT_EQ(truncated_deviation(0, 4, 1, 1), 0);
  EXPECT_EQ(truncated_deviation(0, 0, 1, 2), 0);
}

}  // namespace
}  // namespace nouq
