// Time steps cut from trajectories, and models that are applied again and again.
#include "physics/rollout.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <nouq/nouq.hpp>

#include "api/shared_model.h"
#include "physics/time_steps.h"

namespace nouq {
namespace {

constexpr Index points = 16, times = 6;

// Profiles that move and fade around a mean of their own, which stays: [n, x, t], periodic.
DataSet trajectories(Index count, Index last = times, double phase = 0) {
  DataSet data;
  std::vector<double> x, t;
  for (Index i = 0; i < points; ++i) x.push_back(static_cast<double>(i) / points);
  for (Index k = 0; k < last; ++k) t.push_back(0.1 * static_cast<double>(k));
  data.grid = {{"x", "m", x, AxisKind::periodic}, {"t", "s", t}};
  data.input_channels = {{"u0", ""}, {"k", ""}};
  data.output_channels = {{"u", "K"}};
  data.inputs = Array<float>({count, points, last, 2});
  data.outputs = Array<float>({count, points, last, 1});
  for (Index i = 0; i < data.outputs.size(); ++i) {
    const Index s = i / (points * last), k = i % last;
    const double own = phase + 0.37 * static_cast<double>(s),
                 place = x[static_cast<std::size_t>(i / last % points)];
    const auto u = [&](double time) {
      return 1 + 0.5 * std::sin(own) +
             std::exp(-time) * std::sin(2 * std::numbers::pi * (place - time) + own);
    };
    data.outputs[i] = static_cast<float>(u(t[static_cast<std::size_t>(k)]));
    data.inputs[2 * i] = static_cast<float>(u(0));
    data.inputs[2 * i + 1] = static_cast<float>(own);
  }
  return data;
}

TrainSettings quick(Index block) {
  TrainSettings settings{
      .method = "ensemble", .epochs = 6, .batch = 10, .rate = 5e-3, .seed = 3, .threads = 1};
  settings.rollout = block;
  settings.options = {{"count", 3}, {"width", 6}, {"blocks", 2}};
  settings.options["modes"] = block == 1 ? std::vector{4} : std::vector{4, 2};
  return settings;
}

const Surrogate& inside(const Model& model) { return model.shared().surrogate(); }

TEST(TimeSteps, AreStatesAndWhatFollows) {
  const DataSet data = trajectories(2);
  const TimeSteps one = time_steps(data, 1, "data");
  EXPECT_EQ(one.inputs, (std::vector<Index>{1})) << "u0 is the initial state itself";
  EXPECT_EQ(one.data.inputs.shape(), (Shape{2 * 5, points, 2}));
  EXPECT_EQ(one.data.outputs.shape(), (Shape{2 * 5, points, 1}));
  EXPECT_EQ(one.horizon, 5);
  EXPECT_DOUBLE_EQ(one.step, 0.1);
  const auto u = [&](Index s, Index x, Index t) { return data.outputs[(s * points + x) * times + t]; };
  // The fourth step of the second trajectory.
  EXPECT_EQ(one.data.inputs[((5 + 3) * points + 7) * 2], u(1, 7, 3));
  EXPECT_EQ(one.data.inputs[((5 + 3) * points + 7) * 2 + 1], static_cast<float>(0.37));
  EXPECT_EQ(one.data.outputs[(5 + 3) * points + 7], u(1, 7, 4));
  const TimeSteps two = time_steps(data, 2, "data");
  EXPECT_EQ(two.data.outputs.shape(), (Shape{2 * 4, points, 2, 1}));
  EXPECT_EQ(two.data.grid.back().coordinates, (std::vector{0.1, 0.2}));
  EXPECT_EQ(two.data.inputs[(((4 + 1) * points + 7) * 2 + 1) * 2], u(1, 7, 1));
  EXPECT_EQ(two.data.outputs[((4 + 1) * points + 7) * 2 + 1], u(1, 7, 3));
}

TEST(TimeSteps, FindWhatStaysTheSame) {
  DataSet data = trajectories(2);
  EXPECT_EQ(time_steps(data, 1, "data").found, std::vector<std::string>{"mass"});
  data.outputs[5] += 1;  // at the end of a trajectory
  EXPECT_TRUE(time_steps(data, 1, "data").found.empty());
  data.constraint_values["mass"] = Array<double>({2, times});
  for (Index i = 0; i < 2 * times; ++i) data.constraint_values["mass"][i] = static_cast<double>(i);
  const TimeSteps open = time_steps(data, 2, "data");
  EXPECT_TRUE(open.closed.empty());
  EXPECT_EQ(open.data.constraint_values.at("mass").shape(), (Shape{8, 2}));
  EXPECT_EQ(open.data.constraint_values.at("mass")[2 * (4 + 1)], 6 + 2);
}

TEST(TimeSteps, RefuseWhatTheyCannotCut) {
  const auto message = [](DataSet data, Index block) {
    try {
      (void)time_steps(data, block, "data");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  DataSet data = trajectories(2);
  EXPECT_NE(message(data, 6).find("rollout = 6: expected a block of 1 to 5"), std::string::npos);
  data.grid.back().coordinates[3] += 0.03;
  EXPECT_NE(message(data, 1).find("evenly spaced times"), std::string::npos);
  data.grid.back() = {"y", "", linspace(0, 1, times)};
  EXPECT_NE(message(data, 1).find("the last axis of these data is 'y'"), std::string::npos);
}

class Rollouts : public testing::TestWithParam<Index> {};

TEST_P(Rollouts, AreTheMembersStepByStep) {
  const Index block = GetParam();
  const Model model = train(trajectories(40), quick(block));
  ASSERT_TRUE(model.info().rollout);
  EXPECT_EQ(model.info().rollout->block, block);
  EXPECT_EQ(model.info().rollout->closed, std::vector<std::string>{"mass"});
  const DataSet start = trajectories(3, times, 0.2);
  const Rollout rolled = roll_out(model, start, {.steps = 2, .samples = true});
  EXPECT_EQ(rolled.prediction.mean.shape(), (Shape{3, points, 2 * block, 1}));
  EXPECT_DOUBLE_EQ(rolled.grid.back().coordinates.back(), 0.2 * static_cast<double>(block));
  // Member 1 of trajectory 2 by hand, as the method gives it: no sizing moves samples.
  const Model raw = model.sized("none");
  Shape shape = shape_of(model.grid());
  shape.insert(shape.begin(), 1);
  shape.push_back(2);
  std::vector<double> state(points);
  for (Index x = 0; x < points; ++x) state[x] = start.outputs[(2 * points + x) * times];
  for (Index step = 0; step < 2; ++step) {
    Array<float> inputs(shape);
    for (Index i = 0; i < inputs.size(); ++i)
      inputs[i] =
          i % 2 == 0 ? static_cast<float>(state[i / (2 * block)]) : start.inputs[2 * points * times * 2 + 1];
    const Prediction p = predict(raw, inputs, {.samples = true});
    for (Index i = 0; i < points * block; ++i) {
      const Index x = i / block, b = i % block;
      EXPECT_EQ(rolled.prediction.samples[(((2 * 3 + 1) * points) + x) * 2 * block + step * block + b],
                p.samples[points * block + i]);
    }
    for (Index x = 0; x < points; ++x) state[x] = p.samples[points * block + x * block + block - 1];
  }
}

TEST_P(Rollouts, KeepTheMassOfTheInitialStateAndNeverRegainTrust) {
  const Model model = train(trajectories(40), quick(GetParam()));
  const DataSet start = trajectories(3, times, 0.2);
  const Rollout free = roll_out(model, start, {.steps = 30});
  for (const std::string project : {"diagonal", "bounded"}) {
    const Rollout held = roll_out(model, start, {.steps = 30, .project = project});
    EXPECT_LT(held.violation.at("mass"), 1e-12) << project;
    EXPECT_GT(free.violation.at("mass"), 1e-6);
  }
  ASSERT_EQ(free.trust.size(), 3U);
  for (const auto& steps : free.trust) {
    ASSERT_EQ(steps.size(), 30U);
    for (std::size_t k = 1; k < steps.size(); ++k) EXPECT_GE(steps[k].score, steps[k - 1].score);
    for (const Trust& one : steps) EXPECT_EQ(one.verdict != Verdict::in_domain, !one.reasons.empty());
  }
  EXPECT_TRUE(free.prediction.band.empty()) << "8 held-out trajectories state no 0.9";
}

INSTANTIATE_TEST_SUITE_P(Blocks, Rollouts, testing::Values(1, 2));

TEST(RolloutCalibration, SigmaCountsWhatGrowsWithTime) {
  Surrogate surrogate = inside(train(trajectories(50), quick(1)));
  const DataSet start = trajectories(2, times, 0.2);
  const Array<double> sized =
      roll_out(surrogate, start_of(surrogate, start), {.steps = 10}).prediction.variance;
  const double scale = surrogate.state.at("rollout.scale")[0], floor = surrogate.state.at("rollout.floor")[0];
  surrogate.state.erase("rollout.scale");
  const Array<double> plain =
      roll_out(surrogate, start_of(surrogate, start), {.steps = 10}).prediction.variance;
  for (Index i = 0; i < plain.size(); ++i) {
    const double age = static_cast<double>(i % 10 + 1) / 5;
    EXPECT_NEAR(sized[i], scale * (plain[i] + floor * age * age), 1e-12 * sized[i]);
  }
}

TEST(RolloutCalibration, WhatDoesNotFitIsRefusedByName) {
  const auto message = [](auto&& action) {
    try {
      action();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Model model = train(trajectories(20), quick(1));
  DataSet other = trajectories(2);
  for (double& t : other.grid.back().coordinates) t *= 2;
  EXPECT_NE(message([&] { (void)roll_out(model, other, {.steps = 2}); }).find("0.2 apart"),
            std::string::npos);
  DataSet forced = trajectories(2);
  for (Index i = 1; i < forced.inputs.size(); i += 2) forced.inputs[i] = static_cast<float>(i);
  EXPECT_NE(message([&] { (void)roll_out(model, forced, {.steps = 9}); }).find("expected one time, or the 9"),
            std::string::npos);
  TrainSettings whole = quick(0);
  whole.options["modes"] = std::vector{4, 2};
  const Model solutions = train(trajectories(20), whole);
  EXPECT_NE(message([&] { (void)roll_out(solutions, trajectories(2), {.steps = 2}); }).find("--rollout"),
            std::string::npos);
}

}  // namespace
}  // namespace nouq
