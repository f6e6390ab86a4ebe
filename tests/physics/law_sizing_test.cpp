// The size of sigma by the law: a hand-worked case, what stays as it is, and several laws.
#include "physics/law_sizing.h"

#include <cmath>

#include <gtest/gtest.h>

#include "uq/sizing.h"

namespace nouq {
namespace {

// One axis of three points with weights 0.5, 1, 0.5, one time; n samples of fields of ones whose mass is 2.
DataSet fields(Index n) {
  DataSet data;
  data.grid = {{"x", "", {0, 1, 2}}, {"t", "", {0}}};
  data.input_channels = {{"a", ""}};
  data.output_channels = {{"u", ""}};
  data.inputs = Array<float>({n, 3, 1, 1});
  data.outputs = Array<float>({n, 3, 1, 1}, std::vector<float>(3 * n, 1.0F));
  data.constraint_values["mass"] = Array<double>({n, 1}, std::vector<double>(n, 2.0));
  return data;
}

// A mean that is too large by `error` everywhere, so that the mass is off by 2 error.
Prediction off_by(const std::vector<double>& errors, double variance) {
  Prediction p{
      Array<double>({std::ssize(errors), 3, 1, 1}), Array<double>({std::ssize(errors), 3, 1, 1}), {}};
  for (Index i = 0; i < p.mean.size(); ++i) {
    p.mean[i] = 1 + errors[i / 3];
    p.variance[i] = variance;
  }
  return p;
}

Surrogate surrogate_for(const DataSet& data) {
  Surrogate surrogate;
  surrogate.grid = data.grid;
  surrogate.output_channels = data.output_channels;
  return surrogate;
}

TEST(LawSizing, TheFactorByHand) {
  Surrogate surrogate = surrogate_for(fields(3));
  calibrate_law_sizing(fields(3), off_by({0.1, -0.2, 0.15}, 0.25), surrogate);
  EXPECT_TRUE(has_law_sizing(surrogate));
  // Reference: the greatest of three, (2 * 0.2)^2 = 0.16. Coherent errors of 0.5 at every point give the mass
  // a standard deviation of 1.
  const auto factors = law_factors(surrogate, fields(2), off_by({0.2, 1.0}, 0.25));
  EXPECT_NEAR(factors[0], 1, 1e-12);
  EXPECT_NEAR(factors[1], 1 + (4 - 0.16) / (law_coherence * 1), 1e-12);
}

TEST(LawSizing, VarianceAndSamplesFollow) {
  Surrogate surrogate = surrogate_for(fields(2));
  calibrate_law_sizing(fields(2), off_by({0.1, 0.1}, 0.25), surrogate);
  Prediction p = off_by({1.0}, 0.25);
  p.samples = Array<double>({1, 2, 3, 1, 1}, {1.5, 1.5, 1.5, 2.5, 2.5, 2.5});
  const double factor = law_factors(surrogate, fields(1), p)[0];
  size_by_law(surrogate, fields(1), p);
  EXPECT_GT(factor, 5);
  EXPECT_NEAR(p.variance[1], 0.25 * factor, 1e-12);
  EXPECT_NEAR(p.samples[0], 2 - 0.5 * std::sqrt(factor), 1e-12);
}

TEST(LawSizing, WithoutValuesOrOnAnotherGridNothingChanges) {
  Surrogate surrogate = surrogate_for(fields(2));
  const Prediction p = off_by({1.0}, 0.25);
  EXPECT_EQ(law_factors(surrogate, fields(1), p), std::vector<double>{1});
  calibrate_law_sizing(fields(2), off_by({0.1, 0.1}, 0.25), surrogate);
  DataSet silent = fields(1);
  silent.constraint_values.clear();
  EXPECT_EQ(law_factors(surrogate, silent, p), std::vector<double>{1});
  surrogate.state["sizing.law.mass"][1] = 2;  // rows
  EXPECT_EQ(law_factors(surrogate, fields(1), p), std::vector<double>{1});
}

TEST(LawSizing, WithoutSpreadThereIsNothingToScale) {
  Surrogate surrogate = surrogate_for(fields(2));
  calibrate_law_sizing(fields(2), off_by({0.1, 0.1}, 0.25), surrogate);
  EXPECT_EQ(law_factors(surrogate, fields(1), off_by({1.0}, 0)), std::vector<double>{1});
}

TEST(LawSizing, OfSeveralLawsTheOneThatAsksForMostCounts) {
  DataSet two = fields(2);
  two.laws["second"] = {{"x"}, 0};
  two.constraint_values["second"] = Array<double>({2, 1}, {2.0, 2.0});
  Surrogate surrogate = surrogate_for(two);
  calibrate_law_sizing(two, off_by({0.1, 0.1}, 0.25), surrogate);
  DataSet one = select(two, {0});
  one.constraint_values["second"][0] = 5;  // the mean's integral is 4: off by 1, the first law by 2
  const auto factors = law_factors(surrogate, one, off_by({1.0}, 0.25));
  EXPECT_NEAR(factors[0], 1 + (4 - 0.04) / law_coherence, 1e-12);
}

}  // namespace
}  // namespace nouq
