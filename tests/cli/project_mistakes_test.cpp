// What nouq project refuses, and how it says so.
#include <limits>

#include "cli/tool_test.h"
#include "data/array_file.h"
#include "data/npy.h"

namespace nouq {
namespace {

class ProjectMistakes : public test::ToolTest {
 protected:
  void SetUp() override {
    save_npy(tool / "m.npy", Array<double>({2, 3, 2}, 1.0));
    save_npy(tool / "v.npy", Array<double>({2, 3, 2}, 1.0));
    save_arrays(tool / "values.npz", {{"mass", Array<double>({2, 2}, 3.0)}});
  }
  // What is wrong when these words follow the usual ones.
  [[nodiscard]] std::string wrong(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"project", "--mean", "m.npy", "--axes", "x=0:2,t=0:1", "-o", "out.npz"};
    words.insert(words.end(), more.begin(), more.end());
    const std::string message = mistake(words);
    EXPECT_FALSE(std::filesystem::exists(tool / "out.npz"));
    return message.substr(0, message.find('\n')).substr(6);
  }
  [[nodiscard]] std::string wrong_constraint(const std::string& text) const {
    return wrong({"--var", "v.npy", "--values", "values.npz", "--constraint", text});
  }
  const std::string good = "integral axis=x value=mass";
};

TEST_F(ProjectMistakes, Shapes) {
  save_npy(tool / "short.npy", Array<double>({2, 3, 3}, 1.0));
  EXPECT_EQ(wrong({"--var", "short.npy"}),
            "--var short.npy: shape [2, 3, 3, 1], expected that of the mean, [2, 3, 2, 1]");
  save_npy(tool / "flat.npy", Array<double>({5}, 1.0));
  EXPECT_EQ(
      mistake({"project", "--mean", "flat.npy", "--var", "flat.npy", "--axes", "x=0:2,t=0:1", "-o", "o.npz"}),
      "nouq: --mean flat.npy: shape [5], expected [n, axes...(, channels)] or [axes...] on a grid of 2 "
      "axes\n");
  save_npy(tool / "mass.npy", Array<double>({2, 3}, 3.0));
  std::string numbers = "0.5";
  for (int i = 0; i < 80; ++i) numbers += "+0.5";  // longer than a file's name can be
  EXPECT_NE(wrong_constraint("integral axis=x value=" + numbers).find("values of shape [1, 81]"),
            std::string::npos);
  EXPECT_EQ(wrong_constraint("integral axis=x value=mass.npy"),
            "integral over x: values of shape [2, 3], expected one for all, or [2, 2], one for each sample "
            "and place");
}

TEST_F(ProjectMistakes, OptionsThatWouldDoNothing) {
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--var", "v.npy", "--values", "values.npz", "--constraint", good});
    return wrong(more);
  };
  EXPECT_EQ(with({"--fixed-variance"}),
            "--fixed-variance is for bounded projections: give bounds or --bounded");
  EXPECT_EQ(with({"--variance-update", "displaced"}),
            "--variance-update displaced is for bounded projections: give bounds or --bounded");
  save_npy(tool / "uneven.npy", Array<double>({3}, {0.0, 0.5, 2.0}));
  EXPECT_EQ(mistake({"project", "--mean", "m.npy", "--var", "v.npy", "--axes", "x=uneven.npy,t=0:1",
                     "--constraint", "integral axis=x value=1", "--smooth", "x:0.5", "-o", "out.npz"}),
            "nouq: smoothing along x: its points are spaced unevenly (0.5 after 0); smoothing needs even "
            "spacing\n");
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--diagonal-share", "0.1"}, {"--independent-axis", "x"}})
    EXPECT_EQ(with(option),
              "--diagonal-share and --independent-axis are about the covariance of samples: give "
              "--covariance low-rank "
              "or low-rank+diagonal");
  EXPECT_EQ(
      with({"--monotone", "x:increasing", "--variance-update", "truncated"}),
      "variance update truncated: is for bounds alone, not for monotone profiles; take displaced or samples");
  EXPECT_EQ(with({"--smooth", "x:0.5", "--lower", "0"}), "--smooth cannot keep to bounds: leave out either");
  EXPECT_EQ(with({"--smooth", "x:0.5", "--sigma-power", "1"}),
            "--sigma-power 1 has no meaning with --smooth: leave out either");
  EXPECT_EQ(with({"--smooth", "x"}), "--smooth = 'x': expected AXIS:CORRELATION, as in x:0.5");
}

TEST_F(ProjectMistakes, AnswersOverTheirOwnInput) {
  save_arrays(tool / "in.npz", {{"m", Array<double>({2, 3, 2}, 1.0)}});
  const auto size = std::filesystem::file_size(tool / "in.npz");
  EXPECT_NE(mistake({"project", "--mean", "in.npz:m", "--var", "v.npy", "--axes", "x=0:2,t=0:1", "--lower",
                     "0", "-o", "in.npz"})
                .find("in.npz"),
            std::string::npos);
  EXPECT_NE(wrong({"--var", "v.npy", "--lower", "in.npz:m", "-o", "in.npz"}), "");
  EXPECT_NE(wrong({"--var", "v.npy", "--constraint", "integral axis=x value=in.npz:m", "-o", "in.npz"}), "");
  EXPECT_EQ(std::filesystem::file_size(tool / "in.npz"), size);
}

TEST_F(ProjectMistakes, Values) {
  Array<double> values({2, 3, 2}, 1.0);
  values[7] = std::numeric_limits<double>::quiet_NaN();
  save_npy(tool / "nan.npy", values);
  EXPECT_EQ(wrong({"--var", "nan.npy"}),
            "--var nan.npy: value nan in sample 1, element 1 of it: expected a finite number");
  values[7] = -0.5;
  save_npy(tool / "negative.npy", values);
  EXPECT_EQ(wrong({"--var", "negative.npy"}),
            "--var negative.npy: value -0.5 in sample 1, element 1 of it: expected none below zero");
  EXPECT_EQ(wrong({"--std", "negative.npy"}),
            "--std negative.npy: value -0.5 in sample 1, element 1 of it: expected none below zero");
}

TEST_F(ProjectMistakes, WhatIsMissing) {
  EXPECT_EQ(
      wrong({"--constraint", good}),
      "the prediction has no uncertainty, which says where to correct it: give --var, --std or --samples");
  EXPECT_EQ(wrong({"--var", "v.npy"}),
            "there is nothing to obey: give --constraint, --constraints, --problem, or bounds");
  EXPECT_EQ(mistake({"project", "--mean", "m.npy", "--var", "v.npy", "-o", "out.npz"}),
            "nouq: the grid is not known: give --axes, as in --axes x=0:1,t=0:0.5, or --data or --problem\n");
  EXPECT_EQ(wrong({"--var", "v.npy", "--problem", "pme"}),
            "--problem pme: its parameter is not known; give --param m=VALUE, for all samples or for each");
}

TEST_F(ProjectMistakes, Names) {
  EXPECT_EQ(wrong_constraint("integral axis=y value=mass"),
            "unknown axis 'y'; did you mean 'x'? Valid: x, t");
  EXPECT_EQ(wrong_constraint("integral axis=x value=mas"),
            "unknown array 'mas'; did you mean 'mass'? Valid: m, mass");
  EXPECT_EQ(wrong_constraint("integrl axis=x value=mass").substr(0, 63),
            "unknown constraint kind 'integrl'; did you mean 'integral'? Val");
  EXPECT_EQ(wrong_constraint("integral axes=x value=mass").substr(0, 68),
            "unknown setting of constraint integral 'axes'; did you mean 'axis'? ");
  EXPECT_EQ(wrong_constraint("axis=x"),
            "--constraint = 'axis=x': expected a kind and its settings, as in 'integral axis=x value=mass'; "
            "'nouq constraints' lists the kinds");
  EXPECT_EQ(wrong({"--var", "v.npy", "--monotone", "x", "--constraint", "integral axis=x value=3"}),
            "--monotone = 'x': expected x:increasing or x:decreasing");
}

TEST_F(ProjectMistakes, ContradictionsAreNamed) {
  const std::string message = wrong({"--var", "v.npy", "--constraint", "integral axis=x value=3",
                                     "--constraint", "integral axis=x value=4"});
  EXPECT_NE(message.find("integral over x at t = 0"), std::string::npos) << message;
  EXPECT_NE(message.find("contradict"), std::string::npos) << message;
}

TEST_F(ProjectMistakes, BoundsThatAllowNoSolution) {
  const std::string message =
      wrong({"--var", "v.npy", "--constraint", "integral axis=x value=7", "--upper", "2"});
  EXPECT_NE(message.find("integral over x at t = 0"), std::string::npos) << message;
  EXPECT_NE(message.find('3'), std::string::npos) << "by how much: 7 is wanted, 4 is allowed; " << message;
  EXPECT_NE(
      wrong({"--var", "v.npy", "--lower", "2", "--upper", "1", "--constraint", "integral axis=x value=3"})
          .find("the lower bound 2 is above the upper bound 1"),
      std::string::npos);
}

TEST_F(ProjectMistakes, Coordinates) {
  save_npy(tool / "x.npy", Array<double>({3}, {0.0, 2.0, 1.0}));
  EXPECT_EQ(mistake({"project", "--mean", "m.npy", "--var", "v.npy", "--axes", "x=x.npy,t=0:1",
                     "--constraint", "integral axis=x value=1", "-o", "out.npz"}),
            "nouq: --axes: axis x: coordinate 2 is 1, expected finite numbers that increase\n");
  EXPECT_EQ(
      mistake({"project", "--mean", "m.npy", "--var", "v.npy", "--axes", "x=0:1,x=0:1", "-o", "out.npz"}),
      "nouq: --axes: axis 'x' is given twice\n");
}

TEST_F(ProjectMistakes, SamplesOfTooLowARank) {
  save_npy(tool / "heads.npy", Array<double>({1, 2, 3, 2}, {1, 2, 1, 2, 1, 2, 2, 2, 1, 3, 0, 2}));
  EXPECT_NE(
      mistake({"project", "--samples", "heads.npy", "--axes", "x=0:2,t=0:1", "--covariance", "low-rank",
               "--independent-axis", "none", "--constraint", "integral axis=x value=1", "-o", "out.npz"})
          .find("rank"),
      std::string::npos);
}

}  // namespace
}  // namespace nouq
