// Hand-computed cases and limits, one per metric.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nouq/random.h>

#include "conserve/quadrature.h"
#include "core/error.h"
#include "metrics/detail.h"
#include "metrics/inputs.h"
#include "metrics/metric.h"
#include "metrics/rescaled_interval.h"

namespace nouq {
namespace {

using test::Arrays;
using test::small_case;

// Errors of small_case: (0, 1, 2) and (-0.5, 2, 0); sigmas (1, 2, 1) and (0.5, 1, 2).

TEST(Mse, ByHand) {
  const Arrays arrays = small_case();
  const auto result = metrics::mse(arrays.input());
  EXPECT_DOUBLE_EQ(result.per_sample[0], 5.0 / 3);
  EXPECT_DOUBLE_EQ(result.per_sample[1], 4.25 / 3);
  EXPECT_DOUBLE_EQ(result.value, 9.25 / 6);
}

TEST(RelativeL2, ByHand) {
  Arrays arrays = small_case();
  const auto result = metrics::relative_l2(arrays.input());
  EXPECT_DOUBLE_EQ(result.per_sample[0], std::sqrt(5.0 / 3));
  EXPECT_DOUBLE_EQ(result.per_sample[1], std::sqrt(4.25 / 20.25));
  for (Index j = 3; j < 6; ++j) arrays.truth[j] = 0;
  EXPECT_THROW((void)metrics::relative_l2(arrays.input()), Error);
}

// Two channels, one ten thousand times as large: each is in units of its root mean square.
TEST(RelativeL2, NoChannelIsLostBesideAnother) {
  const Array<double> truth({1, 2, 2}, {1e4, 3, 1e4, -3}), mean({1, 2, 2}, {1e4, 0, 1e4, -3});
  const Array<double> variance(truth.shape());
  const std::vector<double> units = {1e4, 3};
  MetricInput input{mean.view(), variance.view(), truth.view(), {}};
  EXPECT_DOUBLE_EQ(metrics::relative_l2(input).value, std::sqrt(9.0 / (2e8 + 18)));
  input.units = units;
  EXPECT_DOUBLE_EQ(metrics::relative_l2(input).value, std::sqrt(1.0 / 4));
}

TEST(Nll, ByHand) {
  Arrays arrays = small_case();
  const auto result = metrics::nll(arrays.input());
  const double constant = 3 * std::log(2 * M_PI);
  EXPECT_NEAR(result.per_sample[0], 0.5 * (0 + 0.25 + 4 + std::log(4.0) + constant), 1e-14);
  EXPECT_NEAR(result.per_sample[1], 0.5 * (1 + 4 + 0 + std::log(0.25) + std::log(4.0) + constant), 1e-14);
  arrays.variance[4] = 0;
  EXPECT_THROW((void)metrics::nll(arrays.input()), Error);
}

// e = (3, 2.5), s = (sqrt 6, sqrt 5.25): tau between the two ratios at 95 %.
TEST(Nmerci, ByHand) {
  const Arrays arrays = small_case();
  const double r0 = 3 / std::sqrt(6.0), r1 = 2.5 / std::sqrt(5.25);
  const double tau = r1 + 0.95 * (r0 - r1);
  const auto result = metrics::nmerci(arrays.input());
  EXPECT_NEAR(result.value, (tau * (std::sqrt(6.0) + std::sqrt(5.25)) / 2 - 2.75) / 0.25, 1e-13);
  EXPECT_NEAR(result.value, (result.per_sample[0] + result.per_sample[1]) / 2, 1e-14);
}

// Sample 0: ratios (0, 0.5, 2), position 1.9, tau = 0.5 + 0.9 * 1.5 = 1.85; (1.85 * 4/3 - 1) / (2 - 1).
// Sample 1: ratios (1, 2, 0), tau = 1.9; (1.9 * 3.5/3 - 2.5/3) / (2 - 2.5/3).
TEST(Nmerci, MembersThatAgreeToTheLastDigitRankNothing) {
  Arrays arrays = small_case();
  for (double& v : arrays.variance) v = 1e-34;  // what rounding makes of identical members
  EXPECT_EQ(metrics::nmerci(arrays.input()).value, std::numeric_limits<double>::infinity());
  arrays.mean = Array<double>({2, 3}, {1, 2, 3, 1, 1, 4});  // no zero: every point counts by itself
  EXPECT_EQ(metrics::nmerci_pointwise(arrays.input()).value, std::numeric_limits<double>::infinity());
}

TEST(NmerciPointwise, ByHand) {
  const Arrays arrays = small_case();
  const auto result = metrics::nmerci_pointwise(arrays.input());
  EXPECT_NEAR(result.per_sample[0], 1.85 * 4 / 3 - 1, 1e-14);
  EXPECT_NEAR(result.per_sample[1], (1.9 * 3.5 - 2.5) / 3.5, 1e-14);
}

TEST(RescaledInterval, IsZeroForProportionalAndDoesNotSeeTheScale) {
  const std::vector<double> errors = {1, 2, 5, 3}, proportional = {0.1, 0.2, 0.5, 0.3}, other = {4, 1, 2, 2};
  EXPECT_NEAR(metrics::rescaled_interval(errors, proportional, "errors").value, 0, 1e-14);
  std::vector<double> scaled = other;
  for (double& s : scaled) s *= 1e6;
  EXPECT_NEAR(metrics::rescaled_interval(errors, other, "errors").value,
              metrics::rescaled_interval(errors, scaled, "errors").value, 1e-12);
}

TEST(RescaledInterval, Degenerate) {
  const std::vector<double> equal = {1, 1}, some = {1, 2}, none = {0, 0};
  EXPECT_THROW((void)metrics::rescaled_interval(equal, some, "errors"), Error);
  const std::vector<double> tenths(10, 0.1), growing = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_THROW((void)metrics::rescaled_interval(tenths, growing, "errors"), Error) << "a mean just below 0.1";
  EXPECT_EQ(metrics::rescaled_interval(some, none, "errors").value, std::numeric_limits<double>::infinity());
  const std::vector<double> with_zero = {0, 2};
  EXPECT_TRUE(std::isfinite(metrics::rescaled_interval(with_zero, with_zero, "errors").value));
}

TEST(Nmerci, NeedsTwoSamples) {
  const Arrays arrays = {
      Array<double>({1, 2}, {1, 2}), Array<double>({1, 2}, {1, 2}), Array<double>({1, 2}, {0, 0}), {}, {}};
  EXPECT_THROW((void)metrics::nmerci(arrays.input()), Error);
}

// One sample, truth far above every inner quantile: c_p = 0 but for p = 1, so the ceiling sqrt(2.85 / 11).
TEST(Rmsce, CeilingAndCalibrated) {
  const Arrays far = {
      Array<double>({1, 2}, 0.0), Array<double>({1, 2}, 1.0), Array<double>({1, 2}, 100.0), {}, {}};
  EXPECT_NEAR(metrics::rmsce(far.input()).value, std::sqrt(2.85 / 11), 1e-15);
  EXPECT_NEAR(metrics::rmsce(far.input()).per_sample[0], std::sqrt(2.85 / 11), 1e-15);
  const Index n = 20000;
  Arrays drawn = {Array<double>({n, 1}, 2.0), Array<double>({n, 1}, 9.0), Array<double>({n, 1}), {}, {}};
  const Stream stream(3, Purpose::tests);
  for (Index i = 0; i < n; ++i) drawn.truth[i] = 2 + 3 * stream.normal(static_cast<std::uint64_t>(i));
  EXPECT_LT(metrics::rmsce(drawn.input()).value, 0.01);
  EXPECT_NEAR(metrics::coverage(drawn.input()).value, 0.95, 0.005);
}

// mu = 0, sigma = 1, u = 0: 2/9 sum of (1[z > 0] - p) z = 4/9 (0.1 |z.1| + 0.2 |z.2| + 0.3 |z.3| + 0.4
// |z.4|).
TEST(Crps, ByHand) {
  const Arrays arrays = {
      Array<double>({1, 1}, 0.0), Array<double>({1, 1}, 1.0), Array<double>({1, 1}, 0.0), {}, {}};
  const double expected = 4.0 / 9 *
                          (0.1 * 1.2815515655446004 + 0.2 * 0.8416212335729143 + 0.3 * 0.5244005127080407 +
                           0.4 * 0.2533471031357997);
  EXPECT_NEAR(metrics::crps(arrays.input()).value, expected, 1e-9);  // the reference's 1e-10 on sigma
}

// The closed form against the integral of (F(x) - 1[x >= u])^2.
TEST(CrpsGaussian, IsTheIntegral) {
  for (const auto& [mean, sigma, truth] : {std::array{0.0, 1.0, 0.0}, {1.0, 2.0, -3.0}, {0.3, 0.1, 0.45}}) {
    const Arrays arrays = {Array<double>({1, 1}, mean),
                           Array<double>({1, 1}, sigma * sigma),
                           Array<double>({1, 1}, truth),
                           {},
                           {}};
    double sum = 0;
    const int steps = 200000;
    const double low = std::min(truth, mean) - 10 * sigma, high = std::max(truth, mean) + 10 * sigma;
    const double h = (high - low) / steps;
    for (int i = 0; i < steps; ++i) {
      const double x = low + (i + 0.5) * h;
      sum += h * std::pow(normal_distribution((x - mean) / sigma) - (x >= truth ? 1 : 0), 2);
    }
    EXPECT_NEAR(metrics::crps_gaussian(arrays.input()).value, sum, 1e-4 * sigma);
  }
  const Arrays exact = {
      Array<double>({1, 1}, 1.0), Array<double>({1, 1}, 0.0), Array<double>({1, 1}, 3.5), {}, {}};
  EXPECT_DOUBLE_EQ(metrics::crps_gaussian(exact.input()).value, 2.5);
}

TEST(IntervalWidth, ByHand) {
  const Arrays arrays = small_case();
  EXPECT_DOUBLE_EQ(metrics::interval_width(arrays.input()).per_sample[0], 3.92 * 4 / 3);
}

// |error| / sigma: (0, 0.5, 2) and (1, 2, 0); inside 1.96 are two of three, twice.
TEST(Coverage, ByHand) {
  const Arrays arrays = small_case();
  EXPECT_DOUBLE_EQ(metrics::coverage(arrays.input()).value, 2.0 / 3);
}

// One sample, three x, two times; weights (0.25, 0.5, 0.25).
TEST(ConservationError, ByHand) {
  Arrays arrays = {Array<double>({1, 3, 2, 1}, {1, 0, 2, 4, 3, 8}),
                   {},
                   Array<double>({1, 3, 2, 1}),
                   {},
                   Array<double>({1, 2}, {1.5, 4.25})};
  const std::vector<double> x = {0, 0.5, 1};
  arrays.weights = trapezoid_weights(x);
  EXPECT_DOUBLE_EQ(metrics::conservation_error(arrays.input()).value, 0.5 + 0.25);
}

TEST(TrapezoidWeights, OnUnevenPoints) {
  const std::vector<double> x = {0, 1, 4};
  EXPECT_EQ(trapezoid_weights(x), (std::vector<double>{0.5, 2, 1.5}));
  EXPECT_THROW((void)trapezoid_weights(std::vector<double>{1}), Error);
}

}  // namespace
}  // namespace nouq
