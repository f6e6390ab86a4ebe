// The study: stored results, nothing done twice, and tables.
#include "study/study.h"

#include <gtest/gtest.h>

#include "data/temporary_folder.h"
#include "report/study_table.h"

namespace nouq {
namespace {

StudyOptions smoke() {
  StudyOptions o;
  o.epochs = 1;
  o.samples = 25;
  o.test_samples = 3;
  o.count = 2;
  o.grid = {.width = {4}, .rate = {1e-3}, .dropout = {0.1}, .strength = {0.1, 1}};
  return o;
}

struct Counting final : FitObserver {
  void on_start(Index networks, Index /*epochs*/) override { started += networks; }
  void on_epoch(Index /*n*/, const EpochRecord& /*r*/, Index /*b*/) override { ++epochs; }
  bool should_stop() override { return epochs >= limit; }
  Index started = 0, epochs = 0, limit = 1000;
};

TEST(Study, RunsOnceSharesNetworksAndMakesATable) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 2};
  const StudyCase study_case{"pme", 0, {"bayesian", "ensemble", "diverse"}};
  Counting first, second;
  ASSERT_TRUE(run_case(smoke(), study_case, places, &first));
  EXPECT_EQ(first.started, 4);  // two members, one of them also bayesian's, and two strengths
  ASSERT_TRUE(run_case(smoke(), study_case, places, &second));
  EXPECT_EQ(second.started, 0);
  const auto results = ResultStore(folder / "results").all();
  ASSERT_EQ(results.size(), 3U);
  const ResultJson paper =
      ResultJson::parse(R"({"uq":{"pme":{"large":{"diverse":{"mse":{"mean":0.5,"std":0.1}}}}}})");
  const std::string table = report::table_text(report::study_table(results, "pme", smoke(), paper));
  EXPECT_NE(table.find("0.5"), std::string::npos) << table;
  EXPECT_NE(table.find("ensemble"), std::string::npos);
  EXPECT_THROW(report::study_table(results, "heat", smoke(), {}), Error);
}

TEST(Study, AStoppedCaseGoesOnToTheSameResult) {
  const test::TemporaryFolder a, b;
  const StudyCase study_case{"heat", 1, {"diverse"}};
  ASSERT_TRUE(run_case(smoke(), study_case, {a / "results", a / "models", 1}));
  Counting stopping;
  stopping.limit = 1;
  EXPECT_FALSE(run_case(smoke(), study_case, {b / "results", b / "models", 1}, &stopping));
  EXPECT_TRUE(ResultStore(b / "results").all().empty());
  ASSERT_TRUE(run_case(smoke(), study_case, {b / "results", b / "models", 1}));
  const auto one = ResultStore(a / "results").all().at(0), other = ResultStore(b / "results").all().at(0);
  EXPECT_EQ(one["ranges"], other["ranges"]);
}

TEST(ResultStore, RefusesWhatItDidNotWrite) {
  const test::TemporaryFolder folder;
  const ResultStore store(folder / "");
  store.put({{"a", 1}}, {{"value", 2}});
  EXPECT_TRUE(store.has({{"a", 1}}));
  EXPECT_FALSE(store.has({{"a", 2}}));
  EXPECT_EQ(store.all().at(0)["value"], 2);
  std::ofstream(folder / "0000000000000000.json") << R"({"settings": {"a": 3}})";
  EXPECT_THROW((void)store.all(), Error);
  std::ofstream(folder / "0000000000000000.json") << "{";
  EXPECT_THROW((void)store.all(), Error);
}

}  // namespace
}  // namespace nouq
