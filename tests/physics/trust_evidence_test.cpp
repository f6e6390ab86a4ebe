// The witnesses of trust on data with a law and parameters.
#include "physics/trust_evidence.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nouq/problem.h>

#include "data/generate.h"

namespace nouq {
namespace {

DataSet draw(Shift shift, Index samples) {
  const auto problem = make_problem("pme", {{"nx", "12"}, {"nt", "5"}});
  return generate_data_set(*problem, {samples, 3, problem->range(shift), {}, 1});
}

// The solution times a factor, with a sigma that is the same everywhere.
Prediction scaled(const DataSet& data, double factor, double sigma) {
  Prediction p{truth_of(data), truth_of(data), {}};
  for (double& value : p.mean) value *= factor;
  for (double& value : p.variance) value = sigma * sigma;
  return p;
}

Surrogate described(const DataSet& data) {
  Surrogate s;
  s.method = "diverse";
  s.input_channels = data.input_channels;
  s.output_channels = data.output_channels;
  s.parameter_names = data.parameter_names;
  s.parameter_range = Array<double>({1, 2}, {2, 3});
  s.laws = data.laws;
  return s;
}

TEST(TrustEvidence, HearsLawAndParametersWhereTheyAreKnown) {
  const DataSet held_out = draw(Shift::in_domain, 40), shifted = draw(Shift::large, 3);
  Surrogate surrogate = described(held_out);
  calibrate_trust({}, held_out, scaled(held_out, 1.001, 0.01), surrogate);
  ASSERT_TRUE(surrogate.state.contains("trust.law.mass"));
  EXPECT_EQ(surrogate.state.at("trust.law.mass")[1], 5) << "a row for each time";
  const auto at_home = trust(surrogate, held_out, scaled(held_out, 1.001, 0.01));
  Index flagged = 0;
  for (const Trust& one : at_home) flagged += one.verdict == Verdict::in_domain ? 0 : 1;
  EXPECT_LE(flagged, 2) << "of the forty it was calibrated on";
  EXPECT_TRUE(at_home.front().reasons.empty());

  const auto far = trust(surrogate, shifted, scaled(shifted, 1.05, 0.03));
  EXPECT_EQ(far[0].verdict, Verdict::out_of_domain);
  EXPECT_NEAR(*far[0].spread, 3, 1e-9) << "three times the sigma of every held-out sample";
  EXPECT_GT(*far[0].law, 2);
  ASSERT_EQ(far[0].reasons.size(), 3U);
  std::string all;
  for (const std::string& reason : far[0].reasons) all += reason + "\n";
  EXPECT_NE(all.find(" is outside 2 to 3\n"), std::string::npos) << all;
  EXPECT_NE(all.find("the mass is off by "), std::string::npos) << all;
  EXPECT_NE(all.find("the heads disagree 3.0 times as much as on held-out data\n"), std::string::npos) << all;

  DataSet nothing_known = shifted;
  nothing_known.constraint_values.clear();
  nothing_known.parameters = {};
  nothing_known.parameter_names.clear();
  const auto alone = trust(surrogate, nothing_known, scaled(shifted, 1.05, 0.01));
  EXPECT_FALSE(alone[0].law.has_value());
  EXPECT_EQ(alone[0].verdict, Verdict::in_domain) << "a sigma as always, and nothing else is heard";

  Prediction broken = scaled(shifted, 1, 0.01);
  broken.mean[7] = std::nan("");
  EXPECT_EQ(trust(surrogate, shifted, broken)[0].verdict, Verdict::out_of_domain);
  calibrate_trust({.level = 0}, held_out, scaled(held_out, 1, 0.01), surrogate);
  EXPECT_FALSE(has_trust(surrogate));
}

}  // namespace
}  // namespace nouq
