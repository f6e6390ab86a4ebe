// A study through one pool: every case as if it had been run by itself, and every method written down as soon
// as its networks are there.
#include "paper/run_study.h"

#include <gtest/gtest.h>

#include "data/temporary_folder.h"
#include "paper/small_study.h"

namespace nouq::paper {
namespace {

using test::Counting;
using test::run_case;

StudyOptions tiny() { return test::small_study(2); }

const std::vector<StudyCase> cases = {{"pme", 0, {"bayesian", "ensemble"}}, {"heat", 1, {"diverse"}}};

void expect_the_same(const std::filesystem::path& a, const std::filesystem::path& b) {
  const auto ours = ResultStore(a).all(), theirs = ResultStore(b).all();
  ASSERT_EQ(ours.size(), 3U);
  ASSERT_EQ(theirs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(ours[i]["settings"], theirs[i]["settings"]);
    EXPECT_EQ(ours[i]["ranges"], theirs[i]["ranges"]);
    EXPECT_EQ(ours[i].value("members", ResultJson()), theirs[i].value("members", ResultJson()));
  }
}

TEST(RunStudy, GivesWhatTheCasesGiveByThemselves) {
  const test::TemporaryFolder together, apart;
  Counting first, second;
  const StudyPlaces places{together / "results", together / "models", 2};
  ASSERT_TRUE(run_study(tiny(), cases, places, first));
  EXPECT_EQ(first.started, 4);  // two members, one of them also bayesian's, and two strengths
  EXPECT_EQ(first.epochs, 4 * 2);
  for (const StudyCase& one : cases)
    ASSERT_TRUE(run_case(tiny(), one, {apart / "results", apart / "models", 1}));
  expect_the_same(together / "results", apart / "results");
  ASSERT_TRUE(run_study(tiny(), cases, places, second));
  EXPECT_EQ(second.started, 0);
}

// Diverged trainings are no reason to leave the rest undone; at the end it is said which they were.
TEST(RunStudy, AFailureIsNamedAtTheEnd) {
  const test::TemporaryFolder folder;
  StudyOptions o = tiny();
  o.epochs = 30;
  o.grid.rate = {10};  // too much for a likelihood
  const std::vector<StudyCase> failing = {{"pme", 0, {"variance", "bayesian"}}, {"heat", 1, {"variance"}}};
  struct Listener final : FitObserver {
    void on_finish(Index /*network*/) override { ++finished; }
    int finished = 0;
  } listener;
  try {
    run_study(o, failing, {folder / "results", folder / "models", 1}, listener);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const char* name :
         {"pme, variance, seed 0: selection: none of", "heat, variance, seed 1: selection: none of"})
      EXPECT_NE(text.find(name), std::string::npos) << text;
  }
  EXPECT_EQ(listener.finished, 3);
  const auto results = ResultStore(folder / "results").all();
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0]["settings"]["method"], "bayesian");
}

// Evaluating takes a while: it can be stopped before a method's turn, and goes on without training.
TEST(RunStudy, CanBeStoppedWhileItEvaluates) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 1};
  struct StopAtTheEnd final : FitObserver {
    explicit StopAtTheEnd(int networks) : left(networks) {}
    void on_finish(Index /*network*/) override { --left; }
    bool should_stop() override { return left == 0; }
    int left;
  } stopping(2);
  EXPECT_FALSE(run_study(tiny(), {cases[0]}, places, stopping));
  EXPECT_EQ(ResultStore(places.results).all().size(), 1U) << "bayesian, which needed the first network alone";
  Counting counting;
  ASSERT_TRUE(run_study(tiny(), {cases[0]}, places, counting));
  EXPECT_EQ(counting.epochs, 0);
  EXPECT_EQ(ResultStore(places.results).all().size(), 2U);
}

// A case may need nothing but networks that another case has named before.
TEST(RunStudy, CasesThatShareAllTheirNetworksAreBothEvaluated) {
  const test::TemporaryFolder folder;
  const std::vector<StudyCase> sharing = {{"pme", 0, {"ensemble"}}, {"pme", 0, {"bayesian"}}};
  Counting counting;
  ASSERT_TRUE(run_study(tiny(), sharing, {folder / "results", folder / "models", 1}, counting));
  EXPECT_EQ(counting.started, 2);
  EXPECT_EQ(ResultStore(folder / "results").all().size(), 2U);
}

// Bayesian needs the first of the ensemble's networks alone.
TEST(RunStudy, AStoppedCaseKeepsItsFinishedMethods) {
  const test::TemporaryFolder folder;
  const StudyPlaces places{folder / "results", folder / "models", 1};
  Counting stopping;
  stopping.limit = 3;  // one network of two epochs, and one epoch of the next
  EXPECT_FALSE(run_study(tiny(), {cases[0]}, places, stopping));
  const auto results = ResultStore(places.results).all();
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0]["settings"]["method"], "bayesian");
}

TEST(RunStudy, AStoppedStudyKeepsItsFinishedCasesAndGoesOn) {
  const test::TemporaryFolder stopped, whole;
  const StudyPlaces places{stopped / "results", stopped / "models", 1};
  Counting stopping, going, once;
  stopping.limit = 5;  // pme's two networks of two epochs, and one epoch of heat
  EXPECT_FALSE(run_study(tiny(), cases, places, stopping));
  EXPECT_EQ(ResultStore(stopped / "results").all().size(), 2U);
  ASSERT_TRUE(run_study(tiny(), cases, places, going));
  EXPECT_EQ(going.started, 2);
  EXPECT_LE(going.epochs, 4);
  ASSERT_TRUE(run_study(tiny(), cases, {whole / "results", whole / "models", 1}, once));
  expect_the_same(stopped / "results", whole / "results");
}

}  // namespace
}  // namespace nouq::paper
