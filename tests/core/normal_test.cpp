// The normal distribution: its quantile, and what bounds leave of its variance, against fine sums.
#include "core/normal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace nouq {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Normal, QuantileInvertsTheDistribution) {
  for (const double p : {1e-12, 1e-3, 0.1, 0.5, 0.7, 0.999}) {
    EXPECT_NEAR(normal_distribution(normal_quantile(p)) / p, 1, 1e-13);
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_EQ(normal_quantile(0), -infinity);
  EXPECT_EQ(normal_quantile(1), infinity);
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
