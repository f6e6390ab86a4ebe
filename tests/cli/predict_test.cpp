// nouq predict: answers on other grids, bands that mean something, and mistakes found before the work.
#include "cli/small_model_test.h"
#include "data/array_file.h"

namespace nouq {
namespace {

class Predict : public test::SmallModelTest {
 protected:
  // One that can be asked on other grids, with bands.
  [[nodiscard]] test::Outcome train_any_grid(std::vector<std::string> more) const {
    more.insert(more.end(),
                {"--padding-fraction", "0.5", "--coverage", "0.8", "--epochs", "1", "-o", "m.nouq"});
    return train(more);
  }
  [[nodiscard]] bool has_band(const std::string& file) const {
    return open_run_file(tool / file)->has("band");
  }
};

TEST_F(Predict, PicturesAreOnTheGridOfTheInputs) {
  ASSERT_EQ(train_any_grid({}).code, 0);
  ASSERT_EQ(tool({"generate", "pme", "--grid", "8x4", "-n", "2", "-o", "coarse.npz"}).code, 0);
  const test::Outcome outcome =
      tool({"predict", "m.nouq", "-i", "coarse.npz", "--figure", "a.svg", "--plot"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(test::read_all(tool / "a.svg").find("t = 0.789"), std::string::npos) << "the last of four times";
  save_arrays(tool / "plain.npz", {{"inputs", Array<double>({1, 8, 4, 1}, 2.5)}});
  ASSERT_EQ(tool({"predict", "m.nouq", "-i", "plain.npz", "--figure", "b.svg"}).code, 0);
  EXPECT_NE(test::read_all(tool / "b.svg").find("t = 0.299"), std::string::npos)
      << "the second of four times over those of the model";
  EXPECT_EQ(tool({"report", "m.nouq", "--data", "coarse.npz", "--conserve", "none", "-o", "r.html"}).code, 0);
}

double largest_std(const std::filesystem::path& file) {
  const Array<double> std = open_run_file(file)->read("std");
  return *std::max_element(std.begin(), std.end());
}

TEST_F(Predict, SigmaIsSizedByDataAndByTheLawUnlessToldOtherwise) {
  ASSERT_EQ(train({"--epochs", "1", "-o", "m.nouq"}).code, 0);
  const auto std_of = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"predict", "m.nouq", "--param", "m=9", "-o", "a.npz"};
    words.insert(words.end(), more.begin(), more.end());
    const test::Outcome outcome = tool(words);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return largest_std(tool / "a.npz");
  };
  const double usual = std_of({}), law = std_of({"--sizing", "law"}), data = std_of({"--sizing", "data"});
  EXPECT_EQ(usual, law);
  EXPECT_GE(law, data);
  EXPECT_GT(data, std_of({"--sizing", "none"}));
  EXPECT_NE(tool({"info", "m.nouq"}).output.find("held-out samples: variance times"), std::string::npos);
  save_arrays(tool / "plain.npz", {{"inputs", Array<double>({1, 16, 8, 1}, 2.5)}});
  EXPECT_TRUE(says(tool({"predict", "m.nouq", "-i", "plain.npz", "--sizing", "law"}), "--values"));
  EXPECT_EQ(tool({"evaluate", "m.nouq", "--data", "d.npz", "--sizing", "data"}).code, 0);
}

TEST_F(Predict, BandsAreWrittenWhereTheyCover) {
  ASSERT_EQ(train_any_grid({}).code, 0);
  ASSERT_EQ(tool({"predict", "m.nouq", "-i", "d.npz", "-o", "a.npz"}).code, 0);
  EXPECT_TRUE(has_band("a.npz"));
  const test::Outcome projected =
      tool({"predict", "m.nouq", "-i", "d.npz", "--conserve", "bounded", "-o", "b.npz"});
  ASSERT_EQ(projected.code, 0) << projected.errors;
  EXPECT_TRUE(has_band("b.npz"));
  const test::Outcome stricter = tool({"predict", "m.nouq", "-i", "d.npz", "--conserve", "bounded",
                                       "--noise-variance", "1e-9", "-o", "c.npz"});
  ASSERT_EQ(stricter.code, 0) << stricter.errors;
  EXPECT_FALSE(has_band("c.npz"));
  EXPECT_TRUE(
      says(stricter, "note: no 'band' is written: the model has none for this projection of these inputs\n"));
}

// Finite inputs can still be too large for a network: a fill value of a file, say.
TEST_F(Predict, WhatIsNoNumberIsNotCalledInDomain) {
  ASSERT_EQ(train({"--epochs", "1", "--trust-level", "0.8", "-o", "m.nouq"}).code, 0);
  save_arrays(tool / "fill.npz", {{"inputs", Array<double>({1, 16, 8, 1}, 9.96921e36)}});
  const test::Outcome outcome = tool({"predict", "m.nouq", "-i", "fill.npz"});
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("not a finite number"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("out-of-domain"), std::string::npos) << outcome.output;
}

TEST_F(Predict, ATruthOfOtherChannelsIsNotDrawn) {
  Array<double> inputs({20, 8, 4, 1}, 1.0), outputs(inputs.shape(), 2.0);
  for (Index i = 0; i < inputs.size(); i += 3) inputs[i] = outputs[i] = 0.5;
  save_arrays(tool / "own.npz", {{"inputs", inputs}, {"outputs", outputs}});
  ASSERT_EQ(train_on("own.npz", {"--epochs", "1", "-o", "m.nouq"}).code, 0);
  const auto drawing = [&](const char* file) {
    const test::Outcome outcome = tool({"predict", "m.nouq", "-i", file, "--figure", "a.svg"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return test::read_all(tool / "a.svg");
  };
  EXPECT_NE(drawing("own.npz").find("truth"), std::string::npos);
  save_arrays(tool / "two.npz", {{"inputs", inputs}, {"outputs", Array<double>({20, 8, 4, 2}, 7.0)}});
  EXPECT_EQ(drawing("two.npz").find("truth"), std::string::npos);
}

TEST_F(Predict, CapitalEndingsMeanTheSame) {
  ASSERT_EQ(train({"--epochs", "1", "-o", "m.nouq"}).code, 0);
  ASSERT_EQ(tool({"predict", "m.nouq", "-i", "d.npz", "-o", "A.NPZ"}).code, 0);
  EXPECT_EQ(test::read_all(tool / "A.NPZ").substr(0, 2), "PK") << "a ZIP file";
}

TEST_F(Predict, SamplesAreWrittenWhenAskedFor) {
  ASSERT_EQ(train_any_grid({}).code, 0);
  for (const char* projection : {"none", "bounded"}) {
    ASSERT_EQ(tool({"predict", "m.nouq", "-i", "d.npz", "--conserve", projection, "-o", "a.npz"}).code, 0);
    EXPECT_FALSE(open_run_file(tool / "a.npz")->has("samples")) << projection;
    ASSERT_EQ(
        tool({"predict", "m.nouq", "-i", "d.npz", "--conserve", projection, "--samples", "-o", "a.npz"}).code,
        0);
    EXPECT_EQ(open_run_file(tool / "a.npz")->read("samples").shape(), (Shape{30, 3, 16, 8, 1}));
  }
}

TEST_F(Predict, PointwiseBandsAreLeftOutOnAnotherGrid) {
  ASSERT_EQ(train_any_grid({"--pointwise"}).code, 0);
  ASSERT_EQ(tool({"generate", "pme", "--grid", "8x4", "-n", "2", "-o", "coarse.npz"}).code, 0);
  const test::Outcome outcome = tool({"predict", "m.nouq", "-i", "coarse.npz", "-o", "a.npz"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_FALSE(has_band("a.npz"));
  EXPECT_TRUE(says(outcome,
                   "note: no 'band' is written: the model's bands are for fields of shape [16, 8, 1], "
                   "the prediction has shape [2, 8, 4, 1]\n"));
}

// A factor for whole fields says nothing of fields with more points.
TEST_F(Predict, BandsOfWholeFieldsAreLeftOutOnAnotherGrid) {
  ASSERT_EQ(train_any_grid({}).code, 0);
  ASSERT_EQ(tool({"generate", "pme", "--grid", "32x16", "-n", "2", "-o", "fine.npz"}).code, 0);
  const test::Outcome outcome = tool({"predict", "m.nouq", "-i", "fine.npz", "-o", "a.npz"});
  ASSERT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_FALSE(has_band("a.npz"));
  EXPECT_TRUE(says(outcome, "note: no 'band' is written"));
}

// What is drawn is what is written: the calibrated band, and three raw standard deviations only where there
// is none.
TEST_F(Predict, FiguresShowTheCalibratedBand) {
  ASSERT_EQ(train_any_grid({}).code, 0);
  const auto title = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"predict", "m.nouq", "--param", "m=2.5", "--figure", "a.svg"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(tool(words).code, 0);
    const std::string svg = test::read_all(tool / "a.svg");
    const auto begin = svg.find("<title>") + 7;
    return svg.substr(begin, svg.find("</title>") - begin);
  };
  EXPECT_EQ(title({}), "Prediction of m.nouq, with bands of 80 %");
  EXPECT_EQ(title({"--sizing", "none"}), "Prediction of m.nouq, with three standard deviations");
}

TEST_F(Predict, MistakesAreFoundBeforeTheWork) {
  EXPECT_EQ(mistake({"predict", "none.nouq", "-i", "d.npz", "--figure", "a.txt"}),
            "nouq: cannot write a figure as a.txt: expected a name that ends in .svg or .png\n");
  EXPECT_EQ(mistake({"predict", "none.nouq", "-i", "d.npz", "--figure", "no/a.svg"}),
            "nouq: --figure no/a.svg: there is no folder no; make it first\n");
  ASSERT_EQ(train({"--epochs", "1", "-o", "m.nouq"}).code, 0);
  EXPECT_EQ(mistake({"predict", "m.nouq", "-i", "d.npz", "--plot", "--show", "30", "-o", "a.npz"}),
            "nouq: --show 30: there are 30 samples, numbered from 0\n");
  EXPECT_FALSE(std::filesystem::exists(tool / "a.npz"));
}

// The problem of the data, with its options: another domain and another parameter.
TEST_F(Predict, OptionsOfTheProblemAreRemembered) {
  ASSERT_EQ(tool({"generate", "gpme", "--option", "form=constant", "--range", "1:2", "--grid", "16x8", "-n",
                  "30", "-o", "g.npz"})
                .code,
            0);
  ASSERT_EQ(train_on("g.npz", {"--epochs", "1", "-o", "g.nouq"}).code, 0);
  const test::Outcome asked = tool({"predict", "g.nouq", "--param", "k=1.5", "--conserve", "diagonal"});
  EXPECT_EQ(asked.code, 0) << asked.errors;
  // The sine has negative values, which the bounds of the default form would not allow.
  ASSERT_EQ(tool({"generate", "gpme", "--option", "form=constant", "--range", "1.5:1.5", "--grid", "16x8",
                  "-n", "1", "-o", "q.npz"})
                .code,
            0);
  ASSERT_EQ(tool({"predict", "g.nouq", "--param", "k=1.5", "--conserve", "bounded", "-o", "a.npz"}).code, 0);
  ASSERT_EQ(tool({"predict", "g.nouq", "-i", "q.npz", "--conserve", "bounded", "-o", "b.npz"}).code, 0);
  EXPECT_EQ(test::read_all(tool / "a.npz"), test::read_all(tool / "b.npz"));
  const auto table = result({"evaluate", "g.nouq", "-n", "3", "--conserve", "none,diagonal"});
  EXPECT_FALSE(table.empty());
}

// With an exponent of 300 gpme's solver gives up; a surrogate answers all the same.
TEST_F(Predict, TheSolverRunsForPicturesAndItsOwnLawOnly) {
  ASSERT_EQ(
      tool({"generate", "gpme", "--option", "form=power", "--grid", "16x8", "-n", "30", "-o", "g.npz"}).code,
      0);
  ASSERT_EQ(train_on("g.npz", {"--epochs", "1", "-o", "g.nouq"}).code, 0);
  const auto asked = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"predict", "g.nouq", "--param", "m=300"});
    return tool(more);
  };
  const test::Outcome alone = asked({"-o", "a.npz"});
  EXPECT_EQ(alone.code, 0) << alone.errors;
  for (const auto& more :
       {std::vector<std::string>{"--figure", "a.svg"}, {"--plot"}, {"--conserve", "bounded"}}) {
    const test::Outcome outcome = asked(more);
    EXPECT_EQ(outcome.code, 1) << more.front();
    EXPECT_TRUE(says(outcome, "Newton did not converge")) << more.front();
  }
}

TEST_F(Predict, PicturesOfAProblemHaveItsTruth) {
  ASSERT_EQ(train({"--epochs", "1", "-o", "m.nouq"}).code, 0);
  ASSERT_EQ(tool({"predict", "m.nouq", "--param", "m=2.5", "--figure", "a.svg"}).code, 0);
  EXPECT_NE(test::read_all(tool / "a.svg").find("truth"), std::string::npos);
}

}  // namespace
}  // namespace nouq
