// nouq score: the figures of a small case by hand, every way of giving it, and what is refused.
#include <cmath>

#include "cli/tool_test.h"
#include "data/array_file.h"
#include "data/load.h"
#include "data/npy.h"

namespace nouq {
namespace {

class Score : public test::ToolTest {
 protected:
  // Two fields on a grid of three points in x and two times; the mean is off by 0.5 and by 1.
  void SetUp() override {
    save_npy(tool / "m.npy", mean);
    save_npy(tool / "u.npy", truth);
    save_npy(tool / "v.npy", Array<double>({2, 3, 2}, 4.0));
    save_npy(tool / "s.npy", Array<double>({2, 3, 2}, 2.0));
  }
  Array<double> mean{{2, 3, 2}, {1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3}};
  Array<double> truth{{2, 3, 2}, {1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 2, 2, 2, 2, 2, 2}};
};

TEST_F(Score, ByHand) {
  const auto score = result({"score", "--mean", "m.npy", "--var", "v.npy", "--truth", "u.npy"});
  EXPECT_EQ(score.at("samples"), 2);
  EXPECT_DOUBLE_EQ(score.at("metrics").at("mse"), (0.25 + 1.0) / 2);
  EXPECT_DOUBLE_EQ(score.at("per_sample").at("mse").at(1), 1.0);
  EXPECT_DOUBLE_EQ(score.at("metrics").at("coverage"), 1.0);
  EXPECT_FALSE(score.at("metrics").contains("conservation_error")) << "no mass was given";
}

TEST_F(Score, AMeanAloneHasFewerMetrics) {
  const auto score = result({"score", "--mean", "m.npy", "--truth", "u.npy"});
  EXPECT_EQ(score.at("metrics").size(), 2U) << score;
  EXPECT_TRUE(score.at("metrics").contains("relative_l2"));
}

TEST_F(Score, StandardDeviationsAreRootsOfVariances) {
  EXPECT_EQ(result({"score", "--mean", "m.npy", "--std", "s.npy", "--truth", "u.npy"}),
            result({"score", "--mean", "m.npy", "--var", "v.npy", "--truth", "u.npy"}));
}

TEST_F(Score, SamplesGiveMeanAndVariance) {
  Array<double> samples({2, 2, 3, 2});  // the mean +- 1, whose variance with M - 1 is 2
  for (Index i = 0; i < samples.size(); ++i)
    samples[i] = mean[i / 12 * 6 + i % 6] + (i / 6 % 2 == 0 ? 1.0 : -1.0);
  save_npy(tool / "heads.npy", samples);
  save_npy(tool / "v.npy", Array<double>({2, 3, 2}, 2.0));
  EXPECT_EQ(result({"score", "--samples", "heads.npy", "--truth", "u.npy"}),
            result({"score", "--mean", "m.npy", "--var", "v.npy", "--truth", "u.npy"}));
}

TEST_F(Score, TheMassNeedsAxes) {
  save_npy(tool / "mass.npy", Array<double>({2, 2}, {2, 3, 6, 6}));
  const auto score =
      result({"score", "--mean", "m.npy", "--truth", "u.npy", "--mass", "mass.npy", "--axes", "x=0:2,t=0:1"});
  // Masses are 2 and 6 at both times: |2 - 2| + |2 - 3|, and 0.
  EXPECT_DOUBLE_EQ(score.at("metrics").at("conservation_error"), 0.5);
  EXPECT_EQ(mistake({"score", "--mean", "m.npy", "--truth", "u.npy", "--mass", "mass.npy"}),
            "nouq: --mass needs the two axes of the fields, space and time: give --axes x=A:B,t=A:B\n");
}

TEST_F(Score, ADataSetHasTruthAndMass) {
  ASSERT_EQ(tool({"generate", "pme", "-n", "3", "--grid", "16x4", "-o", "data.npz"}).code, 0);
  const DataSet data = load_data_set(tool / "data.npz");
  Array<double> answer(data.outputs.shape(), {data.outputs.begin(), data.outputs.end()}), spread = answer;
  for (double& value : answer) value *= 1.1;
  for (double& value : spread) value = 0.01 + 0.1 * std::abs(value);
  save_arrays(tool / "answer.npz", {{"mean", answer}, {"std", spread}});
  const auto score = result({"score", "--mean", "answer.npz", "--std", "answer.npz", "--data", "data.npz"});
  EXPECT_NEAR(score.at("metrics").at("relative_l2"), 0.1, 1e-6);
  EXPECT_GT(score.at("metrics").at("conservation_error"), 0.0);
  EXPECT_EQ(score.at("metrics").size(), result({"metrics"}).size()) << "all there are";
}

TEST_F(Score, TextAndMarkdown) {
  const std::vector<std::string> words = {"score", "--mean", "m.npy", "--truth", "u.npy", "--metrics", "mse"};
  const test::Outcome text = tool(words);
  EXPECT_NE(text.output.find("mse     0.625"), std::string::npos) << text.output;
  std::vector<std::string> marked = words;
  marked.emplace_back("--markdown");
  EXPECT_NE(tool(marked).output.find("| mse | 0.625"), std::string::npos) << tool(marked).output;
}

TEST_F(Score, Mistakes) {
  const std::string start = "nouq: ";
  EXPECT_EQ(mistake({"score", "--mean", "m.npy"}),
            start + "there is no truth to compare with: give --truth or --data\n");
  EXPECT_EQ(mistake({"score", "--truth", "u.npy"}),
            start + "there is no prediction: give --mean or --samples\n");
  save_npy(tool / "short.npy", Array<double>({2, 3}, 1.0));
  EXPECT_EQ(mistake({"score", "--mean", "m.npy", "--truth", "short.npy"}),
            start + "the truth has shape [2, 3], expected that of the mean, [2, 3, 2]\n");
  EXPECT_EQ(mistake({"score", "--mean", "m.npy", "--var", "short.npy", "--truth", "u.npy"}),
            start + "--var short.npy: shape [2, 3], expected that of the mean, [2, 3, 2]\n");
  EXPECT_EQ(mistake({"score", "--mean", "m.npy", "--truth", "u.npy", "--metrics", "crps"}),
            start + "metric crps needs --var, --std or --samples\n");
  save_arrays(tool / "two.npz", {{"a", mean}, {"b", mean}});
  EXPECT_EQ(mistake({"score", "--mean", "two.npz", "--truth", "u.npy"}),
            start + "--mean: two.npz holds the arrays a, b: say which, as in two.npz:a\n");
  EXPECT_EQ(mistake({"score", "--mean", "two.npz:c", "--truth", "u.npy"}),
            start + "--mean: two.npz has no array 'c'; did you mean 'a'? It holds a, b\n");
  test::write_all(tool / "text", "hello");
  EXPECT_EQ(mistake({"score", "--mean", "text", "--truth", "u.npy"}),
            start + "text: is neither NPY, NPZ nor HDF5, by its first bytes, nor called .csv\n");
}

}  // namespace
}  // namespace nouq
