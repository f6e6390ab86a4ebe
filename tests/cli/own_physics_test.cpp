// A user's own finite-volume data with a law and bounds, from import to prediction: the tool knows them all
// the way, also for inputs that say nothing.
#include <cmath>

#include "cli/tool_test.h"
#include "data/array_file.h"
#include "data/load.h"
#include "model/model_file.h"

namespace nouq {
namespace {

constexpr Index cells = 8, times = 4;

// u = a averaged over x and y in [0, 2] x [0, 1], 8 x 4 cells, at one time each: a heat of 2 a.
class OwnPhysics : public test::ToolTest {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(tool / "runs");
    std::string table = "file,a\n";
    for (int run = 0; run < 30; ++run) {
      const double a = 0.2 + 0.02 * run;
      Array<double> u({cells, 4, times});
      for (Index i = 0; i < u.size(); ++i)
        u[i] = a * (1 + 0.5 * std::sin(0.25 * M_PI * (0.5 + static_cast<double>(i / (4 * times)))));
      double heat = 0;
      for (Index x = 0; x < cells; ++x) heat += 0.25 * u[x * 4 * times];
      const std::string name = "r" + std::to_string(run);
      save_arrays(
          tool / "runs" / (name + ".npz"),
          {{"u", u}, {"t", Array<double>({times}, {0, 1, 2, 3})}, {"q", Array<double>({times}, heat)}});
      table += name + "," + std::to_string(a) + "\n";
    }
    test::write_all(tool / "runs.csv", table);
  }
  void import() {
    const test::Outcome outcome =
        tool({"import",       "runs",   "--table",       "runs.csv",    "--outputs", "u",
              "--axes",       "x,y,t",  "--coordinates", "x=0:2,y=0:1", "--cells",   "x,y",
              "--constraint", "heat=q", "--law",         "heat=x+y:u",  "--lower",   "u=0",
              "-o",           "d.npz"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
  }
  void train() {
    import();
    const test::Outcome outcome = tool({"train", "d.npz", "--epochs", "1", "--width", "2", "--modes", "2",
                                        "--method", "ensemble", "--count", "2", "-o", "m.nouq"});
    ASSERT_EQ(outcome.code, 0) << outcome.errors;
  }
};

TEST_F(OwnPhysics, IsImportedAndShown) {
  import();
  const DataSet data = load_data_set(tool / "d.npz");
  EXPECT_EQ(data.grid[0].kind, AxisKind::cells);
  EXPECT_EQ(data.grid[0].coordinates[0], 0.125);
  EXPECT_EQ(data.grid[2].kind, AxisKind::points);
  const auto about = result({"info", "d.npz"});
  EXPECT_EQ(about.at("grid").at(1).at("kind"), "cells");
  EXPECT_EQ(about.at("laws").at(0).at("name"), "heat");
  EXPECT_EQ(about.at("laws").at(0).at("integral_over"), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(about.at("bounds").at(0).at("at_least"), 0);
  EXPECT_TRUE(about.at("bounds").at(0).at("at_most").is_null());
  const test::Outcome text = tool({"info", "d.npz"});
  for (const char* line :
       {"8 points from 0.125 to 1.875, cells\n", "integral of output 0 over x, y\n", "at least 0\n"})
    EXPECT_NE(text.output.find(line), std::string::npos) << line << "\n" << text.output;
  EXPECT_NE(mistake({"import", "runs", "--table", "runs.csv", "--outputs", "u", "--axes", "x,y,t",
                     "--periodic", "x", "--cells", "x", "-o", "e.npz"})
                .find("axis 'x' is in --periodic and in --cells: give one"),
            std::string::npos);
}

TEST_F(OwnPhysics, GoesIntoTheModelAndComesBackForPlainInputs) {
  train();
  const Surrogate surrogate = load_model(tool / "m.nouq");
  EXPECT_EQ(surrogate.laws.at("heat").axes, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(surrogate.bounds.at(0).lower, 0);
  EXPECT_EQ(surrogate.state.at("law.noise").size(), times);
  EXPECT_EQ(result({"info", "m.nouq"}).at("laws").at(0).at("name"), "heat");
  Array<double> inputs({1, cells, 4, times, 1}, 0.3);
  save_arrays(tool / "q.npz", {{"inputs", inputs}});
  save_arrays(tool / "v.npz", {{"heat", Array<double>({1, times}, 0.7)}});
  ASSERT_EQ(tool({"predict", "m.nouq", "--input", "q.npz", "--conserve", "bounded", "--values", "v.npz",
                  "--noise-variance", "0", "-o", "a.npz"})
                .code,
            0);
  const Array<double> mean = open_run_file(tool / "a.npz")->read("mean");
  for (Index t = 0; t < times; ++t) {
    double heat = 0;
    for (Index i = t; i < mean.size(); i += times) heat += 0.25 * 0.25 * mean[i];
    EXPECT_NEAR(heat, 0.7, 1e-12);
  }
  EXPECT_GE(*std::min_element(mean.begin(), mean.end()), 0);
  EXPECT_EQ(tool({"predict", "m.nouq", "--param", "a=0.3", "--conserve", "bounded", "-o", "b.npz"}).code, 0)
      << "within the bounds alone";
  EXPECT_EQ(mistake({"predict", "m.nouq", "--param", "a=0.3", "--conserve", "diagonal"}).substr(0, 60),
            "nouq: projection diagonal: the data have no conservation law");
}

TEST_F(OwnPhysics, IsEvaluatedAndProjectedOnto) {
  train();
  const auto table = result({"evaluate", "m.nouq", "--data", "d.npz", "--conserve", "none,bounded"});
  EXPECT_NE(table.dump().find("conservation_error"), std::string::npos) << table;
  save_arrays(tool / "p.npz", {{"mean", Array<double>({30, cells, 4, times}, 0.4)},
                               {"std", Array<double>({30, cells, 4, times}, 0.1)}});
  const auto summary =
      result({"project", "--mean", "p.npz:mean", "--std", "p.npz:std", "--data", "d.npz", "-o", "o.npz"});
  EXPECT_NE(summary.dump().find("integral axis=x+y value=heat"), std::string::npos) << summary;
  ASSERT_EQ(tool({"score", "--mean", "o.npz", "--std", "o.npz:std", "--data", "d.npz", "--metrics",
                  "conservation_error"})
                .code,
            0);
  EXPECT_LT(result({"score", "--mean", "o.npz", "--std", "o.npz:std", "--data", "d.npz", "--metrics",
                    "conservation_error"})
                .at("metrics")
                .at("conservation_error"),
            1e-9);
}

}  // namespace
}  // namespace nouq
