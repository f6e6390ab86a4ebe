// What the curves of training and validation loss say.
#include "uq/learning.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace nouq {
namespace {

using Curve = std::function<double(double)>;  // of the share of the training that is over

Learning verdict(const Curve& training, const Curve& validation, Index epochs = 100) {
  Array<double> history({epochs, 3});
  for (Index e = 0; e < epochs; ++e) {
    const double t = static_cast<double>(e) / static_cast<double>(epochs);
    history[3 * e] = training(t);
    history[3 * e + 1] = validation(t);
  }
  return judge_learning(history).learning;
}

TEST(Learning, TellsOverfittingFromStoppingTooEarly) {
  const auto settles = [](double t) { return 0.01 + std::exp(-30 * t); };
  const auto falls = [](double t) { return std::exp(-2 * t); };
  EXPECT_EQ(verdict(settles, settles), Learning::fine);
  EXPECT_EQ(verdict(falls, falls), Learning::unfinished);
  EXPECT_EQ(verdict([](double t) { return 0.001 + std::exp(-30 * t); }, settles), Learning::overfitting)
      << "ten times the training loss";
  EXPECT_EQ(verdict([&](double t) { return 0.2 * falls(t); }, falls), Learning::overfitting)
      << "more epochs would not bring them together";
  EXPECT_EQ(verdict(settles, [](double t) { return 0.01 + std::exp(-30 * t) + 0.02 * t * t; }),
            Learning::overfitting)
      << "it has risen since its best";
  EXPECT_EQ(verdict(falls, falls, 5), Learning::fine) << "five epochs are no curve";
}

TEST(Learning, ALikelihoodHasNoRatios) {
  const auto sinks = [](double t) { return -3 - 5 * t; };
  EXPECT_EQ(verdict(sinks, [](double t) { return -1 - t; }), Learning::fine);
  EXPECT_EQ(judge_learning(Surrogate{}).learning, Learning::fine) << "no history";
  EXPECT_EQ(judge_learning(Array<double>({4, 2})).learning, Learning::fine) << "not a history";
}

TEST(Learning, LossesAreThoseOfTheLastTenth) {
  Array<double> history({20, 3}, 1.0);
  history[3 * 18] = 2;
  history[3 * 19 + 1] = 5;
  const LearningCurves curves = judge_learning(history);
  EXPECT_DOUBLE_EQ(curves.training_loss, 1.5);
  EXPECT_DOUBLE_EQ(curves.validation_loss, 3);
}

}  // namespace
}  // namespace nouq
