// Held-out predictions of training samples: folds, their price, and the size of their errors.
#include "uq/cross_fitting.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "support/small_fit.h"

namespace nouq {
namespace {

using test::small_data;

TEST(CrossFitting, FoldsAreDisjointEvenAndOfTheSeed) {
  const auto folds = cross_folds(23, 3, 5);
  std::set<Index> all;
  for (const auto& fold : folds) {
    EXPECT_TRUE(fold.size() == 7 || fold.size() == 8);
    EXPECT_TRUE(std::is_sorted(fold.begin(), fold.end()));
    all.insert(fold.begin(), fold.end());
  }
  EXPECT_EQ(all.size(), 23U);
  EXPECT_EQ(folds, cross_folds(23, 3, 5));
  EXPECT_NE(folds, cross_folds(23, 3, 6));
}

TEST(CrossFitting, TakesAtMostAThirdOfTheTrainingsWork) {
  for (const Index folds : {2, 3, 4, 5}) {
    for (const Index epochs : {12, 50, 100, 200, 333}) {
      const FitOptions whole = test::small_fit("diverse", epochs), shorter = short_fit(whole, folds);
      EXPECT_LE(3 * (folds - 1) * shorter.train.epochs, epochs) << folds;
      EXPECT_LE(fit_trainings(shorter, test::small_data(4, 1)).front().diversity.warmup,
                shorter.train.epochs);
    }
  }
  EXPECT_TRUE(uses_cross_fitting(24, 6, 3));
  EXPECT_FALSE(uses_cross_fitting(76, 19, 3)) << "enough are held out";
  EXPECT_FALSE(uses_cross_fitting(24, 6, 0)) << "not wanted";
  EXPECT_FALSE(uses_cross_fitting(5, 2, 3)) << "folds of one sample";
}

// Two samples of two points. The short fits err by 2 and spread by variance 1; the kept network by 1 and 4.
TEST(CrossFitting, BringsErrorsAndVariancesToTheSizeOfTheKeptNetworks) {
  const Shape shape = {2, 2, 1};
  const Array<double> truth(shape, 0.0);
  const Prediction kept{Array<double>(shape, 1.0), Array<double>(shape, 4.0), {}};
  const Prediction shorter{Array<double>(shape, -2.0), Array<double>(shape, 1.0), {}};
  const Resized same = resized(kept, {shorter, shorter}, truth);
  EXPECT_DOUBLE_EQ(same.error[0], 0.25) << "both samples agree, so nothing is added";
  EXPECT_DOUBLE_EQ(same.variance[0], 4.0);
  Prediction uneven = kept;  // squared errors over the short fits' are 1/4 and 4: their mean logarithm is 0
  uneven.mean[2] = uneven.mean[3] = 4;
  const double deviation = std::log(4.0) - std::log(0.25);  // over sqrt 2 and sqrt 2 again
  EXPECT_NEAR(resized(uneven, {shorter}, truth).error[0], std::exp(deviation / 2), 1e-12);
  const Shape one = {1, 2, 1};
  const Prediction single{Array<double>(one, 1.0), Array<double>(one, 4.0), {}};
  const Prediction single_short{Array<double>(one, 2.0), Array<double>(one, 1.0), {}};
  EXPECT_DOUBLE_EQ(resized(single, {single_short}, Array<double>(one, 0.0)).error[0], 1.0)
      << "one sample cannot make errors smaller";
}

TEST(CrossFitting, PredictsEverySampleOnceByNetworksThatDidNotSeeIt) {
  const DataSet train = small_data(13, 1), validation = small_data(4, 2);
  const FitOptions options = test::small_fit("diverse", 24);
  const Surrogate whole = *fit(options, train, validation);
  const CrossFitting plan(options, train, validation, 3);
  const auto held_out = cross_fit(plan, whole, true, nullptr);
  ASSERT_TRUE(held_out);
  EXPECT_EQ(held_out->data.size(), 17);
  EXPECT_EQ(held_out->prediction.mean.shape(), held_out->data.outputs.shape());
  EXPECT_EQ(held_out->prediction.samples.shape(), (Shape{17, 3, 16, 8, 1}));
  // Trained on the rest: each fold's data are those that the others predict.
  for (const Training& one : plan.trainings())
    EXPECT_EQ(one.train->size() + (one.train->size() == 8 ? 5 : 4), 13);
  // Samples lie around their mean as they did, with the variance of the prediction.
  const Prediction& p = held_out->prediction;
  const Index size = 16 * 8;
  for (const Index i : {0, 77, 12 * 128 + 5, 16 * 128 + 100}) {
    double mean = 0, squares = 0;
    for (Index m = 0; m < 3; ++m) mean += p.samples[((i / size) * 3 + m) * size + i % size] / 3;
    for (Index m = 0; m < 3; ++m)
      squares += std::pow(p.samples[((i / size) * 3 + m) * size + i % size] - mean, 2) / 2;
    EXPECT_NEAR(mean, p.mean[i], 1e-6);
    EXPECT_NEAR(squares, p.variance[i], 1e-3 * p.variance[i] + 1e-12);
  }
  FitOptions threads = options;
  threads.threads = 3;
  const auto again = cross_fit(CrossFitting(threads, train, validation, 3), whole, true, nullptr);
  EXPECT_EQ(again->prediction.mean, p.mean);
  EXPECT_EQ(again->prediction.variance, p.variance);
}

// A fold without a result costs its own samples and no more.
TEST(CrossFitting, AFoldThatDivergedIsLeftOut) {
  const DataSet train = small_data(13, 1), validation = small_data(4, 2);
  const FitOptions options = test::small_fit("variance", 12);
  const Surrogate whole = *fit(options, train, validation);
  const CrossFitting plan(options, train, validation, 3);
  auto networks = *run_trainings(plan.trainings(), {});
  networks[0].error = "diverged";
  EXPECT_EQ(plan.held_out(whole, networks, false).data.size(), 8 + 4);
  for (auto& network : networks) network.error = "diverged";
  EXPECT_EQ(plan.held_out(whole, networks, false).data, validation);
}

}  // namespace
}  // namespace nouq
