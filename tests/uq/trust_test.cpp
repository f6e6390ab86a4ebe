// The witnesses of trust, and the verdict on what they say together.
#include "uq/trust.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nouq/random.h>

#include "support/message.h"

namespace nouq {
namespace {

constexpr double silent = Witnesses::silent;

// A surrogate with one parameter in [2, 3] and one input channel in [0, 1].
Surrogate described() {
  Surrogate s;
  s.method = "diverse";
  s.network.width = 1;
  s.input_channels = {{"k", ""}};
  s.output_channels = {{"u", ""}};
  s.parameter_names = {{"m", ""}};
  s.parameter_range = Array<double>({1, 2}, {2, 3});
  s.input_range = Array<double>({1, 2}, {0, 1});
  return s;
}

// Spread 0.1, 0.2, ... n / 10, the law the other way round, and nothing else.
std::vector<Witnesses> opposed(Index n) {
  std::vector<Witnesses> rows;
  for (Index i = 1; i <= n; ++i)
    rows.push_back({0.1 * static_cast<double>(i), 0.1 * static_cast<double>(n + 1 - i), silent, silent});
  return rows;
}

TrustJudge::Judged judged(const Surrogate& surrogate, const Witnesses& witnesses) {
  const TrustJudge judge(surrogate);
  TrustJudge::Scratch scratch = judge.scratch();
  return judge.judge(witnesses, scratch);
}

TEST(TrustSpread, IsTheSizeOfSigmaInItsUnits) {
  const Array<double> variance({1, 2, 2}, {1, 100, 9, 400});  // sigma 1, 3 and 10, 20
  EXPECT_EQ(spread_unit_of(variance.view()), (std::vector<double>{2, 15}));
  EXPECT_DOUBLE_EQ(spread_in({2, 15}, variance.span()), 1);
  EXPECT_DOUBLE_EQ(spread_in({1, 15}, variance.span()), std::sqrt((4.0 + 1.0) / 2));
  EXPECT_DOUBLE_EQ(spread_in({1, 0}, variance.span()), 2) << "a channel without spread says nothing";
  EXPECT_EQ(spread_in({0, 0}, variance.span()), silent);
}

TEST(TrustNovelty, OutsideOfRanges) {
  const Surrogate s = described();
  const Novelty novelty(s);
  const std::vector<float> inside = {0, 0.5F, 1}, outside = {0, 1.25F, 1};
  const double m = 2.5, far = 6.2;
  EXPECT_EQ(novelty.outside({&m, 1}, inside), 0);
  EXPECT_DOUBLE_EQ(novelty.outside({&far, 1}, inside), 1 + 10 * 3.2);
  EXPECT_DOUBLE_EQ(novelty.outside({}, outside), 1 + 10 * 0.25);
  EXPECT_EQ(novelty.outside_reasons({&far, 1}, outside, 1),
            (std::vector<std::string>{"m = 6.2 is outside 2 to 3"}));
  EXPECT_EQ(novelty.outside_reasons({}, outside, 1),
            (std::vector<std::string>{"k reaches 1.25, outside 0 to 1"}));
  const double near = 3.0004;
  EXPECT_EQ(novelty.outside_reasons({&near, 1}, inside, 1),
            (std::vector<std::string>{"m = 3.0004 is outside 2 to 3"}))
      << "not 'm = 3 is outside 2 to 3'";
  EXPECT_TRUE(novelty.outside_reasons({&m, 1}, inside, 1).empty());
}

// Two hidden numbers, one of them the same for all training inputs: their mean variance v is half that of the
// other, which is whitened by 0.9 * 2 v + 0.1 v, and the one that never varied by 0.1 v.
TEST(TrustNovelty, DistanceToTheNearestByHand) {
  Surrogate s = described();
  s.state["trust.training"] = Array<double>({3, 2}, {-1, 5, 0, 5, 1, 5});  // variances 1 and 0
  const Novelty novelty(s);
  ASSERT_TRUE(novelty.has_distance());
  std::vector<double> room(2);
  const auto distance = [&](double a, double b) { return novelty.distance(std::vector<double>{a, b}, room); };
  EXPECT_EQ(distance(1, 5), 0);
  EXPECT_NEAR(distance(0.5, 5), 0.5 / std::sqrt(0.95), 1e-12) << "a gap between them is noticed";
  EXPECT_NEAR(distance(0, 5.1), 0.1 / std::sqrt(0.05), 1e-12);
  EXPECT_FALSE(std::isfinite(distance(std::nan(""), 5)));
  s.state["trust.training"] = Array<double>({2, 3}, 1.0);
  EXPECT_EQ(test::message_of([&] { (void)Novelty(s); }),
            "'trust.training' of shape [2, 3]: expected [two inputs or more, 2]");
}

// With 16 held out, 16/17 is the level: flagged is what would be the most unusual of all 17.
TEST(TrustVerdict, SixteenHeldOutByHand) {
  EXPECT_EQ(affordable_trust_level(0.95, 16), 16.0 / 17);
  EXPECT_EQ(affordable_trust_level(0.95, 19), 0.95);
  EXPECT_EQ(affordable_trust_level(0.95, 3), 0);
  EXPECT_EQ(affordable_trust_level(0, 100), 0);
  Surrogate s = described();
  calibrate_trust({16.0 / 17, 2}, opposed(16), {1}, s);
  // Both witnesses go up to 1.6. With a new spread of 4 the quantiles are 1.6 and 1.5, the held-out samples
  // are unusual by 1.6 / 1.5 at most, this one by 4 / 1.6.
  const auto one = judged(s, {4, 0.1, silent, silent});
  EXPECT_NEAR(one.score, 4 / 1.6 / (1.6 / 1.5), 1e-12);
  EXPECT_EQ(one.verdict, Verdict::out_of_domain);
  EXPECT_NEAR(one.spread, 4 / 1.6, 1e-12);
  EXPECT_EQ(one.novelty, silent);
  EXPECT_EQ(judged(s, {1.6, 0.1, silent, silent}).verdict, Verdict::in_domain);
  EXPECT_EQ(judged(s, {1.65, 0.1, silent, silent}).verdict, Verdict::in_domain)
      << "1.65 / 1.6 is less than the held-out 1.6 / 1.5";
  // A law that is not heard leaves spread, which is then judged by its own sixteen.
  const auto alone = judged(s, {1.65, silent, silent, silent});
  EXPECT_NEAR(alone.score, 1.65 / 1.6, 1e-12);
  EXPECT_EQ(alone.verdict, Verdict::doubtful);
  EXPECT_EQ(test::message_of([&] { (void)judged(s, {}); }).substr(0, 48),
            "trust: none of the model's witnesses can be hear");
}

// False alarms of new samples like the held-out ones, over many calibrations, with heavy tails and witnesses
// that have nothing to do with each other.
TEST(TrustVerdict, FalseAlarmsAreAsStatedForAnyNumberOfSamplesAndWitnesses) {
  for (const Index held_out : {4, 16, 40}) {
    const double level = affordable_trust_level(0.95, held_out);
    int flagged = 0, flagged_without_law = 0;
    constexpr int trials = 1500;
    for (int trial = 0; trial < trials; ++trial) {
      const Stream random(static_cast<std::uint64_t>(held_out), Purpose::tests,
                          static_cast<std::uint64_t>(trial));
      std::uint64_t next = 0;
      std::vector<Witnesses> rows;
      for (Index i = 0; i <= held_out; ++i) {
        const double law = std::exp(2 * random.normal(++next)), distance = 1 + random.uniform(++next);
        const double outside = random.uniform(++next) < 0.02 ? 1.5 : 0;
        rows.push_back({std::exp(random.normal(++next)), law, distance, outside});
      }
      Witnesses asked = rows.back();
      rows.pop_back();
      Surrogate s = described();
      s.state["trust.training"] = Array<double>({2, 2}, {0, 0, 1, 1});
      calibrate_trust({level, 2}, rows, {1}, s);
      flagged += judged(s, asked).verdict == Verdict::in_domain ? 0 : 1;
      asked.law = silent;
      flagged_without_law += judged(s, asked).verdict == Verdict::in_domain ? 0 : 1;
    }
    const double rate = 1 - level, margin = 4 * std::sqrt(rate * (1 - rate) / trials);
    EXPECT_NEAR(static_cast<double>(flagged) / trials, rate, margin) << held_out;
    EXPECT_NEAR(static_cast<double>(flagged_without_law) / trials, rate, margin) << held_out;
  }
}

TEST(TrustVerdict, AConstantSigmaSaysNothingAndNoSpreadIsNotHeard) {
  std::vector<Witnesses> rows;
  for (int i = 0; i < 20; ++i) rows.push_back({1, 1 + 0.1 * i, silent, 0});
  Surrogate s = described();
  calibrate_trust({}, rows, {1}, s);
  EXPECT_EQ(judged(s, {1, 1, silent, 0}).verdict, Verdict::in_domain);
  EXPECT_EQ(judged(s, {1, 50, silent, 0}).verdict, Verdict::out_of_domain);
  EXPECT_EQ(witness_names(s), (std::vector<std::string>{"spread", "law", "novelty"}));
  for (Witnesses& row : rows) row.spread = silent;
  calibrate_trust({}, rows, {0}, s);
  EXPECT_EQ(witness_names(s), (std::vector<std::string>{"law", "novelty"}));
  EXPECT_EQ(judged(s, {1, 50, silent, 0}).verdict, Verdict::out_of_domain);
  remove_trust(s);
  EXPECT_FALSE(has_trust(s));
}

TEST(TrustVerdict, ReasonsComeInTheOrderOfTheirWeight) {
  std::vector<Witnesses> rows;
  for (int i = 1; i <= 20; ++i) rows.push_back({0.05 * i, 0.05 * i, silent, 0});
  Surrogate s = described();
  calibrate_trust({.level = 20.0 / 21, .far = 2}, rows, {1}, s);
  const TrustJudge judge(s);
  TrustJudge::Scratch scratch = judge.scratch();
  const double mean = 1, variance = 64, m = 6.2;
  const Evidence evidence{{&mean, 1}, {&variance, 1}, {}, {}, {&m, 1}};
  Witnesses heard = judge.witnesses(evidence, scratch);
  heard.law = 12;
  EXPECT_EQ(
      judge.reasons(judge.judge(heard, scratch), evidence, "mass"),
      (std::vector<std::string>{"m = 6.2 is outside 2 to 3", "the mass is off by 12 times what is usual",
                                "the heads disagree 8.0 times as much as on held-out data"}));
  const double none = std::nan("");
  const Evidence broken{{&none, 1}, {&variance, 1}};
  const auto no_number = judge.judge(judge.witnesses(broken, scratch), scratch);
  EXPECT_EQ(no_number.verdict, Verdict::out_of_domain);
  EXPECT_EQ(judge.reasons(no_number, broken, ""),
            (std::vector<std::string>{"the prediction is not a finite number"}));
}

TEST(TrustVerdict, LyingFilesAreRefused) {
  Surrogate s = described();
  calibrate_trust({16.0 / 17, 2}, opposed(16), {1}, s);
  const auto refusal = [&](const char* name, Array<double> value) {
    Surrogate lying = s;
    lying.state[name] = std::move(value);
    return test::message_of([&] { (void)TrustJudge(lying); });
  };
  EXPECT_EQ(refusal("trust.held_out", Array<double>({3, 4})),
            "'trust.held_out' of shape [3, 4]: expected [16 or more, 4] for a level of 0.9411764705882353");
  EXPECT_EQ(refusal("trust.held_out", Array<double>({16, 4}, std::nan(""))),
            "'trust.held_out' has nan: expected a number of at least 0, or -1 for none");
  EXPECT_EQ(refusal("trust.spread_unit", Array<double>({2})),
            "'trust.spread_unit' has 2 numbers: expected 1");
  EXPECT_NE(refusal("trust.level", number(1)), "");
}

}  // namespace
}  // namespace nouq
