// Fits that go on from a surrogate.
#include <gtest/gtest.h>

#include "support/message.h"
#include "support/small_fit.h"

namespace nouq {
namespace {

FitOptions small_fit() { return test::small_fit("diverse", 1); }

TEST(FineTuning, SaysWhatOfTheArchitectureDiffers) {
  const DataSet train = test::small_data(14, 1);
  const Surrogate from = *fit(small_fit(), train, test::small_data(7, 2));
  const auto complaint = [&](const auto& change) {
    FitOptions options = small_fit();
    options.from = &from;
    change(options);
    return test::message_of([&] { (void)fit_trainings(options, train); });
  };
  EXPECT_EQ(complaint([](FitOptions&) {}), "");
  EXPECT_EQ(
      complaint([](FitOptions& o) {
        o.train.network.width = 4;
        o.train.network.modes = {4, 2};
      }),
      "the model to start from and what is to be trained differ: modes [4, 3] and [4, 2], width 8 and 4; "
      "fine-tuning keeps method and architecture");
  EXPECT_EQ(complaint([](FitOptions& o) {
              o.train.network.padding[1] = {0, 0.5};
            }),
            "the model to start from and what is to be trained differ: padding 3 points x 2 points and 3 "
            "points x 0.5 of the axis; fine-tuning keeps method and architecture");
  EXPECT_EQ(complaint([](FitOptions& o) { o.method.name = "variance"; }),
            "the model to start from is of the method diverse, not variance; fine-tuning keeps method and "
            "architecture");
}

TEST(FineTuning, ChangesTheWeightsAndNothingOfTheirShape) {
  const DataSet train = test::small_data(14, 1), validation = test::small_data(7, 2);
  const Surrogate from = *fit(small_fit(), train, validation);
  FitOptions options = small_fit();
  options.from = &from;
  const Surrogate tuned = *fit(options, train, validation);
  EXPECT_EQ(tuned.network, from.network);
  EXPECT_EQ(tuned.weights.size(), from.weights.size());
  EXPECT_NE(tuned.weights, from.weights);
}

}  // namespace
}  // namespace nouq
