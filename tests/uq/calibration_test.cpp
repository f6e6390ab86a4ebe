// Conformal bands and the trust score.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <nouq/random.h>

#include "uq/conformal.h"
#include "uq/quantile.h"
#include "uq/trust.h"

namespace nouq {
namespace {

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ConformalQuantile, HandComputedRanksAndTooFewSamples) {
  EXPECT_EQ(conformal_quantile({4, 1, 3, 2}, 0.5, "x"), 3);  // ceil(5 * 0.5) = 3rd
  EXPECT_EQ(conformal_quantile({4, 1, 3, 2}, 0.8, "x"), 4);  // ceil(5 * 0.8) = 4th
  EXPECT_EQ(conformal_quantile(std::vector<double>(19, 2.0), 0.95, "x"), 2.0);
  EXPECT_EQ(
      message([] { conformal_quantile(std::vector<double>(18), 0.95, "conformal bands"); }),
      "conformal bands: 18 held-out samples are too few for a coverage of 0.95; at least 19 are needed");
  EXPECT_EQ(message([] { conformal_quantile({1}, 1.0, "conformal bands"); }),
            "conformal bands: coverage = 1, expected more than 0 and less than 1");
}

TEST(ConformalQuantile, SamplesNeededAreJustEnough) {
  EXPECT_EQ(samples_needed(0.5), 1);
  EXPECT_EQ(samples_needed(0.9), 9);
  EXPECT_EQ(samples_needed(0.95), 19);
  EXPECT_EQ(samples_needed(0.99), 99);
  for (const double level : {0.01, 0.3, 0.77, 0.9, 0.95, 0.99, 0.999}) {
    const std::size_t needed = samples_needed(level);
    EXPECT_NO_THROW(conformal_quantile(std::vector<double>(needed), level, "x")) << level;
    EXPECT_THROW(conformal_quantile(std::vector<double>(needed - 1), level, "x"), Error) << level;
  }
  EXPECT_EQ(message([] { (void)samples_needed(1); }), "level = 1: expected more than 0 and less than 1");
}

struct Fields {
  Array<double> mean, variance, truth;
};

// Errors far from Gaussian, correlated over the field, of a size the variance only ranks: exchangeable all
// the same.
Fields exchangeable(Index samples, std::uint64_t seed) {
  const Index points = 40;
  Fields f{Array<double>({samples, points, 1}), Array<double>({samples, points, 1}),
           Array<double>({samples, points, 1})};
  for (Index s = 0; s < samples; ++s) {
    const Stream stream(seed, Purpose::tests, static_cast<std::uint64_t>(s));
    const double size = 0.1 + stream.uniform(0), common = std::pow(stream.normal(1), 3);
    for (Index p = 0; p < points; ++p) {
      const Index i = s * points + p;
      f.mean[i] = std::sin(static_cast<double>(p));
      f.variance[i] = size * size * (1.0 + 0.5 * std::cos(static_cast<double>(p)));
      f.truth[i] = f.mean[i] + size * (common + stream.normal(static_cast<std::uint64_t>(p) + 2));
    }
  }
  return f;
}

class ConformalCoverage : public testing::TestWithParam<ConformalKind> {};

// 1000 held-out and 1000 new samples; coverage of one draw scatters by about 1.3 points, so five are
// averaged.
TEST_P(ConformalCoverage, IsWithinTwoPointsOfNominal) {
  for (const double nominal : {0.8, 0.9, 0.95}) {
    double mean = 0;
    for (std::uint64_t draw = 0; draw < 5; ++draw) {
      const Fields held_out = exchangeable(1000, 2 * draw), fresh = exchangeable(1000, 2 * draw + 1);
      const Conformal c = calibrate_conformal(GetParam(), nominal, held_out.mean.view(),
                                              held_out.variance.view(), held_out.truth.view());
      mean += band_coverage(c, fresh.mean.view(), fresh.variance.view(), fresh.truth.view()) / 5;
    }
    EXPECT_NEAR(mean, nominal, 0.02);
  }
}
INSTANTIATE_TEST_SUITE_P(Kinds, ConformalCoverage,
                         testing::Values(ConformalKind::whole_field, ConformalKind::pointwise),
                         [](const auto& test) {
                           return test.param == ConformalKind::pointwise ? "pointwise" : "whole_field";
                         });

TEST(Conformal, HalfWidthIsFactorTimesSigmaAndSurvivesTheSurrogate) {
  Conformal c{0.9, {0.5}, number(3.0)};
  const Array<double> variance({1, 2}, {4.0, 0.01});
  const Array<double> width = half_width(c, variance.view());
  EXPECT_EQ(width[0], 6.0);
  EXPECT_EQ(width[1], 1.5);  // the floor
  Surrogate s;
  EXPECT_FALSE(has_conformal(s));
  store(c, s);
  EXPECT_TRUE(has_conformal(s));
  EXPECT_EQ(conformal_of(s).factor, c.factor);
}

// Two channels, one ten thousand times as large: the small one's least sigma is its own.
TEST(Conformal, EveryChannelHasALeastSigmaOfItsOwn) {
  const Array<double> mean({9, 4, 2}, 0.0), truth({9, 4, 2}, 1e-3);
  Array<double> variance({9, 4, 2});
  for (Index i = 0; i < variance.size(); ++i) variance[i] = i % 2 == 0 ? 1e8 : 1.0;
  const Conformal c =
      calibrate_conformal(ConformalKind::whole_field, 0.9, mean.view(), variance.view(), truth.view());
  ASSERT_EQ(c.floor.size(), 2U);
  EXPECT_NEAR(c.floor[0], 10, 1e-9);
  EXPECT_NEAR(c.floor[1], 1e-3, 1e-12);
  EXPECT_NEAR(c.factor[0], 1e-3, 1e-12) << "the error of the small channel in its own sigma";
}

TEST(Conformal, PointwiseBandsAreForTheirOwnGrid) {
  const Conformal c{0.9, {0.0}, Array<double>({2, 3, 1}, 1.0)};
  EXPECT_TRUE(fits(c, {5, 2, 3, 1}));
  EXPECT_FALSE(fits(c, {5, 3, 2, 1})) << "as many points";
  EXPECT_TRUE(fits({0.9, {0.0}, number(1)}, {5, 3, 2, 1})) << "bands for whole fields";
  const Array<double> turned({5, 3, 2, 1}, 1.0);
  EXPECT_EQ(
      message([&] { half_width(c, turned.view()); }),
      "conformal: bands were calibrated on fields of shape [2, 3, 1], the prediction has shape [5, 3, 2, "
      "1]");
}

// Models of before: |sigma| / |mu| over its quantile.
TEST(Trust, OldModelsKeepTheirScore) {
  Surrogate surrogate;
  surrogate.method = "diverse";
  EXPECT_EQ(message([&] { TrustJudge{surrogate}; }),
            "the model has no trust calibration; it was fitted without held-out samples");
  surrogate.state["trust.reference"] = number(0.19);
  surrogate.state["trust.far"] = number(2);
  const TrustJudge judge(surrogate);
  TrustJudge::Scratch scratch = judge.scratch();
  const auto score = [&](double mean, double variance) {
    return judge.judge(judge.witnesses({{&mean, 1}, {&variance, 1}}, scratch), scratch);
  };
  const double none = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  for (const auto& [mean, variance] :
       {std::pair{none, 0.01}, std::pair{1.0, none}, std::pair{infinite, 0.01}})
    EXPECT_EQ(score(mean, variance).verdict, Verdict::out_of_domain)
        << "what is no number must not be trusted";
  EXPECT_NEAR(score(1, 0.01).score, 0.1 / 0.19, 1e-12);
  EXPECT_EQ(score(1, 0.01).verdict, Verdict::in_domain);
  EXPECT_EQ(score(1, 0.09).verdict, Verdict::doubtful);
  EXPECT_EQ(score(1, 0.25).verdict, Verdict::out_of_domain);
  EXPECT_EQ(score(0, 0.01).verdict, Verdict::out_of_domain) << "no field at all, but uncertain";
  EXPECT_EQ(name(score(0, 0.01).verdict), "out-of-domain");
  const double mean = 1, variance = 0.1444;  // sigma / mu is 0.38, twice the reference
  const Evidence evidence{{&mean, 1}, {&variance, 1}};
  EXPECT_EQ(judge.reasons(score(mean, variance), evidence, ""),
            (std::vector<std::string>{
                "the heads disagree 2.0 times as much, relative to the field, as on held-out data"}));
}

TEST(Trust, AurocOfHandComputedScores) {
  EXPECT_EQ(auroc({1, 2, 3}, {4, 5}), 1.0);
  EXPECT_EQ(auroc({4, 5}, {1, 2, 3}), 0.0);
  EXPECT_EQ(auroc({1, 2}, {1, 2}), 0.5);
  EXPECT_DOUBLE_EQ(auroc({1, 2, 3}, {2, 4}), (1.5 + 3.0) / 6.0);
  EXPECT_THROW(auroc({}, {1}), Error);
}

}  // namespace
}  // namespace nouq
