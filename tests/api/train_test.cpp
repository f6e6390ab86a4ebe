// The public library trains: from data to a model, with progress, cancellation and what is refused.
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>
#include <nouq/nouq.hpp>
#include <unistd.h>

#include "api/shared_model.h"
#include "support/small_training.h"
#include "uq/defaults.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

TrainSettings small(const std::string& method = "diverse") {
  TrainSettings settings{.method = method, .epochs = 3, .batch = 7, .rate = 5e-3, .seed = 3, .threads = 1};
  settings.options = {{"count", 3}, {"width", 6}, {"modes", std::vector{4, 3}}, {"blocks", 2}};
  return settings;
}

std::vector<float> weights(const Model& model) { return model.shared().surrogate().weights.at(0); }

template <class Action>
std::string refusal(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

class TrainTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("nouq_api_train_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
  DataSet data_ = test::small_data(24, 1);
  DataSet validation_ = test::small_data(20, 2);
};

TEST_F(TrainTest, TheModelIsThatOfAFitWithTheSameOptions) {
  const Model model = train(data_, validation_, small());
  FitOptions options = default_fit(data_, 3);
  options.method.set("count", 3);
  options.train.network.width = 6;
  options.train.network.blocks = 2;
  options.train.network.modes = {4, 3};
  options.train.batch = 7;
  options.train.schedule.kind = ScheduleKind::one_cycle;
  options.train.schedule.base_rate = 5e-3;
  options.train.seed = 3;
  options.threads = 1;
  EXPECT_EQ(weights(model), fit(options, data_, validation_)->weights.at(0));
  EXPECT_TRUE(model.info().has_trust) << "20 validation samples allow it";
  EXPECT_EQ(model.facts().at("settings"),
            R"({"count":3,"width":6,"blocks":2,"modes":[4,3],"epochs":3,"batch":7,"rate":0.005,"seed":3})");
}

TEST_F(TrainTest, ItIsSavedLoadedEvaluatedAndAskedAgain) {
  const std::string path = (folder_ / "m.nouq").string();
  const Model model = train(data_, small("ensemble"));
  model.save(path);
  const Model back = Model::load(path);
  EXPECT_EQ(weights(back), weights(model));
  const Evaluation report = evaluate(back, validation_);
  EXPECT_GT(report.metric("relative_l2"), 0);
  EXPECT_EQ(report.metric("mse"), evaluate(model, validation_).metric("mse"));
  EXPECT_EQ(evaluate(back, validation_, {.metrics = {"mse"}}).metrics.size(), 1U);
  EXPECT_TRUE(refusal([&] {
                evaluate(back, validation_, {.metrics = {"mes"}});
              }).starts_with("unknown metric 'mes'; did you mean 'mse'?"));
}

// u is a / 2 in the mean over x, so the law holds; a law needs a rule for the cells' centres.
DataSet with_law(DataSet data) {
  for (Axis& axis : data.grid) axis.kind = AxisKind::cells;
  const Index times = data.grid[1].size(), size = data.inputs.size() / data.size();
  Array<double> mass({data.size(), times});
  for (Index i = 0; i < mass.size(); ++i) mass[i] = 0.5 * static_cast<double>(data.inputs[i / times * size]);
  data.constraint_values["mass"] = mass;
  return data;
}

TEST_F(TrainTest, TheProjectionInsideTrainingIsOfTheLawOfTheData) {
  const DataSet data = with_law(data_), held_out = with_law(validation_);
  for (const std::string method : {"diverse", "variance"}) {
    for (const std::string normalise : {"off", "on"}) {
      TrainSettings settings = small(method);
      settings.normalise = normalise;
      const Model plain = train(data, held_out, settings);
      settings.project_in_training = true;
      const Model model = train(data, held_out, settings);
      EXPECT_NE(weights(model), weights(plain)) << method;
      EXPECT_NE(model.facts().at("settings").find(R"("project_in_training":true)"), std::string::npos);
      EXPECT_NE(model.facts().at("training.0").find(R"("law":")"), std::string::npos);
      EXPECT_EQ(plain.facts().at("training.0").find(R"("law":")"), std::string::npos);
      settings.threads = 3;
      EXPECT_EQ(weights(train(data, held_out, settings)), weights(model));
    }
  }
}

TEST_F(TrainTest, AProjectionInsideTrainingThatCannotBeIsRefused) {
  const DataSet data = with_law(data_), held_out = with_law(validation_);
  const auto refused = [&](const DataSet& train_data, const DataSet& validation, const std::string& method) {
    TrainSettings settings = small(method);
    settings.project_in_training = true;
    return refusal([&] { (void)train(train_data, validation, settings); });
  };
  EXPECT_EQ(refused(data_, validation_, "diverse"),
            "project-in-training: the training data have no values of a conservation law to project onto");
  EXPECT_EQ(refused(data, validation_, "diverse"),
            "validation data: no values of the law 'mass', which the loss is to be projected onto");
  for (const std::string method : {"ensemble", "dropout", "bayesian"})
    EXPECT_EQ(refused(data, held_out, method),
              "project-in-training: networks of the method " + method +
                  " give no variance while they are trained, by which a projection would know where to move "
                  "them; expected diverse or variance");
  DataSet two = data;
  two.laws["other"] = {.axes = {"x"}};
  two.constraint_values["other"] = two.constraint_values["mass"];
  EXPECT_EQ(
      refused(two, held_out, "variance"),
      "project-in-training: 'integral over x at t = 0.0625' and 'integral over x at t = 0.0625' sum over "
      "the same points, expected laws that share none");
}

TEST_F(TrainTest, ProgressIsToldOfEveryEpochAndNote) {
  std::vector<std::string> said;
  Progress progress;
  progress.on_note = [&](const SettingsNote& note) { said.push_back(note.option + "|" + note.text); };
  progress.on_start = [&](const TrainStart& start) {
    said.push_back("start " + std::to_string(start.networks) + " " + std::to_string(start.epochs));
  };
  progress.on_epoch = [&](const EpochReport& e) {
    said.push_back("epoch " + std::to_string(e.epoch));
    EXPECT_GT(e.train_loss, 0);
    return true;
  };
  (void)train(data_, validation_, small("bayesian"), progress);
  EXPECT_EQ(said, (std::vector<std::string>{"count|does nothing for the method bayesian, only for diverse, "
                                            "dropout, ensemble",
                                            "start 1 3", "epoch 0", "epoch 1", "epoch 2"}));
  std::ostringstream lines;
  (void)train(data_, validation_, small("variance"), progress_to(lines));
  EXPECT_NE(lines.str().find("epoch 3/3"), std::string::npos) << lines.str();
}

TEST_F(TrainTest, ThePlanIsToldBeforeTheWorkAndTheQualityAfterIt) {
  TrainSettings settings = small("ensemble");
  settings.folder = (folder_ / "checkpoints").string();
  std::optional<TrainPlan> plan;
  std::optional<ValidationQuality> quality;
  Progress progress;
  progress.on_plan = [&](const TrainPlan& told) {
    plan = told;
    EXPECT_FALSE(fs::exists(settings.folder)) << "nothing has been written yet";
  };
  progress.on_quality = [&](const ValidationQuality& told) { quality = told; };
  const Model model = train(DataSet(data_), validation_, settings, progress);
  ASSERT_TRUE(plan && quality);
  EXPECT_EQ(plan->samples, 24);
  EXPECT_EQ(plan->validation_samples, 20);
  EXPECT_EQ(plan->method, "ensemble");
  EXPECT_EQ(plan->width, 6);
  EXPECT_EQ(plan->trials, 1);
  EXPECT_EQ(plan->checkpoints.size(), 3U);
  for (const std::string& name : plan->checkpoints)
    EXPECT_TRUE(fs::exists(fs::path(settings.folder) / name)) << name;
  EXPECT_EQ(quality->mse, evaluate(model, validation_).metric("mse"));
  EXPECT_EQ(quality->relative_l2, evaluate(model, validation_).metric("relative_l2"));
  progress.on_plan = [](const TrainPlan&) { throw std::out_of_range("not this one"); };
  EXPECT_THROW((void)train(data_, settings, progress), std::out_of_range);
}

TEST_F(TrainTest, AStoppedTrainingIsCancelledAndGoesOn) {
  TrainSettings settings = small();
  settings.folder = folder_.string();
  Progress progress;
  progress.on_epoch = [](const EpochReport& e) { return e.epoch < 1; };
  EXPECT_THROW((void)train(data_, validation_, settings, progress), Cancelled);
  std::stop_source source;
  source.request_stop();
  Progress stopped;
  stopped.stop = source.get_token();
  EXPECT_THROW((void)train(data_, validation_, settings, stopped), Cancelled);
  Index resumed = -1;
  Progress watched;
  watched.on_resume = [&](Index, Index next) { resumed = next; };
  const Model model = train(data_, validation_, settings, watched);
  EXPECT_EQ(resumed, 2);
  EXPECT_EQ(weights(model), weights(train(data_, validation_, small())));
}

TEST_F(TrainTest, WhatAFunctionOfTheCallerThrowsComesOut) {
  Progress progress;
  progress.on_epoch = [](const EpochReport&) -> bool { throw std::out_of_range("mine"); };
  EXPECT_THROW((void)train(data_, validation_, small(), progress), std::out_of_range);
}

TEST_F(TrainTest, FineTuningKeepsTheModel) {
  const std::string path = (folder_ / "m.nouq").string();
  const Model first = train(data_, validation_, small("dropout"));
  first.save(path);
  TrainSettings settings = small("diverse");
  settings.from = path;
  settings.options = {};
  settings.epochs = 1;
  const Model tuned = train(data_, validation_, settings);
  EXPECT_EQ(tuned.info().method, "dropout");
  EXPECT_EQ(tuned.info().members, 3);
  EXPECT_NE(weights(tuned), weights(first));
  settings.from = "";
  settings.from_model = std::make_shared<const Model>(first);
  EXPECT_EQ(weights(train(data_, validation_, settings)), weights(tuned)) << "from memory as from its file";
}

TEST_F(TrainTest, SelectionReportsAllTrials) {
  const Selected chosen =
      select_model(data_, validation_, small(), {.widths = {4, 6}, .rates = {5e-3}, .strengths = {0.1, 1}});
  ASSERT_EQ(chosen.trials.size(), 4U);
  EXPECT_LT(chosen.chosen, 4U);
  EXPECT_EQ(chosen.model.shared().surrogate().network.width, chosen.trials[chosen.chosen].width);
}

TEST_F(TrainTest, WrongDataAndSettingsAreRefusedBeforeTheWork) {
  DataSet zero = data_;
  std::fill(zero.outputs.begin(), zero.outputs.begin() + 128, 0.0F);
  EXPECT_EQ(refusal([&] { (void)train(zero, validation_, small()); }),
            "training data: the output of sample 0 is zero everywhere, so its relative error is not defined; "
            "leave that sample out");
  EXPECT_EQ(refusal([&] { (void)train(test::small_data(1, 1), small()); }),
            "training data: a training and a validation part needs at least 2 samples, this data set has 1");
  TrainSettings settings = small();
  settings.options["diversity"] = "outputs";
  EXPECT_EQ(refusal([&] { (void)train(data_, settings); }),
            "diversity outputs: compares the heads on inputs without solutions; give some as 'unlabelled'");
  settings.unlabelled_inputs = validation_.inputs;
  EXPECT_EQ(refusal([&] { (void)train(data_, settings); }), "accepted");
}

TEST_F(TrainTest, SettingsFromTextAndByName) {
  const TrainSettings s = settings_from_toml("method = 'ensemble'\ncount = 5\nweight-decay = 0.5\n");
  EXPECT_EQ(s.method, "ensemble");
  EXPECT_EQ(s.weight_decay, 0.5);
  EXPECT_EQ(s.options.at("count"), OptionValue(5));
  EXPECT_EQ(to_json(settings_from_json(to_json(s))), to_json(s));
  EXPECT_EQ(difference(s, TrainSettings{}),
            "method: ensemble and diverse; count: 5 and 10; weight-decay: 0.5 and 0.0001");
  TrainSettings one;
  set_option(one, "normalise", true);
  EXPECT_EQ(one.normalise, "on");
  EXPECT_TRUE(refusal([&] { set_option(one, "epoch", 3); })
                  .starts_with("unknown option 'epoch'; did you mean "
                               "'epochs'?"));
  EXPECT_EQ(refusal([&] { settings_from_toml("epochs = 0"); }),
            "settings:1: epochs = 0: expected an integer from 1 to 10000000");
}

TEST_F(TrainTest, DataAreReadWrittenSplitAndGenerated) {
  const std::string path = (folder_ / "d.npz").string();
  write(path, data_);
  EXPECT_EQ(read(path).outputs, data_.outputs);
  const DataSplit parts = split(data_, {0.75, 0.25, 0.0}, 1);
  EXPECT_EQ(parts.train.size(), 18);
  EXPECT_EQ(parts.validation.size(), 6);
  EXPECT_EQ(parts.test.size(), 0);
  const DataSet heat = generate("heat", {.samples = 2, .range = {{2.0, 3.0}}, .seed = 5});
  EXPECT_EQ(heat.size(), 2);
  EXPECT_GE(heat.parameters[0], 2.0);
  EXPECT_TRUE(refusal([] { generate("heta"); }).starts_with("unknown problem 'heta'; did you mean 'heat'?"));
}

}  // namespace
}  // namespace nouq
