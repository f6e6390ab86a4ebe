// The size of sigma from held-out samples: hand-worked cases, what it promises on new samples, and its
// place in a surrogate.
#include "uq/sizing.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nouq/random.h>

#include "support/message.h"
#include "support/small_fit.h"
#include "support/small_training.h"
#include "uq/predictor.h"

namespace nouq {
namespace {

// Errors with a standard deviation of `size` times the square root of (variance + floor), variances between
// 0.01 and 1.
struct Case {
  Array<double> mean, variance, truth;
};

Case made(Index samples, double size, double floor, std::uint64_t seed) {
  const Shape shape = {samples, 40, 1};
  Case c{Array<double>(shape), Array<double>(shape), Array<double>(shape)};
  const Stream stream(seed, Purpose::tests);
  for (Index i = 0; i < c.mean.size(); ++i) {
    const auto at = static_cast<std::uint64_t>(3 * i);
    c.variance[i] = std::pow(10.0, -2.0 * stream.uniform(at));
    c.truth[i] = size * std::sqrt(c.variance[i] + floor) * stream.normal(at + 1);
  }
  return c;
}

Sizing sizing_for(const Case& c) {
  return calibrate_sizing(c.mean.view(), c.variance.view(), c.truth.view());
}

double mean_ratio(const Sizing& sizing, Case c) {
  size_variance(sizing, {c.mean.size(), c.mean.data(), c.variance.data()});
  double sum = 0;
  for (Index i = 0; i < c.mean.size(); ++i) sum += c.truth[i] * c.truth[i] / c.variance[i];
  return sum / static_cast<double>(c.mean.size());
}

TEST(Sizing, TwoSamplesByHand) {
  // Ratios 4, 4 and 16, 16: their mean is 10, and (16 - 4) / 2 = 6 the standard error of that mean.
  const Array<double> mean({2, 2, 1}), variance({2, 2, 1}, {1, 1, 1, 1}), truth({2, 2, 1}, {2, -2, 4, -4});
  const Sizing sizing = calibrate_sizing(mean.view(), variance.view(), truth.view());
  EXPECT_EQ(sizing.held_out, 2);
  EXPECT_NEAR(sizing.error[0] * (1 + sizing.floor[0]), 6, 1e-12);
  EXPECT_NEAR(sizing.scale[0] * (1 + sizing.floor[0]), 16, 1e-12);
}

TEST(Sizing, FindsScaleAndFloorAndHoldsOnNewSamples) {
  const Sizing plain = sizing_for(made(100, 3, 0, 1));
  EXPECT_NEAR(plain.scale[0], 9, 0.9);
  EXPECT_LT(plain.floor[0], 0.005);
  const Sizing lifted = sizing_for(made(100, 2, 0.2, 2));
  EXPECT_NEAR(lifted.floor[0], 0.2, 0.1);
  EXPECT_NEAR(mean_ratio(lifted, made(200, 2, 0.2, 3)), 1, 0.1);
}

TEST(Sizing, FewSamplesAreOnTheSafeSide) {
  EXPECT_GT(sizing_for(made(3, 3, 0, 5)).error[0], 3 * sizing_for(made(300, 3, 0, 5)).error[0]);
}

TEST(Sizing, ChannelsAreSizedByThemselves) {
  const Array<double> mean({2, 1, 2}), variance({2, 1, 2}, {1, 1, 1, 1}), truth({2, 1, 2}, {1, 100, 1, 100});
  const Sizing sizing = calibrate_sizing(mean.view(), variance.view(), truth.view());
  EXPECT_NEAR(sizing.scale[1] * (1 + sizing.floor[1]) / (sizing.scale[0] * (1 + sizing.floor[0])), 1e4, 1e-6);
}

TEST(Sizing, WithoutSpreadTheErrorsAreTheSizeAndWithoutErrorsNothingChanges) {
  const Array<double> mean({2, 2, 1}), none({2, 2, 1}), truth({2, 2, 1}, {2, -2, 2, -2});
  const Sizing by_errors = calibrate_sizing(mean.view(), none.view(), truth.view());
  EXPECT_NEAR(by_errors.scale[0] * by_errors.floor[0], 4, 1e-12);
  const Sizing perfect = calibrate_sizing(mean.view(), none.view(), mean.view());
  EXPECT_EQ(perfect.scale[0], 1);
  EXPECT_EQ(perfect.floor[0], 0);
}

TEST(Sizing, OneSampleIsTooFew) {
  const Array<double> one({1, 2, 1});
  EXPECT_EQ(test::message_of([&] { (void)calibrate_sizing(one.view(), one.view(), one.view()); }),
            "sizing: 1 held-out samples, expected at least 2");
}

TEST(Sizing, SamplesAreSpreadAsTheVarianceSays) {
  const Sizing sizing{{4.0}, {0.5}, {0.0}, 2};
  const double mean[] = {1};
  double variance[] = {0.5}, samples[] = {0.5, 1.5};  // their variance is 0.5
  size_variance(sizing, {1, mean, variance, samples, 2});
  EXPECT_NEAR(variance[0], 4, 1e-15);
  EXPECT_NEAR(std::pow(samples[0] - 1, 2) + std::pow(samples[1] - 1, 2), 4, 1e-14);
  EXPECT_NEAR(samples[0] + samples[1], 2, 1e-15);
}

TEST(Sizing, ASurrogateKeepsItAndPredictsWithIt) {
  const DataSet data = test::small_data(12, 1);
  auto surrogate = fit(test::small_fit("diverse", 2), data, data);
  const Prediction before = predict(*surrogate, data.inputs.view(), {true, 1});
  EXPECT_TRUE(sizing_of(*surrogate).empty());
  store({{9.0}, {0.0}, {0.5}, 12}, *surrogate);
  const Prediction after = predict(*surrogate, data.inputs.view(), {true, 1});
  EXPECT_EQ(after.mean, before.mean);
  EXPECT_NEAR(after.variance[7] / before.variance[7], 9, 1e-12);
  EXPECT_NEAR((after.samples[7] - after.mean[7]) / (before.samples[7] - before.mean[7]), 3, 1e-9);
  surrogate->state["sizing.scale"][0] = -1;
  EXPECT_EQ(test::message_of([&] { (void)predict(*surrogate, data.inputs.view()); }),
            "'sizing.scale' is -1: expected a positive number");
  remove_sizing(*surrogate);
  EXPECT_EQ(predict(*surrogate, data.inputs.view()).variance, before.variance);
}

}  // namespace
}  // namespace nouq
