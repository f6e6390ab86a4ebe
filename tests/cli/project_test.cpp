// nouq project: a case by hand, every way of saying what must hold, and that it then holds.
#include <cmath>

#include <fmt/format.h>

#include "cli/tool_test.h"
#include "data/array_file.h"
#include "data/load.h"
#include "data/npy.h"

namespace nouq {
namespace {

class Project : public test::ToolTest {
 protected:
  // Two fields on three points in x and two times. The trapezoid weights of x = 0, 1, 2 are 1/2, 1, 1/2.
  void SetUp() override {
    save_npy(tool / "m.npy", Array<double>({2, 3, 2}, {1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4}));
    save_npy(tool / "v.npy", Array<double>({2, 3, 2}, {0, 1, 1, 1, 0, 1, 4, 1, 4, 1, 4, 1}));
    save_arrays(tool / "values.npz", {{"mass", Array<double>({2, 2}, {3, 4, 6, 5})}});
  }
  [[nodiscard]] Array<double> read(const std::string& name, const std::string& file = "out.npz") const {
    return open_run_file(tool / file)->read(name);
  }
  // The options of the case, and more.
  [[nodiscard]] static std::vector<std::string> with(const std::vector<std::string>& more) {
    std::vector<std::string> words = {"project", "--mean",      "m.npy", "--var",  "v.npy",
                                      "--axes",  "x=0:2,t=0:1", "-o",    "out.npz"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  const std::vector<std::string> mass = {"--constraint", "integral axis=x value=mass", "--values",
                                         "values.npz"};
};

TEST_F(Project, ByHand) {
  const auto about = result(with(mass));
  EXPECT_EQ(about.at("constraints").at(0).at("name"), "integral axis=x value=mass");
  EXPECT_EQ(about.at("constraints").at(0).at("rows"), 2);
  // Masses are 2, 4 and 6, 8; wanted are 3, 4 and 6, 5.
  EXPECT_DOUBLE_EQ(about.at("constraints").at(0).at("before").at("largest"), 3.0);
  EXPECT_DOUBLE_EQ(about.at("constraints").at(0).at("before").at("mean"), 1.0);
  EXPECT_LT(about.at("constraints").at(0).at("after").at("largest"), 1e-14);
  const Array<double> mean = read("mean");
  EXPECT_EQ(mean.shape(), (Shape{2, 3, 2}));
  EXPECT_DOUBLE_EQ(mean[2], 2.0) << "only the uncertain value moves";
  EXPECT_DOUBLE_EQ(mean[0], 1.0);
  // Sigma g / g' Sigma g = (1/2, 1, 1/2) / 1.5, times a residual of 3.
  EXPECT_DOUBLE_EQ(mean[7], 4 - 1.0);
  EXPECT_DOUBLE_EQ(mean[9], 4 - 2.0);
  EXPECT_DOUBLE_EQ(read("variance")[9], 1 - 1 / 1.5);
  EXPECT_DOUBLE_EQ(read("std")[9], std::sqrt(1 - 1 / 1.5));
  EXPECT_DOUBLE_EQ(read("residual_before")[1], 3.0);
}

TEST_F(Project, OneFieldAloneAndOneChannel) {
  save_npy(tool / "m.npy", Array<double>({3, 2}, {1, 2, 1, 2, 1, 2}));
  save_npy(tool / "v.npy", Array<double>({3, 2}, 1.0));
  ASSERT_EQ(tool(with({"--constraint", "integral axis=x value=3"})).code, 0);
  EXPECT_EQ(read("mean").shape(), (Shape{3, 2}));
  const Array<double> alone = read("mean");
  save_npy(tool / "m.npy", Array<double>({1, 3, 2, 1}, {1, 2, 1, 2, 1, 2}));
  save_npy(tool / "v.npy", Array<double>({1, 3, 2, 1}, 1.0));
  ASSERT_EQ(tool(with({"--constraint", "integral axis=x value=3"})).code, 0);
  EXPECT_EQ(read("mean").shape(), (Shape{1, 3, 2, 1}));
  for (Index i = 0; i < alone.size(); ++i) EXPECT_EQ(read("mean")[i], alone[i]);
}

TEST_F(Project, EverySayingOfTheSameGivesTheSame) {
  ASSERT_EQ(tool(with(mass)).code, 0);
  const std::string expected = test::read_all(tool / "out.npz");
  const auto same = [&](std::vector<std::string> words) {
    const test::Outcome outcome = tool(words);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_TRUE(test::read_all(tool / "out.npz") == expected) << testing::PrintToString(words);
  };
  test::write_all(tool / "law.toml", "[[constraint]]\nkind = \"integral\"\naxis = \"x\"\nvalue = \"mass\"\n");
  same(with({"--constraints", "law.toml", "--values", "values.npz"}));
  save_npy(tool / "mass.npy", Array<double>({2, 2}, {3, 4, 6, 5}));
  same(with({"--constraint", "integral axis=x value=mass.npy"}));
  same(with({"--constraint", "integral axis=x value=mass", "--values", "mass.npy"}));
  same(with({"--constraint", "integral axis=x value=values.npz:mass"}));
  save_npy(tool / "x.npy", Array<double>({3}, {0, 1, 2}));
  same({"project", "--mean", "m.npy", "--var", "v.npy", "--axes", "x=x.npy,t=0:1", "-o", "out.npz",
        "--constraint", "integral axis=x value=mass.npy"});
  save_arrays(tool / "all.npz", {{"mean", load_npy<double>(tool / "m.npy")},
                                 {"variance", load_npy<double>(tool / "v.npy")},
                                 {"mass", Array<double>({2, 2}, {3, 4, 6, 5})},
                                 {"x", Array<double>({3}, {0, 1, 2})},
                                 {"t", Array<double>({2}, {0, 1})}});
  same({"project", "--mean", "all.npz", "--var", "all.npz", "--axes", "x,t", "-o", "out.npz", "--constraint",
        "integral axis=x value=mass"});
}

TEST_F(Project, SamplesAllMeetTheLaw) {
  save_npy(tool / "heads.npy", Array<double>({1, 3, 3, 2}, {1, 2, 1, 2, 1, 2,  //
                                                            2, 2, 1, 3, 0, 2,  //
                                                            1, 1, 3, 2, 1, 4}));
  for (const char* covariance : {"diagonal", "low-rank", "low-rank+diagonal"}) {
    const auto about = result({"project", "--samples", "heads.npy", "--axes", "x=0:2,t=0:1", "--covariance",
                               covariance, "--constraint", "integral axis=x value=5", "-o", "out.npz"});
    EXPECT_LT(about.at("residual_after").at(0), 1e-13) << covariance;
    const Array<double> heads = read("samples");
    ASSERT_EQ(heads.shape(), (Shape{1, 3, 3, 2}));
    for (Index head = 0; head < 3; ++head) {
      const double* u = heads.data() + 6 * head;
      EXPECT_NEAR(0.5 * u[0] + u[2] + 0.5 * u[4], 5.0, 1e-12) << covariance;
      EXPECT_NEAR(0.5 * u[1] + u[3] + 0.5 * u[5], 5.0, 1e-12) << covariance;
    }
  }
}

TEST_F(Project, BoundsHoldTogetherWithTheLaw) {
  const auto about = result(with({"--constraint", "integral axis=x value=mass", "--values", "values.npz",
                                  "--lower", "0", "--upper", "3.5"}));
  EXPECT_DOUBLE_EQ(about.at("bounds").at("before").at("largest"), 0.5);
  EXPECT_EQ(about.at("bounds").at("after").at("largest"), 0.0);
  EXPECT_LT(about.at("constraints").at(0).at("after").at("largest"), 1e-12);
  EXPECT_GE(about.at("variance_scale").at(1), 1.0);
}

TEST_F(Project, MonotoneProfiles) {
  save_npy(tool / "m.npy", Array<double>({1, 3, 2}, {1, 3, 2, 2, 1.5, 1}));
  save_npy(tool / "v.npy", Array<double>({1, 3, 2}, 1.0));
  ASSERT_EQ(tool(with({"--constraint", "integral axis=x value=4", "--monotone", "x:decreasing"})).code, 0);
  const Array<double> mean = read("mean");
  for (Index i = 0; i < 4; ++i) EXPECT_GE(mean[i] + 1e-12, mean[i + 2]);
}

TEST_F(Project, NoiseGivesWay) {
  const auto largest = [&](const std::string& noise_variance) {
    std::vector<std::string> words = with(mass);
    words.insert(words.end(), {"--noise-variance", noise_variance});
    return result(words).at("constraints").at(0).at("after").at("largest").get<double>();
  };
  EXPECT_LT(largest("0"), 1e-14);
  // The row's own variance is 1.5, of a residual of 3.
  EXPECT_DOUBLE_EQ(largest("1.5"), 1.5);
}

class ProjectData : public Project {
 protected:
  // A data set, and a prediction of it that is wrong by a factor.
  void SetUp() override {
    ASSERT_EQ(tool({"generate", "pme", "-n", "3", "--grid", "32x4", "-o", "data.npz"}).code, 0);
    data = load_data_set(tool / "data.npz");
    Array<double> mean(data.outputs.shape(), {data.outputs.begin(), data.outputs.end()});
    for (double& value : mean) value = 1.2 * value - 0.01;
    save_npy(tool / "m.npy", mean);
    save_npy(tool / "v.npy", Array<double>(mean.shape(), 0.01));
  }
  DataSet data;
};

TEST_F(ProjectData, TheMassOfADataSet) {
  const auto about =
      result({"project", "--mean", "m.npy", "--var", "v.npy", "--data", "data.npz", "-o", "out.npz"});
  EXPECT_EQ(about.at("constraints").at(0).at("name"), "integral axis=x value=mass");
  EXPECT_GT(about.at("constraints").at(0).at("before").at("largest"), 1e-2);
  EXPECT_LT(about.at("constraints").at(0).at("after").at("largest"), 1e-14);
}

TEST_F(ProjectData, TheNoiseOfADataSet) {
  const auto about = result({"project", "--mean", "m.npy", "--var", "v.npy", "--data", "data.npz",
                             "--noise-variance-from", "data.npz", "-o", "out.npz"});
  const double after = about.at("constraints").at(0).at("after").at("largest");
  EXPECT_GT(after, 1e-14) << "as exactly as the data";
  EXPECT_LT(after, 0.1 * about.at("constraints").at(0).at("before").at("largest").get<double>());
}

TEST_F(ProjectData, AConstraintsOwnNoiseStaysBesideThatOfADataSet) {
  const auto about =
      result({"project", "--mean", "m.npy", "--var", "v.npy", "--data", "data.npz", "--noise-variance-from",
              "data.npz", "--constraint", "integral axis=x value=mass noise_variance=1e6", "-o", "out.npz"});
  EXPECT_EQ(about.at("constraints").at(0).at("after").at("largest").get<float>(),
            about.at("constraints").at(0).at("before").at("largest").get<float>());
  EXPECT_NE(mistake({"project", "--mean", "m.npy", "--var", "v.npy", "--axes", "x=0:7,t=0:1",
                     "--noise-variance-from", "data.npz", "--constraint", "integral axis=x value=0.1", "-o",
                     "out.npz"})
                .find("expected data on the same grid"),
            std::string::npos);
}

// Bounds alone have no noise variance, and arrays that are no samples' serve the training data too.
TEST_F(ProjectData, TheNoiseOfADataSetForBoundsAndKnownPoints) {
  const auto about = result({"project", "--mean", "m.npy", "--var", "v.npy", "--axes", "x=0:1,t=0:1",
                             "--lower", "0", "--noise-variance-from", "data.npz", "-o", "out.npz"});
  EXPECT_TRUE(about.at("constraints").empty());
  const double x = data.grid[0].coordinates[3], t = data.grid[1].coordinates[2];
  save_arrays(tool / "at.npz", {{"at", Array<double>({1, 2}, std::vector<double>{x, t})}});
  EXPECT_EQ(
      tool({"project", "--mean", "m.npy", "--var", "v.npy", "--data", "data.npz", "--values", "at.npz",
            "--constraint", "points at=at value=0.5", "--noise-variance-from", "data.npz", "-o", "out.npz"})
          .code,
      0);
}

TEST_F(ProjectData, SmoothFieldsMeetTheMassToo) {
  const auto about = result({"project", "--mean", "m.npy", "--var", "v.npy", "--data", "data.npz", "--smooth",
                             "x:0.5", "-o", "out.npz"});
  EXPECT_LT(about.at("constraints").at(0).at("after").at("largest"), 1e-12);
  const auto roughness = [&](const Array<double>& field) {
    double sum = 0;  // second differences along x; t is the last axis, 4 points
    for (Index i = 4; i + 4 < 32 * 4; ++i) sum += std::abs(field[i - 4] - 2 * field[i] + field[i + 4]);
    return sum;
  };
  EXPECT_LT(roughness(read("mean")), 0.9 * roughness(load_npy<double>(tool / "m.npy")));
}

TEST_F(ProjectData, TheLawOfAProblemGivesWayToo) {
  const auto largest = [&](const std::string& noise_variance) {
    const auto about = result({"project", "--mean", "m.npy", "--var", "v.npy", "--data", "data.npz",
                               "--problem", "pme", "--noise-variance", noise_variance, "-o", "out.npz"});
    return about.at("constraints").at(0).at("after").at("largest").get<double>();
  };
  EXPECT_LT(largest("0"), 1e-14);
  EXPECT_GT(largest("1e-3"), 1e-3);
}

TEST_F(ProjectData, TheLawAndBoundsOfAProblem) {
  const auto about = result({"project", "--mean", "m.npy", "--var", "v.npy", "--data", "data.npz",
                             "--problem", "pme", "--bounded", "-o", "out.npz"});
  EXPECT_EQ(about.at("constraints").at(0).at("name"), "law of pme");
  EXPECT_LT(about.at("constraints").at(0).at("after").at("largest"), 1e-12);
  EXPECT_GT(about.at("bounds").at("before").at("largest"), 0.0);
  EXPECT_EQ(about.at("bounds").at("after").at("largest"), 0.0);
  // The same from values of the parameter.
  std::vector<std::string> words = {"project",   "--mean", "m.npy",     "--var", "v.npy",
                                    "--problem", "pme",    "--bounded", "-o",    "again.npz"};
  for (const double parameter : data.parameters)
    words.insert(words.end(), {"--param", fmt::format("m={}", parameter)});
  ASSERT_EQ(tool(words).code, 0);
  const Array<double> first = read("mean"), again = read("mean", "again.npz");
  for (Index i = 0; i < first.size(); ++i) EXPECT_NEAR(first[i], again[i], 1e-12);
}

}  // namespace
}  // namespace nouq
