#include "data/normalisation.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nouq/random.h>

#include "data/expect_error.h"

namespace nouq {
namespace {

TEST(Normalisation, DoesNothingByDefault) {
  Array<float> field({1, 2, 1}, {3.0F, 4.0F});
  const Normalisation none;
  EXPECT_TRUE(none.is_none());
  none.apply(field.view());
  none.invert(field.view());
  none.invert_variance(field.view());
  EXPECT_EQ(field, Array<float>({1, 2, 1}, {3.0F, 4.0F}));
}

TEST(Normalisation, TakesMeanAndDeviationOfEveryChannel) {
  const Array<float> field({2, 2, 2}, {1, 10, 3, 10, 5, 10, 7, 10});
  const Normalisation fitted = Normalisation::per_channel(field.view());
  EXPECT_EQ(fitted.mean(), (std::vector<double>{4.0, 10.0}));
  EXPECT_DOUBLE_EQ(fitted.deviation()[0], std::sqrt(5.0));
  EXPECT_EQ(fitted.deviation()[1], 1.0) << "a channel that does not vary is only shifted";
}

TEST(Normalisation, OnlyShiftsAConstantChannel) {
  const Array<float> field({100000, 1}, 0.1F);
  EXPECT_EQ(Normalisation::per_channel(field.view()).deviation()[0], 1.0);
}

// A mean that is large beside the deviation: one pass in float would lose everything.
TEST(Normalisation, IsAccurateForSmallDeviationsAboutALargeMean) {
  Array<float> field({40000, 1});
  for (Index i = 0; i < field.size(); ++i) field[i] = 1.0e6F + static_cast<float>(i % 2);
  const Normalisation fitted = Normalisation::per_channel(field.view());
  EXPECT_DOUBLE_EQ(fitted.mean()[0], 1.0e6 + 0.5);
  EXPECT_DOUBLE_EQ(fitted.deviation()[0], 0.5);
}

TEST(Normalisation, AppliedFieldIsStandardAndInvertUndoesIt) {
  Array<float> field({50, 20, 3});
  const Stream stream(1, Purpose::tests);
  for (Index i = 0; i < field.size(); ++i) {
    field[i] =
        static_cast<float>(5.0 + (i % 3) * 2.0 + stream.normal(static_cast<std::uint64_t>(i)) * (1 + i % 3));
  }
  const Array<float> original = field;
  const Normalisation fitted = Normalisation::per_channel(field.view());
  fitted.apply(field.view());
  const Normalisation again = Normalisation::per_channel(field.view());
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(again.mean()[c], 0.0, 1e-7);
    EXPECT_NEAR(again.deviation()[c], 1.0, 1e-7);
  }
  fitted.invert(field.view());
  for (Index i = 0; i < field.size(); ++i) EXPECT_NEAR(field[i], original[i], 4e-6);
}

TEST(Normalisation, VarianceScalesWithTheSquare) {
  Array<float> variance({1, 2}, {1.0F, 2.0F});
  Normalisation({5.0, 6.0}, {2.0, 3.0}).invert_variance(variance.view());
  EXPECT_EQ(variance, Array<float>({1, 2}, {4.0F, 18.0F}));
}

TEST(Normalisation, RefusesWhatDoesNotFit) {
  Array<float> field({2, 3});
  EXPECT_ERROR(Normalisation({0.0}, {1.0}).apply(field.view()),
               "normalisation of 1 channels cannot be used on a field of shape [2, 3]");
  EXPECT_ERROR(Normalisation({0.0}, {0.0}), "the deviation positive");
  EXPECT_ERROR(Normalisation({0.0, 1.0}, {1.0}), "2 means but 1 deviations");
  EXPECT_ERROR(Normalisation::per_channel(Array<float>({0, 2}).view()), "cannot be fitted to an empty field");
}

}  // namespace
}  // namespace nouq
