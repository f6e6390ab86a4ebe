// Tables over all problems of a study, from results made up by hand.
#include <cmath>

#include <gtest/gtest.h>

#include "paper/made_up_results.h"
#include "paper/study_table.h"

namespace nouq::test {
namespace {

using namespace nouq::paper;  // NOLINT: the tests are about nothing else

TEST(ClaimsTables, CompareMethodsAsThePaperDoes) {
  const StudyOptions o = small_study();
  const ResultJson theirs = ResultJson::parse(R"({
    "uq": {"heat": {"medium": {"bayesian": {"nmerci": {"mean": 0.9}}, "dropout": {"nmerci": {"mean": 0.7}},
                               "diverse": {"nmerci": {"mean": 0.03}}},
                    "large": {"bayesian": {"nmerci": {"mean": 0.9}}, "dropout": {"nmerci": {"mean": 0.7}},
                              "variance": {"nmerci": {"mean": 0.8}},
                              "diverse": {"nmerci": {"mean": 0.03}, "mse": {"mean": 3.0}},
                              "ensemble": {"mse": {"mean": 2.0}}}}},
    "probconserv": {"heat": {"large": {"diverse": {"mse": {"mean": 4.0}, "mse_pc": {"mean": 1.0},
                                                   "ce_pc": {"mean": 0.02}}}}}})");
  ResultJson bayesian = made_up_result(o, "heat", "bayesian", 0, 1), dropout = bayesian;
  dropout["settings"] = result_settings(o, {"heat", 0, {}}, "dropout");
  dropout["ranges"]["large"]["metrics"]["none"]["nmerci"] = 0.15;
  std::vector<ResultJson> all = {bayesian, dropout, made_up_result(o, "heat", "diverse", 0, 3e-6),
                                 made_up_result(o, "heat", "ensemble", 0, 2e-6)};
  EXPECT_EQ(claims_tables({all, o, theirs}).size(), 3U) << "without variance nobody knows the best cheap one";
  all.push_back(made_up_result(o, "heat", "variance", 0, 1));
  const StudyResults results(all, o, theirs);
  const std::vector<Table> tables = claims_tables(results);
  ASSERT_EQ(tables.size(), 4U);
  for (const Table& table : tables) EXPECT_NO_THROW(validate(table));
  const Row& diverse = tables[0].groups[0].rows.at(1);
  EXPECT_EQ(diverse[1].text, "diverse");
  EXPECT_NEAR(*diverse[2].value, 1.0, 1e-12);
  EXPECT_NEAR(*diverse[4].value, 0.5, 1e-12) << "dropout is the best cheap one";
  EXPECT_EQ(diverse[4].reference, 23) << "0.7 / 0.03, in two digits";
  EXPECT_FALSE(diverse[2].reference);
  EXPECT_FALSE(diverse[3].reference)
      << "the paper has no variance there: its best of two is no best of three";
  EXPECT_NE(tables[0].caption.find("ensemble in 0 of 3 cases, diverse in 0 of 3"), std::string::npos)
      << tables[0].caption;
  const Row& rivals = tables[1].groups[0].rows.at(0);
  EXPECT_NEAR(*rivals[5].value, 1.5, 1e-12);
  EXPECT_EQ(rivals[5].reference, 1.5);
  const Row& law = tables[2].groups[0].rows.at(4);
  EXPECT_EQ(law[1].text, "diverse");
  EXPECT_EQ(law[4].value, 0.0);
  EXPECT_EQ(law[4].reference, 0.02);
  EXPECT_FALSE(law[7].reference) << "the paper knows no bounds";
  const Row& helped = tables[3].groups[0].rows.at(4);
  EXPECT_EQ(helped[1].text, "diverse");
  EXPECT_NEAR(*helped[4].value, 0.5, 1e-12);
  EXPECT_EQ(helped[4].reference, 0.25);
  EXPECT_NEAR(*helped[7].value, 0.5, 1e-12);
  EXPECT_NE(tables[3].caption.find("diverse in 3 of 3; the bounded one bayesian in 3 of 3 cases"),
            std::string::npos)
      << tables[3].caption;
  EXPECT_TRUE(claims_tables({{made_up_result(o, "darcy", "diverse", 0, 1)}, o, {}}).size() == 2)
      << "projections, and nobody to compare with";
}

// A study that chooses from two strengths.
StudyOptions choosing() {
  StudyOptions o = small_study();
  o.grid.strength = {1.0, 10.0};
  return o;
}

TEST(ClaimsTables, SetTheStrengthOfTrainingBesideTheChosenOne) {
  std::vector<ResultJson> all = {made_up_result(choosing(), "heat", "diverse", 0, 3e-6),
                                 made_up_result(choosing(), "heat", "ensemble", 0, 2e-6),
                                 made_up_result(small_study(), "heat", "diverse", 0, 1e-6)};
  const std::vector<Table> tables = claims_tables({all, choosing(), {}});
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(StudyResults(all, choosing(), {}).contenders("heat"),
            (std::vector<std::string>{"ensemble", "diverse", "diverse (lambda = 1)"}));
  const std::vector<Row>& rivals = tables[0].groups[0].rows;
  ASSERT_EQ(rivals.size(), 2U);
  EXPECT_EQ(rivals[1][1].text, "diverse (lambda = 1)");
  EXPECT_NEAR(*rivals[0][2].value, 1.5, 1e-12);
  EXPECT_NEAR(*rivals[1][2].value, 0.5, 1e-12);
  EXPECT_NE(tables[0].caption.find("'diverse (lambda = 1)' that of nouq train"), std::string::npos);
  EXPECT_EQ(tables[2].groups[0].rows.size(), 3U) << "it is projected, too";
}

// Its mean over other seeds would not be comparable; and where a study has but this strength it is no other.
TEST(ClaimsTables, HaveNoSecondDiverseOfOtherSeedsOrOfTheSameStrength) {
  const std::vector<ResultJson> all = {made_up_result(choosing(), "heat", "diverse", 0, 3e-6),
                                       made_up_result(small_study(), "heat", "diverse", 1, 1e-6)};
  EXPECT_EQ(StudyResults(all, choosing(), {}).contenders("heat"), (std::vector<std::string>{"diverse"}));
  EXPECT_EQ(StudyResults(all, small_study(), {}).contenders("heat"), (std::vector<std::string>{"diverse"}));
  StudyOptions other = small_study();
  other.grid.strength = {10.0};
  const std::vector<ResultJson> both = {made_up_result(other, "heat", "diverse", 1, 3e-6), all[1]};
  EXPECT_EQ(StudyResults(both, other, {}).contenders("heat"), (std::vector<std::string>{"diverse"}))
      << "nothing was chosen";
}

TEST(TrustTable, ShowsTheScoreUnderShiftFalseAlarmsAndBands) {
  std::vector<ResultJson> all = {made_up_result(small_study(), "heat", "diverse", 0, 1),
                                 made_up_result(small_study(), "heat", "diverse", 1, 1),
                                 made_up_result(small_study(), "pme", "diverse", 0, 1)};
  EXPECT_FALSE(has_rows(trust_table({all, small_study(), {}})));
  double value = 0;
  for (const Shift shift : all_shifts) {
    for (const char* entry : {"trust_auroc", "flagged", "band_coverage"})
      all[0]["ranges"][to_string(shift)][entry] = all[1]["ranges"][to_string(shift)][entry] = value += 0.0625;
  }
  all[1]["ranges"]["large"]["band_coverage"] = 0.25;
  const Table table = trust_table({all, small_study(), {}});
  EXPECT_NO_THROW(validate(table));
  EXPECT_EQ(table.caption.find("different seeds"), std::string::npos) << table.caption;
  ASSERT_EQ(table.groups[0].rows.size(), 1U) << "pme has none of it";
  std::vector<double> values;
  for (const Cell& cell : table.groups[0].rows[0]) values.push_back(cell.value.value_or(-1));
  EXPECT_EQ(values, (std::vector<double>{-1, -1, 0.25, 0.4375, 0.625, 0.125, 0.1875, 0.375, 0.5625, 0.5}));
  EXPECT_EQ(table.groups[0].rows[0][9].spread, std::sqrt(0.125));
  all.push_back(made_up_result(small_study(), "heat", "ensemble", 0, 1));
  EXPECT_NE(trust_table({all, small_study(), {}}).caption.find("different seeds on heat."),
            std::string::npos);
}

TEST(StrengthTable, HasARowPerSeedAndMarksTheChosenStrength) {
  std::vector<ResultJson> all = {made_up_result(choosing(), "heat", "diverse", 0, 1e-6),
                                 made_up_result(choosing(), "heat", "diverse", 1, 2e-6),
                                 made_up_result(small_study(), "pme", "diverse", 0, 1)};
  all[1]["trials"].push_back(all[0]["trials"][1]);
  all[1]["trials"][1]["validation_mse"] = nullptr;  // diverged
  all[1]["trials"][2]["strength"] = 100.0;
  all[1]["trials"].push_back(all[0]["trials"][1]);
  all[1]["trials"][3]["width"] = 8;
  all[1]["trials"][3]["strength"] = 1000.0;
  const Table table = strength_table({all, choosing(), {}});
  EXPECT_NO_THROW(validate(table));
  EXPECT_EQ(table.columns.back().header, "100") << "1000 was tried with another width";
  EXPECT_NE(table_text(table).find("2.00e-6*"), std::string::npos) << table_text(table);
  std::vector<std::vector<double>> values;
  std::vector<std::vector<bool>> marks;
  for (const Row& row : table.groups[0].rows) {
    values.emplace_back();
    marks.emplace_back();
    for (const Cell& cell : row) {
      const double value = cell.value.value_or(-1);
      values.back().push_back(std::isnan(value) ? -2 : value);
      marks.back().push_back(cell.best);
    }
  }
  EXPECT_EQ(values, (std::vector<std::vector<double>>{{-1, -1, 1e-6, 1e-6, -1}, {-1, -1, 2e-6, -2, 1e-6}}));
  EXPECT_EQ(marks, (std::vector<std::vector<bool>>(2, {false, false, true, false, false})));
  EXPECT_FALSE(has_rows(strength_table({all, small_study(), {}}))) << "one strength is no choice";
}

}  // namespace
}  // namespace nouq::test
