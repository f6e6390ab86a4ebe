// Few samples: calibration by short fits, and choosing by the edge of the data.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <nouq/nouq.hpp>
#include <unistd.h>

#include "api/edge_selection.h"
#include "api/shared_model.h"
#include "support/small_training.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

TrainSettings small() {
  TrainSettings settings{.epochs = 12, .batch = 7, .rate = 5e-3, .seed = 3, .threads = 1};
  settings.options = {{"count", 3}, {"width", 6}, {"modes", std::vector{4, 3}}, {"blocks", 2}};
  return settings;
}

const Surrogate& inside(const Model& model) { return model.shared().surrogate(); }

class FewSamples : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("nouq_few_" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
  DataSet data_ = test::small_data(30, 1);
};

TEST_F(FewSamples, ThirtyRunsHaveASizedSigmaBandsAndTrust) {
  std::vector<std::string> notes;
  std::vector<bool> stages;
  Progress progress;
  progress.on_note = [&](const SettingsNote& note) { notes.push_back(note.text); };
  progress.on_start = [&](const TrainStart& start) { stages.push_back(start.calibrating); };
  const Model model = train(data_, small(), progress);
  EXPECT_TRUE(model.info().has_trust);
  ASSERT_TRUE(model.info().band);
  EXPECT_EQ(inside(model).state.at("sizing.held_out")[0], 30);
  EXPECT_EQ(stages, (std::vector{false, true}));
  ASSERT_FALSE(notes.empty());
  EXPECT_NE(notes[0].find("3 trainings of 2 epochs follow"), std::string::npos) << notes[0];
  EXPECT_EQ(notes.size(), 1U) << "nothing is left out";
  TrainSettings without = small();
  without.cross_folds = 0;
  const Model plain = train(data_, without);
  EXPECT_EQ(inside(plain).weights, inside(model).weights) << "the network is the same";
  EXPECT_FALSE(plain.info().band) << "6 validation samples are too few";
  without.cross_folds = 1;
  EXPECT_THROW((void)train(data_, without), Error);
}

TEST_F(FewSamples, NineteenHeldOutSamplesAreEnough) {
  const DataSet validation = test::small_data(19, 2);
  TrainSettings without = small();
  without.cross_folds = 0;
  EXPECT_EQ(inside(train(data_, validation, small())).state, inside(train(data_, validation, without)).state);
}

TEST_F(FewSamples, AStoppedCalibrationGoesOnToTheSameModel) {
  TrainSettings settings = small();
  const Surrogate expected = inside(train(data_, settings));
  settings.folder = folder_.string();
  for (const int stop : {5, 12, 14, 17}) {
    fs::remove_all(folder_);
    settings.threads = 1;  // with more, the others may finish before they hear of the stop
    int left = stop;
    Progress progress;
    progress.on_epoch = [&](const EpochReport&) { return --left > 0; };
    std::vector<std::string> files;
    progress.on_plan = [&](const TrainPlan& plan) { files = plan.checkpoints; };
    EXPECT_THROW((void)train(data_, settings, progress), Cancelled);
    for (const auto& file : fs::directory_iterator(folder_)) {
      if (file.path().extension() != ".training") continue;
      EXPECT_NE(std::find(files.begin(), files.end(), file.path().filename()), files.end()) << file.path();
    }
    settings.threads = 2;
    const Model model = train(data_, settings);
    EXPECT_EQ(inside(model).weights, expected.weights) << stop;
    EXPECT_EQ(inside(model).state, expected.state) << stop;
  }
}

DataSet with_parameters(std::vector<double> values, Index columns) {
  DataSet data = test::small_data(std::ssize(values) / columns, 1);
  for (Index c = 0; c < columns; ++c) data.parameter_names.push_back({"p" + std::to_string(c), ""});
  data.parameters = Array<double>({std::ssize(values) / columns, columns}, values);
  return data;
}

TEST(Edge, TheEndsOfAParametersRangeAreHeldOut) {
  const DataSet train = with_parameters({3, 1, 2, 2.1, 1.4, 2.6, 1.9, 1.05, 2.2, 1.8}, 1);
  const DataSet validation = with_parameters({1.5, 2.97, 2.0}, 1);
  const EdgeSplit parts = split_off_edge(train, validation);
  EXPECT_EQ(parts.edge.parameters, Array<double>({2, 1}, {3, 1}));
  EXPECT_EQ(parts.train.size(), 8);
  EXPECT_EQ(parts.validation.size(), 3) << "2.97 lies within 1 to 3";
  EXPECT_DOUBLE_EQ(outwardness(validation, train)[1], 0.97);
  const DataSet outside = with_parameters({1.5, 3.1, 2.0}, 1);
  EXPECT_EQ(split_off_edge(train, outside).validation.parameters, Array<double>({2, 1}, {1.5, 2.0}));
}

TEST(Edge, OfSeveralParametersTheOutermostSamplesAre) {
  std::vector<double> values;
  for (int i = 0; i < 10; ++i) {
    values.push_back(i == 3 ? 10 : 5 + 0.1 * i);
    values.push_back(i == 7 ? -1 : 1 + 0.01 * i);
  }
  const DataSet train = with_parameters(values, 2);
  const std::vector<double> out = outwardness(train, train);
  EXPECT_DOUBLE_EQ(out[3], 1);
  EXPECT_DOUBLE_EQ(out[7], 1);
}

TEST(Edge, WithoutParametersTheFarthestInputsAre) {
  DataSet train = test::small_data(10, 1);  // constant inputs between 1 and 2
  const Index size = train.inputs.size() / 10;
  std::fill_n(train.inputs.data() + 4 * size, size, 9.0F);
  const EdgeSplit parts = split_off_edge(train, test::small_data(3, 2));
  EXPECT_EQ(parts.edge.size(), 2);
  EXPECT_EQ(parts.edge.inputs.row(1).size(), size);
  EXPECT_TRUE(parts.edge.inputs[0] == 9.0F || parts.edge.inputs[size] == 9.0F);
  std::fill(train.inputs.begin(), train.inputs.end(), 1.0F);
  EXPECT_THROW((void)split_off_edge(train, train), Error) << "all alike";
  EXPECT_THROW((void)split_off_edge(test::small_data(9, 1), train), Error) << "too few";
}

TEST_F(FewSamples, TheEdgeChoosesStrengthLossAndSizing) {
  const DataSet validation = test::small_data(20, 2);
  SelectSettings grid{.rule = "edge", .losses = {"relative_l2", "crps"}, .widths = {6}, .rates = {5e-3}};
  grid.strengths = {0.1, 1};
  TrainSettings settings = small();
  settings.folder = folder_.string();
  std::vector<std::string> files;
  Progress progress;
  progress.on_plan = [&](const TrainPlan& plan) { files = plan.checkpoints; };
  const Selected selected = select_model(data_, validation, settings, grid, progress);
  ASSERT_EQ(selected.trials.size(), 4U);
  const Trial& winner = selected.trials[selected.chosen];
  for (const Trial& trial : selected.trials) {
    EXPECT_TRUE(trial.sizing == "none" || trial.sizing == "data") << trial.sizing;
    EXPECT_GE(trial.edge_crps, winner.edge_crps);
  }
  EXPECT_EQ(inside(selected.model).state.contains("sizing.scale"), winner.sizing != "none");
  EXPECT_EQ(files.size(), 8U) << "trials, and whoever may win";
  TrainSettings alone = small();  // the winner, trained on all
  alone.loss = winner.loss;
  set_option(alone, "strength", winner.strength);
  EXPECT_EQ(inside(train(data_, validation, alone)).weights, inside(selected.model).weights);
  grid.rule = "nobody";
  EXPECT_THROW((void)select_model(data_, validation, settings, grid), Error);
}

}  // namespace
}  // namespace nouq
