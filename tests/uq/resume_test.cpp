// Interrupted fits and selections go on where they were, with the bits of the uninterrupted ones.
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "core/file.h"
#include "data/temporary_folder.h"
#include "support/small_fit.h"
#include "train/fingerprint.h"
#include "uq/selection.h"

namespace nouq {
namespace {

using test::small_data;

// Stops after a number of epochs, counted over all networks.
struct StopAfter final : FitObserver {
  explicit StopAfter(Index epochs) : left(epochs) {}
  void on_start(std::span<const double> costs, Index /*epochs*/) override { count = std::ssize(costs); }
  void on_resume(Index /*network*/, Index next_epoch) override { resumed += next_epoch; }
  void on_epoch(Index /*network*/, const EpochRecord& /*record*/, Index /*best*/) override { --left; }
  bool should_stop() override { return left <= 0; }
  Index left, count = 0, resumed = 0;
};

FitOptions small_fit(const std::string& method) { return test::small_fit(method, 4, 2); }

TEST(Resume, AnEnsembleGoesOnInTheMemberItWasIn) {
  const DataSet train = small_data(14, 1), validation = small_data(7, 2);
  FitOptions options = small_fit("ensemble");
  const auto expected = fit(options, train, validation);
  for (const Index epochs : {1, 5, 6, 11}) {
    const test::TemporaryFolder folder;
    options.folder = folder / "";
    StopAfter stop(epochs), go(1000);
    options.threads = 1;  // with more, the others may finish before they hear of the stop
    EXPECT_FALSE(fit(options, train, validation, &stop));
    EXPECT_EQ(stop.count, 3);
    options.threads = 2;
    const auto resumed = fit(options, train, validation, &go);
    ASSERT_TRUE(resumed);
    EXPECT_GE(go.resumed, 1);
    EXPECT_EQ(*resumed, *expected) << epochs;
  }
}

// An observer that says how long it will take needs to know which networks and data are the larger ones.
TEST(Trainings, TellWhatAnEpochOfEachNetworkCosts) {
  struct Listener final : FitObserver {
    void on_start(std::span<const double> given, Index /*epochs*/) override {
      costs.assign(given.begin(), given.end());
    }
    bool should_stop() override { return true; }
    std::vector<double> costs;
  } listener;
  const DataSet few = small_data(14, 1), many = small_data(28, 1), validation = small_data(7, 2);
  FitOptions narrow = small_fit("variance"), wide = narrow;
  wide.train.network.width *= 2;
  const ScaledData of_few(few), of_many(many), held_out(validation);
  const std::vector<Training> trainings = {{fit_trainings(narrow, few)[0], &of_few, &held_out},
                                           {fit_trainings(narrow, many)[0], &of_many, &held_out},
                                           {fit_trainings(wide, few)[0], &of_few, &held_out}};
  EXPECT_FALSE(run_trainings(trainings, {}, &listener));
  ASSERT_EQ(listener.costs.size(), 3U);
  EXPECT_DOUBLE_EQ(listener.costs[1], 2 * listener.costs[0]);
  EXPECT_GT(listener.costs[2], 1.5 * listener.costs[0]);
}

TEST(Resume, ASelectionGoesOnAndChoosesTheSame) {
  const DataSet train = small_data(14, 1), validation = small_data(7, 2);
  FitOptions options = small_fit("diverse");
  options.train.epochs = 2;
  options.method.set("warmup", 0);
  const SelectionGrid grid{.width = {4, 8}, .rate = {1e-3, 1e-2}, .strength = {0.1, 1}};
  const auto expected = select_surrogate(SelectionPlan(options, grid, train, validation));
  ASSERT_TRUE(expected);
  const test::TemporaryFolder folder;
  options.folder = folder / "";
  StopAfter stop(7), go(1000);
  options.threads = 1;
  EXPECT_FALSE(select_surrogate(SelectionPlan(options, grid, train, validation), &stop));
  options.threads = 2;
  const auto resumed = select_surrogate(SelectionPlan(options, grid, train, validation), &go);
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->surrogate, expected->surrogate);
  EXPECT_EQ(resumed->chosen, expected->chosen);
  for (std::size_t t = 0; t < expected->trials.size(); ++t)
    EXPECT_EQ(resumed->trials[t].validation_mse, expected->trials[t].validation_mse);
}

TEST(Resume, ProcessesThatShareAFolderShareTheWork) {
  const DataSet train = small_data(14, 1), validation = small_data(7, 2);
  const auto wanted = fit_trainings(small_fit("ensemble"), train);
  const auto expected = run_trainings(wanted, train, validation, {1, {}});
  const test::TemporaryFolder folder;
  const TrainingsOptions options{.threads = 1, .folder = folder / "", .shared = true};
  StopAfter first(1000), second(1000);
  std::optional<std::vector<TrainedNetwork>> own, other;
  std::thread neighbour([&] { other = run_trainings(wanted, train, validation, options, &second); });
  own = run_trainings(wanted, train, validation, options, &first);
  neighbour.join();
  ASSERT_TRUE(own && other);
  EXPECT_EQ((1000 - first.left) + (1000 - second.left), 3 * 4) << "no epoch is run twice";
  for (std::size_t i = 0; i < expected->size(); ++i) {
    EXPECT_EQ((*own)[i].weights, (*expected)[i].weights);
    EXPECT_EQ((*other)[i].weights, (*expected)[i].weights);
  }
}

// A network that a neighbour was at is taken up as soon as it is free, not when all others are done.
TEST(Resume, WhatANeighbourWasAtIsTakenUpInBetween) {
  const DataSet train = small_data(14, 1), validation = small_data(7, 2);
  const auto wanted = fit_trainings(small_fit("ensemble"), train);
  const test::TemporaryFolder folder;
  const std::string name = training_fingerprint(wanted.front(), train, validation);
  struct Order final : FitObserver {
    void on_finish(Index network) override {
      finished.push_back(network);
      held.reset();
    }
    std::optional<LockFile> held;
    std::vector<Index> finished;
  } order;
  order.held = LockFile::try_lock(training_file(folder / "", name).replace_extension(".lock"));
  ASSERT_TRUE(order.held);
  ASSERT_TRUE(run_trainings(wanted, train, validation, {.threads = 1, .folder = folder / "", .shared = true},
                            &order));
  EXPECT_EQ(order.finished, (std::vector<Index>{1, 0, 2}));
}

// Waiting for another process ends when the user asks to stop.
TEST(Resume, WaitingForANeighbourCanBeStopped) {
  const DataSet train = small_data(14, 1), validation = small_data(7, 2);
  const auto wanted = fit_trainings(small_fit("variance"), train);
  const test::TemporaryFolder folder;
  const std::string name = training_fingerprint(wanted.front(), train, validation);
  const auto held = LockFile::try_lock(training_file(folder / "", name).replace_extension(".lock"));
  ASSERT_TRUE(held);
  struct Soon final : FitObserver {
    bool should_stop() override { return ++asked > 2; }
    int asked = 0;
  } soon;
  EXPECT_FALSE(
      run_trainings(wanted, train, validation, {.threads = 1, .folder = folder / "", .shared = true}, &soon));
}

std::string error_of(std::span<const TrainerOptions> wanted, const DataSet& data, FitObserver& observer) {
  try {
    run_trainings(wanted, data, data, {.threads = 2, .folder = {}}, &observer);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Bad settings are found before the first network starts, however far down the list they are.
TEST(Trainings, AllSettingsAreCheckedFirst) {
  const DataSet data = small_data(14, 1);
  auto wanted = fit_trainings(small_fit("ensemble"), data);
  wanted.back().schedule.base_rate = -1;
  StopAfter go(1000);
  const std::string error = error_of(wanted, data, go);
  EXPECT_NE(error.find("network 3 of 3: "), std::string::npos) << error;
  EXPECT_EQ(go.left, 1000) << "no epoch was run";
}

TEST(Trainings, OneThatFailsStopsTheOthers) {
  const DataSet data = small_data(14, 1);
  auto wanted = fit_trainings(small_fit("ensemble"), data);
  wanted.front() = fit_trainings(small_fit("variance"), data).front();
  wanted.front().schedule.base_rate = 10;  // diverges
  for (TrainerOptions& one : wanted) one.epochs = 50000;
  StopAfter go(1000000);
  const std::string error = error_of(wanted, data, go);
  EXPECT_NE(error.find("network 1 of 3: training diverged"), std::string::npos) << error;
  EXPECT_GT(go.left, 1000000 - 50000) << "not even one of the others went on to its end";
}

TEST(Trainings, WeightsMayStayInTheFolder) {
  const DataSet data = small_data(14, 1);
  const auto wanted = fit_trainings(small_fit("variance"), data);
  const test::TemporaryFolder folder;
  TrainingsOptions options{.threads = 1, .folder = folder / "", .weights_back = false};
  EXPECT_TRUE(run_trainings(wanted, data, data, options)->front().weights.empty());
  options.weights_back = true;
  EXPECT_FALSE(run_trainings(wanted, data, data, options)->front().weights.empty());
}

// What a network sees does not depend on the units of its inputs, labelled or not.
TEST(Fit, UnlabelledInputsAreNormalisedToo) {
  FitOptions options = small_fit("diverse");
  options.method.set("diversity", "outputs");
  options.method.set("warmup", 0);
  options.method.set("bound", 0);
  options.normalise = true;
  DataSet train = small_data(14, 1), validation = small_data(7, 2);
  Array<float> unlabelled = small_data(3, 5).inputs;
  options.train.unlabelled = &unlabelled;
  const auto expected = fit(options, train, validation);
  for (Array<float>* inputs : {&train.inputs, &validation.inputs, &unlabelled}) {
    for (float& value : *inputs) value *= 1024;  // exact
  }
  const auto scaled = fit(options, train, validation);
  for (std::size_t i = 0; i < expected->weights.front().size(); ++i)
    ASSERT_NEAR(scaled->weights.front()[i], expected->weights.front()[i], 1e-4F);
}

TEST(Selection, EqualTrainingsRunOnce) {
  const DataSet train = small_data(14, 1), validation = small_data(7, 2);
  FitOptions options = small_fit("bayesian");
  options.train.epochs = 1;
  StopAfter go(1000);
  const SelectionGrid grid{.width = {4, 4, 4}, .rate = {1e-3}};
  ASSERT_TRUE(select_surrogate(SelectionPlan(options, grid, train, validation), &go));
  EXPECT_EQ(go.count, 1);
}

TEST(Selection, TheStrongestWithinTenPercentWins) {
  const auto trial = [](double strength, double mse) {
    return Trial{.width = 32, .rate = 1e-3, .strength = strength, .validation_mse = mse, .error = {}};
  };
  const std::vector<Trial> trials = {trial(0.01, 1.05), trial(0.1, 1.0), trial(1, 1.09), trial(10, 1.11)};
  EXPECT_EQ(choose(trials, 0.1), 2U);
  EXPECT_EQ(choose(trials, 0.0), 1U);
  EXPECT_EQ(choose(trials, 0.2), 3U);
  const std::vector<Trial> same = {trial(1, 1.08), trial(1, 1.0), trial(1, 1.05)};
  EXPECT_EQ(choose(same, 0.1), 1U);
  EXPECT_THROW(choose({trial(1, std::numeric_limits<double>::infinity())}, 0.1), Error);
  const double nan = std::nan("");
  EXPECT_EQ(choose({trial(1, nan), trial(1, 2.0), trial(1, nan)}, 0.1), 1U);
  try {
    choose({Trial{.error = "too steep"}}, 0.1);
    FAIL() << "nothing to choose";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("too steep"), std::string::npos) << error.what();
  }
}

TEST(Selection, ADivergedTrialIsReportedAndNotChosen) {
  const DataSet train = small_data(14, 1), validation = small_data(7, 2);
  FitOptions options = small_fit("variance");
  options.train.epochs = 40;
  const SelectionGrid grid{.width = {4}, .rate = {1e-3, 10}};
  const auto selection = select_surrogate(SelectionPlan(options, grid, train, validation));
  ASSERT_TRUE(selection);
  EXPECT_EQ(selection->chosen, 0U);
  EXPECT_NE(selection->trials[1].error.find("training diverged"), std::string::npos)
      << selection->trials[1].error;
}

// What is hashed when the plan is made is not hashed again, for any network or fact.
TEST(FitPlan, DataAreHashedOnce) {
  DataSet train = small_data(14, 1), validation = small_data(7, 2);
  const std::string before = data_fingerprint(train), held_out = data_fingerprint(validation);
  const FitPlan plan(small_fit("ensemble"), train, validation);
  ASSERT_EQ(plan.trainings.size(), 3U);
  train.outputs[0] += 1.0F;
  validation.outputs[0] += 1.0F;
  const auto surrogate = fit(plan);
  ASSERT_TRUE(surrogate);
  EXPECT_EQ(surrogate->facts.at("data.training_fingerprint"), before);
  EXPECT_EQ(surrogate->facts.at("data.validation_fingerprint"), held_out);
  for (const char* network : {"training.0", "training.1", "training.2"}) {
    EXPECT_NE(surrogate->facts.at(network).find(before), std::string::npos) << network;
    EXPECT_NE(surrogate->facts.at(network).find(held_out), std::string::npos) << network;
  }
}

// Networks that see scaled data are those that a scaled copy would have given.
TEST(FitPlan, ScalingMakesNoCopyAndNoDifference) {
  const DataSet train = small_data(14, 1), validation = small_data(7, 2);
  for (const char* method : {"bayesian", "variance"}) {
    FitOptions options = small_fit(method);
    options.normalise = true;
    const auto surrogate = fit(options, train, validation);
    ASSERT_TRUE(surrogate);
    DataSet scaled = train, scaled_validation = validation;
    for (DataSet* data : {&scaled, &scaled_validation}) {
      surrogate->input_normalisation.apply(data->inputs.view());
      surrogate->output_normalisation.apply(data->outputs.view());
    }
    options.normalise = false;
    const auto expected = fit(options, scaled, scaled_validation);
    ASSERT_TRUE(expected);
    EXPECT_EQ(surrogate->weights, expected->weights) << method;
    EXPECT_EQ(surrogate->history, expected->history) << method;
    EXPECT_EQ(surrogate->state, expected->state) << method;
    EXPECT_EQ(surrogate->facts.at("training.0"), expected->facts.at("training.0")) << method;
    EXPECT_EQ(surrogate->facts.at("data.training_fingerprint"), data_fingerprint(train)) << method;
  }
}

}  // namespace
}  // namespace nouq
