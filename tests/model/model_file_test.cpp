// What goes into a model file comes out of it, to the last bit.
#include "model/model_file.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "data/expect_error.h"
#include "data/identical.h"
#include "data/temporary_folder.h"
#include "model/tiny_surrogate.h"
#include "support/failing_disk.h"
#include "support/small_training.h"
#include "uq/fit.h"
#include "uq/predictor.h"

namespace nouq {
namespace {

class ModelFileTest : public testing::TestWithParam<std::string> {
 protected:
  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "model.nouq";
};

void expect_same_prediction(const Surrogate& a, const Surrogate& b, const Array<float>& inputs) {
  const Prediction before = predict(a, inputs.view(), {.samples = true, .threads = 1});
  const Prediction after = predict(b, inputs.view(), {.samples = true, .threads = 2});
  EXPECT_TRUE(test::identical(before.mean, after.mean));
  EXPECT_TRUE(test::identical(before.variance, after.variance));
  EXPECT_TRUE(test::identical(before.samples, after.samples));
}

TEST_P(ModelFileTest, GivesBackTheSurrogate) {
  const Surrogate saved = test::tiny_surrogate(GetParam());
  save_model(saved, path_);
  const Surrogate loaded = load_model(path_);
  EXPECT_TRUE(loaded == saved);
  EXPECT_TRUE(test::identical(loaded.input_range, saved.input_range)) << "a negative zero was lost";
  expect_same_prediction(saved, loaded, test::tiny_inputs(5));
}

// What the law's noise is called in files stays as it was in the first ones.
TEST_P(ModelFileTest, KeepsTheNameOfTheLawsNoiseInFiles) {
  Surrogate saved = test::tiny_surrogate(GetParam());
  saved.state["law.noise"] = Array<double>(Shape{1}, {0.25});
  save_model(saved, path_);
  EXPECT_NE(test::read_all(path_).find("\"state.law.slack\""), std::string::npos);
  EXPECT_TRUE(load_model(path_) == saved);
}

// Laws, bounds and cells come back, and a reader that knows nothing of them is told by the version.
TEST_P(ModelFileTest, KeepsLawsBoundsAndKindsOfAxes) {
  Surrogate saved = test::tiny_surrogate(GetParam());
  EXPECT_EQ(format_version_of(saved), 1);
  saved.grid[0].kind = AxisKind::cells;
  saved.laws["heat"] = {{"x", "t"}, 0};
  saved.bounds.assign(saved.output_channels.size(), {0.1, std::numeric_limits<double>::infinity()});
  save_model(saved, path_);
  EXPECT_EQ(format_version_of(saved), 2);
  EXPECT_NE(test::read_all(path_).find(R"("version":"2")"), std::string::npos);
  EXPECT_TRUE(load_model(path_) == saved);
  saved.laws["heat"].axes = {"z"};
  EXPECT_ERROR(save_model(saved, path_), "law 'heat': unknown axis 'z'");
  saved.laws.clear();
  saved.bounds[0].lower = std::nan("");
  EXPECT_ERROR(save_model(saved, path_), "a bound of output channel 0 is not a number");
}

TEST_P(ModelFileTest, TheSameSurrogateGivesTheSameBytes) {
  save_model(test::tiny_surrogate(GetParam()), path_);
  save_model(load_model(path_), folder_ / "again.nouq");
  EXPECT_EQ(test::read_all(path_), test::read_all(folder_ / "again.nouq"));
}

// Trained, by every method's own way: what `fit` puts into a surrogate is all saved.
TEST_P(ModelFileTest, GivesBackWhatWasFitted) {
  FitOptions options;
  options.method.name = GetParam();
  options.method.set("count", 3);
  options.train = test::small_options();
  options.train.epochs = 2;
  options.normalise = true;
  options.threads = 1;
  const DataSet data = test::small_data(20, 1);
  const Surrogate fitted = fit(options, data, test::small_data(5, 2)).value();
  save_model(fitted, path_);
  const Surrogate loaded = load_model(path_);
  EXPECT_TRUE(loaded == fitted);
  expect_same_prediction(fitted, loaded, test::small_data(3, 3).inputs);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, ModelFileTest, testing::ValuesIn(method_names()),
                         [](const auto& method) { return method.param; });

using ModelFile = ModelFileTest;

TEST_F(ModelFile, WhatIsNotSetStaysSo) {
  Surrogate bare = test::tiny_surrogate("variance");
  bare.parameter_names.clear();
  bare.parameter_range = {};
  bare.input_range = {};
  bare.input_normalisation = {};
  bare.output_normalisation = {};
  bare.state.clear();
  bare.history.clear();
  bare.facts.clear();
  save_model(bare, path_);
  EXPECT_TRUE(load_model(path_) == bare);
}

TEST_F(ModelFile, TheFingerprintTellsModelsApart) {
  Surrogate surrogate = test::tiny_surrogate("diverse");
  save_model(surrogate, path_);
  const std::string first = model_fingerprint(path_);
  EXPECT_EQ(first.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(first.size(), 16U);
  save_model(surrogate, folder_ / "copy.nouq");
  EXPECT_EQ(model_fingerprint(folder_ / "copy.nouq"), first);
  surrogate.weights[0][0] += 1.0F;
  save_model(surrogate, path_);
  EXPECT_NE(model_fingerprint(path_), first);
}

TEST_F(ModelFile, TextThatIsNotUtf8IsReplaced) {
  Surrogate surrogate = test::tiny_surrogate("diverse");
  surrogate.facts["by"] = "M\xfcller";
  surrogate.output_channels[0].unit =
      "\xb0"
      "C";
  save_model(surrogate, path_);
  const Surrogate loaded = load_model(path_);
  EXPECT_EQ(loaded.facts.at("by"), "M\uFFFDller");
  EXPECT_EQ(loaded.output_channels[0].unit, "\uFFFDC");
}

// Nothing is written that could not be loaded again.
TEST_F(ModelFile, AnInconsistentSurrogateIsNotSaved) {
  save_model(test::tiny_surrogate("diverse"), path_);
  const std::string before = test::read_all(path_);
  const std::string start = "cannot save " + path_.string() + ": ";
  const auto expect_refused = [&](const auto& spoil, const std::string& message) {
    Surrogate surrogate = test::tiny_surrogate("diverse");
    spoil(surrogate);
    EXPECT_ERROR(save_model(surrogate, path_), start + message);
    EXPECT_EQ(test::read_all(path_), before);
  };
  expect_refused([](Surrogate& s) { s.weights[0].pop_back(); }, "network 0 has 43 weights: expected 44");
  expect_refused([](Surrogate& s) { s.weights.clear(); }, "the model has no network");
  expect_refused([](Surrogate& s) { s.method = "divers"; },
                 "unknown method 'divers'; did you mean 'diverse'?");
  expect_refused([](Surrogate& s) { s.grid.pop_back(); },
                 "the grid [4] has 1 axes, the network was built for 2");
}

TEST_F(ModelFile, AnUnwritableFolderLeavesTheOldModel) {
  Surrogate surrogate = test::tiny_surrogate("diverse");
  save_model(surrogate, path_);
  const std::string before = test::read_all(path_);
  surrogate.facts["note"] = "new";
  ASSERT_EQ(::chmod(path_.parent_path().c_str(), 0555), 0);
  {
    const test::ActAsNobody nobody;
    if (std::ofstream(folder_ / "probe")) GTEST_SKIP() << "no folder is unwritable for this user";
    EXPECT_ERROR(save_model(surrogate, path_), "cannot write " + path_.string() + ": Permission denied");
  }
  ASSERT_EQ(::chmod(path_.parent_path().c_str(), 0755), 0);
  EXPECT_EQ(test::read_all(path_), before);
}

TEST_F(ModelFile, AFullDiskLeavesTheOldModel) {
  Surrogate surrogate = test::tiny_surrogate("diverse");
  save_model(surrogate, path_);
  const std::string before = test::read_all(path_);
  surrogate.facts["note"] = "new";
  {
    const test::FullDisk full(1000);
    EXPECT_ERROR(save_model(surrogate, path_), "cannot write " + path_.string() + ": File too large");
  }
  EXPECT_EQ(test::read_all(path_), before);
  std::filesystem::remove(path_);
  EXPECT_TRUE(std::filesystem::is_empty(path_.parent_path())) << "a temporary file was left behind";
}

}  // namespace
}  // namespace nouq
