// The loop with the solver.
#include <atomic>
#include <cmath>

#include <gtest/gtest.h>
#include <nouq/improve.h>
#include <nouq/train.h>

#include "data/temporary_folder.h"
#include "support/message.h"

namespace nouq {
namespace {

// u(x) = a sin(3 x) + b x + 1.
double solution(double a, double b, double x) { return a * std::sin(3 * x) + b * x + 1; }

SolverAnswer solve(const SolverRun& run) {
  const double a = run.question.parameters[0], b = run.question.parameters[1];
  Array<double> u({16});
  for (Index i = 0; i < 16; ++i) u[i] = solution(a, b, static_cast<double>(i) / 15);
  return {std::move(u)};
}

// On the lower left quarter of the unit square.
DataSet beginning() {
  DataSet data;
  data.grid = {{"x", "", linspace(0, 1, 16)}};
  data.input_channels = data.parameter_names = {{"a", ""}, {"b", ""}};
  data.output_channels = {{"u", ""}};
  data.inputs = Array<float>({9, 16, 2});
  data.outputs = Array<float>({9, 16, 1});
  data.parameters = Array<double>({9, 2});
  for (Index s = 0; s < 9; ++s) {
    const double a = data.parameters[2 * s] = 0.1 + 0.2 * static_cast<double>(s % 3);
    const double b = data.parameters[2 * s + 1] = 0.1 + 0.2 * static_cast<double>(s / 3);
    for (Index i = 0; i < 16; ++i) {
      data.inputs[(s * 16 + i) * 2] = static_cast<float>(a);
      data.inputs[(s * 16 + i) * 2 + 1] = static_cast<float>(b);
      data.outputs[s * 16 + i] = static_cast<float>(solution(a, b, static_cast<double>(i) / 15));
    }
  }
  return data;
}

ImproveSettings small() {
  ImproveSettings settings;
  settings.ranges = {{"a", 0, 1}, {"b", 0, 1}};
  settings.budget = 11;
  settings.batch = 5;
  settings.among = 64;
  settings.train.epochs = 6;
  settings.train.threads = 1;
  settings.train.cross_folds = 0;
  settings.train.options = {{"width", 4}, {"count", 2}, {"modes", 4}};
  return settings;
}

std::string bits(const Model& model, const test::TemporaryFolder& folder) {
  model.save((folder / "bits.nouq").string());
  return test::read_all(folder / "bits.nouq");
}

TEST(Improve, GoesOnUntilTheBudgetIsUsed) {
  std::vector<Index> runs;
  ImproveProgress progress;
  progress.on_round = [&](const ImproveRound& round) { runs.push_back(round.runs); };
  const Improved done = improve(beginning(), small(), solve, progress);
  EXPECT_EQ(runs, (std::vector<Index>{0, 5, 10, 11}));
  EXPECT_FALSE(done.reached);
  EXPECT_EQ(done.data.size(), 9 + 11);
  ASSERT_EQ(done.rounds.size(), 4U);
  EXPECT_EQ(done.rounds.back().samples, 20);
  EXPECT_EQ(done.rounds.back().held_out, 2 + 2) << "a fifth of the beginning, and of the runs";
  for (Index i = 9; i < 20; ++i) {
    const double a = done.data.parameters[2 * i], b = done.data.parameters[2 * i + 1];
    EXPECT_TRUE(a >= 0 && a <= 1 && b >= 0 && b <= 1);
    EXPECT_FLOAT_EQ(done.data.outputs[i * 16 + 7], static_cast<float>(solution(a, b, 7.0 / 15)));
  }
}

TEST(Improve, StopsWhenTheTargetIsMet) {
  ImproveSettings settings = small();
  settings.target = 10;
  settings.trusted = 0;
  int calls = 0;
  const Improved done = improve(beginning(), settings, [&](const SolverRun& run) {
    ++calls;
    return solve(run);
  });
  EXPECT_TRUE(done.reached);
  EXPECT_EQ(calls, 0);
  settings.trusted = 1;
  EXPECT_GT(improve(beginning(), settings, solve).rounds.size(), 1U)
      << "not all of the square is in domain at first";
}

TEST(Improve, IsTheSameForAnyNumberOfJobsAndOverAnyInterruption) {
  const test::TemporaryFolder folder;
  for (const std::string retrain : {"anew", "last"}) {
    ImproveSettings settings = small();
    settings.retrain = retrain;
    settings.folder = (folder / (retrain + ".whole")).string();
    const Improved whole = improve(beginning(), settings, solve);
    settings.jobs = 3;
    settings.folder = (folder / (retrain + ".parts")).string();
    int interruptions = 0;
    for (bool ended = false; !ended;) {  // at each run, and in each training
      std::atomic<int> calls = 0;
      ImproveProgress progress;
      progress.should_stop = [&] { return calls >= 2; };
      progress.training.on_epoch = [&](const EpochReport&) { return ++calls < 4; };
      try {
        const Improved parts = improve(
            beginning(), settings,
            [&](const SolverRun& run) {
              ++calls;
              return solve(run);
            },
            progress);
        ended = true;
        EXPECT_EQ(parts.data, whole.data);
        EXPECT_TRUE(bits(parts.model, folder) == bits(whole.model, folder));
      } catch (const Cancelled&) {
        ASSERT_LT(++interruptions, 200);
      }
    }
    EXPECT_GT(interruptions, 10);
    const Improved again = improve(beginning(), settings, [](const SolverRun&) -> SolverAnswer {
      ADD_FAILURE() << "all is done";
      return {};
    });
    EXPECT_EQ(again.data, whole.data);
    settings.budget = 13;
    EXPECT_EQ(improve(beginning(), settings, solve).data.size(), 9 + 13) << "a larger budget goes on";
  }
}

TEST(Improve, RunsThatFailAreTriedAgainAndThenSetAside) {
  ImproveSettings settings = small();
  settings.retries = 2;
  std::vector<std::string> failures;
  ImproveProgress progress;
  progress.on_run = [&](Index run, Index attempt, const std::string& failure) {
    if (!failure.empty())
      failures.push_back(std::to_string(run) + "." + std::to_string(attempt) + " " + failure);
  };
  const Improved done = improve(
      beginning(), settings,
      [](const SolverRun& run) {
        if (run.number == 1 && run.attempt < 2) throw std::runtime_error("bad luck");
        SolverAnswer answer = solve(run);
        if (run.number == 3) answer.outputs[5] = std::nan("");
        return answer;
      },
      progress);
  ASSERT_EQ(failures.size(), 5U);
  EXPECT_EQ(failures[0], "1.0 bad luck");
  ASSERT_EQ(done.set_aside.size(), 1U);
  EXPECT_EQ(done.set_aside[0].run, 3);
  EXPECT_EQ(done.set_aside[0].parameters.size(), 2U);
  EXPECT_NE(done.set_aside[0].reason.find("not finite"), std::string::npos) << done.set_aside[0].reason;
  EXPECT_EQ(done.data.size(), 9 + 10);
  EXPECT_EQ(done.rounds.back().runs, 11);
}

TEST(Improve, ABatchOfWhichNothingIsLeftIsAnErrorAndTriedAgain) {
  const test::TemporaryFolder folder;
  ImproveSettings settings = small();
  settings.folder = (folder / "state").string();
  EXPECT_EQ(test::message_of([&] {
              (void)improve(beginning(), settings,
                            [](const SolverRun&) -> SolverAnswer { throw std::runtime_error("no licence"); });
            }),
            "none of the 5 runs of a batch could be used; run 0: no licence");
  EXPECT_EQ(improve(beginning(), settings, solve).data.size(), 9 + 11);
}

TEST(Improve, TakesFieldsAndAModel) {
  DataSet data = beginning(), pool = beginning();
  pool.outputs = {};
  for (DataSet* one : {&data, &pool}) {
    one->parameters = {};
    one->parameter_names = {};
  }
  for (float& value : pool.inputs) value *= 1.5F;
  ImproveSettings settings = small();
  settings.ranges.clear();
  settings.candidates = pool;
  settings.budget = 20;
  int rounds = 0;
  ImproveProgress progress;
  progress.on_round = [&](const ImproveRound&) { ++rounds; };
  const auto solver = [](const SolverRun& run) {
    Array<double> u({16, 1});
    for (Index i = 0; i < 16; ++i)
      u[i] = solution(double(run.question.inputs[2 * i]), double(run.question.inputs[2 * i + 1]),
                      double(i) / 15);
    return SolverAnswer{std::move(u)};
  };
  const Improved done = improve(data, settings, solver, progress, train(data, settings.train));
  EXPECT_EQ(done.data.size(), 9 + 9) << "no more candidates than there are";
  EXPECT_EQ(rounds, 3);
}

TEST(Improve, MistakesAreNamed) {
  const auto message = [](const std::function<void(ImproveSettings&)>& change) {
    ImproveSettings settings = small();
    change(settings);
    return test::message_of([&] { (void)improve(beginning(), settings, solve); });
  };
  EXPECT_EQ(message([](ImproveSettings& s) { s.budget = 0; }), "budget = 0: expected 1 to 100000 runs");
  EXPECT_EQ(message([](ImproveSettings& s) { s.design = "grid"; }),
            "design = 'grid': expected suggest, sobol or random");
  EXPECT_EQ(message([](ImproveSettings& s) { s.ranges.clear(); }),
            "what is asked: give either ranges of the parameters or candidates");
  EXPECT_EQ(message([](ImproveSettings& s) { s.ranges.pop_back(); }).find("ranges: none for the parameter b"),
            0U);
  const test::TemporaryFolder folder;
  ImproveSettings settings = small();
  settings.folder = (folder / "state").string();
  (void)improve(beginning(), settings, solve);
  settings.train.epochs = 7;
  EXPECT_NE(test::message_of([&] {
              (void)improve(beginning(), settings, solve);
            }).find("was begun with other data, ranges or settings"),
            std::string::npos);
}

}  // namespace
}  // namespace nouq
