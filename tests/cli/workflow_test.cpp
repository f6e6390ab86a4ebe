// From data to an answer with the tool alone: train, evaluate, predict, report, and what goes wrong on the
// way.
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/tool.h"
#include "model/model_file.h"

namespace nouq {
namespace {

using test::Outcome;
using test::Tool;

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const std::vector<std::string> quick_fit = {"--modes", "4,3", "--epochs", "3", "--count", "3", "--quiet"};
const std::vector<std::string> quick = with(quick_fit, {"--width", "4"});

// A small data set of the porous medium equation.
void generate(const Tool& tool, const std::string& name, const std::string& seed = "0") {
  const Outcome o = tool({"generate", "pme", "--grid", "16x8", "-n", "30", "--seed", seed, "-o", name});
  ASSERT_EQ(o.code, 0) << o.errors;
}

std::string bytes_of(const Tool& tool, const std::string& name) { return test::read_all(tool / name); }

TEST(Workflow, TrainEvaluatePredictReport) {
  const Tool tool;
  generate(tool, "pme.npz");
  Outcome o =
      tool(with({"train", "pme.npz", "-o", "m.nouq", "--coverage", "0.8", "--trust-level", "0.8"}, quick));
  ASSERT_EQ(o.code, 0) << o.errors;
  EXPECT_NE(o.output.find("validation   relative error"), std::string::npos) << o.output;
  EXPECT_FALSE(std::filesystem::exists(tool / "m.nouq.training"));

  o = tool({"evaluate", "m.nouq", "-n", "5", "--conserve", "none,diagonal,bounded", "--json"});
  ASSERT_EQ(o.code, 0) << o.errors;
  const auto rows = nlohmann::json::parse(o.output);
  ASSERT_EQ(rows.size(), 12U) << "four ranges, three projections";
  EXPECT_EQ(rows[2].at("projection"), "bounded");
  EXPECT_GT(rows[2].at("mse"), 0.0);

  o = tool({"predict", "m.nouq", "--param", "m=2.5,m=6", "--conserve", "bounded", "-o", "a.npz", "--figure",
            "a.svg", "--json"});
  ASSERT_EQ(o.code, 0) << o.errors;
  EXPECT_EQ(nlohmann::json::parse(o.output)["trust"].size(), 2U);
  EXPECT_NE(bytes_of(tool, "a.svg").find("<svg"), std::string::npos);

  const auto outside = nlohmann::json::parse(tool({"predict", "m.nouq", "--param", "m=6", "--json"}).output);
  ASSERT_EQ(outside.at("out_of_range").size(), 1U) << outside;
  EXPECT_EQ(outside.at("out_of_range")[0].at("share"), 1.0);
  EXPECT_LT(outside.at("out_of_range")[0].at("high").get<double>(), 6.0);
  o = tool({"predict", "m.nouq", "--param", "m=6", "--plot"});
  ASSERT_EQ(o.code, 0) << o.errors;
  EXPECT_NE(o.output.find("Prediction of m.nouq"), std::string::npos) << o.output;
  EXPECT_EQ(o.output.find('\033'), std::string::npos) << "colours are for terminals";

  o = tool({"report", "m.nouq", "-n", "5", "-o", "r.html"});
  ASSERT_EQ(o.code, 0) << o.errors;
  EXPECT_NE(bytes_of(tool, "r.html").find("Can it be trusted?"), std::string::npos);
}

TEST(Workflow, EveryMethodTrainsAndSelectKeepsATableOfTrials) {
  const Tool tool;
  generate(tool, "pme.npz");
  for (const std::string method : {"bayesian", "variance", "dropout", "ensemble", "diverse"}) {
    const Outcome o = tool(
        with({"train", "pme.npz", "--method", method, "-o", method + ".nouq", "--coverage", "0.8"}, quick));
    EXPECT_EQ(o.code, 0) << method << ": " << o.errors;
  }
  const Outcome o = tool(with({"select", "pme.npz", "--widths", "4", "--rates", "1e-3,1e-2", "--strengths",
                               "0.1,1", "--table", "trials.json", "-o", "best.nouq", "--json"},
                              quick_fit));
  ASSERT_EQ(o.code, 0) << o.errors;
  EXPECT_EQ(nlohmann::json::parse(bytes_of(tool, "trials.json")).size(), 4U);
}

TEST(Workflow, FineTuningKeepsTheArchitecture) {
  const Tool tool;
  generate(tool, "pme.npz");
  generate(tool, "more.npz", "7");
  ASSERT_EQ(
      tool(with({"train", "pme.npz", "--method", "ensemble", "--normalise", "on", "-o", "m.nouq"}, quick))
          .code,
      0);
  const std::vector<std::string> tune = {"train",    "more.npz", "--from", "m.nouq",
                                         "--epochs", "2",        "-o",     "tuned.nouq"};
  EXPECT_EQ(
      tool(with(tune, {"--method", "diverse"})).errors,
      "nouq: --method diverse: m.nouq is of the method ensemble, which fine-tuning keeps; leave --method out, "
      "or train a new model\n");
  EXPECT_EQ(
      tool(with(tune, {"--width", "6", "--count", "5", "--normalise", "off"})).errors,
      "nouq: from: the model to start from and what is asked differ: width 4 and 6, count 3 and 5, normalise "
      "on and off; fine-tuning keeps method, network and normalisation, so leave these options out, or train "
      "a new model\n");
  const Outcome o = tool(with(tune, {"--method", "ensemble", "--width", "4"}));
  ASSERT_EQ(o.code, 0) << o.errors;
  EXPECT_NE(o.errors.find("method ensemble, fno of width 4, 2 epochs; channels normalised\n"),
            std::string::npos)
      << o.errors;
  const Surrogate from = load_model(tool / "m.nouq"), tuned = load_model(tool / "tuned.nouq");
  EXPECT_EQ(tuned.method, "ensemble");
  EXPECT_EQ(tuned.network, from.network);
  EXPECT_EQ(tuned.input_normalisation, from.input_normalisation);
  ASSERT_EQ(tuned.weights.size(), 3U);
  EXPECT_NE(tuned.weights, from.weights);
}

TEST(Workflow, MessagesSayWhatToDo) {
  const Tool tool;
  generate(tool, "pme.npz");
  const auto error = [&](const std::vector<std::string>& words) {
    const Outcome o = tool(words);
    EXPECT_EQ(o.code, 2) << o.errors;
    return o.errors;
  };
  EXPECT_EQ(error({"train", "pme.npz", "--modes", "40", "-o", "m.nouq"}).find("nouq: "), 0U);
  EXPECT_NE(error({"train", "pme.npz", "--methd", "diverse", "-o", "m.nouq"}).find("--method"),
            std::string::npos);
  EXPECT_NE(error({"train", "pme.npz", "--method", "divers", "-o", "m.nouq"}).find("diverse"),
            std::string::npos);
  EXPECT_NE(error({"train", "none.npz", "-o", "m.nouq"}).find("none.npz"), std::string::npos);
  EXPECT_NE(error({"evaluate", "pme.npz"}).find("pme.npz"), std::string::npos);
  EXPECT_NE(error({"train", "pme.npz", "--resume", "-o", "m.nouq"}).find("leave --resume out"),
            std::string::npos);
  ASSERT_EQ(tool(with({"train", "pme.npz", "-o", "m.nouq"}, quick)).code, 0);
  EXPECT_EQ(error({"predict", "m.nouq"}),
            "nouq: give the inputs: either --input FILE or --param NAME=VALUE\n");
  EXPECT_NE(error({"predict", "m.nouq", "--param", "k=2"}).find("has the parameter m"), std::string::npos);
}

// The commands of a page of docs, word for word but for what trainings are given besides; how many blocks of
// them there were.
std::size_t run_page(const std::string& page, const Tool& tool, const std::string& to_train = "") {
  const std::string text = test::read_all(test::source_dir() + "/docs/" + page);
  std::string script = "set -e\n";
  std::size_t blocks = 0;
  for (auto at = text.find("```sh\n"); at != std::string::npos; at = text.find("```sh\n", at), ++blocks) {
    const auto end = text.find("```\n", at + 6);
    script += text.substr(at + 6, end - at - 6);
    at = end;
  }
  const std::string train = "nouq train ";
  for (auto at = script.find(train); !to_train.empty() && at != std::string::npos;
       at = script.find(train, at + train.size()))
    script.insert(at + train.size(), to_train + " ");
  std::ofstream(tool / "page.sh") << script;
  const auto folder = [](const std::string& program) {
    return std::filesystem::path(program).parent_path().string();
  };
  const std::string command =
      fmt::format("cd {} && PATH={}:{}:$PATH sh page.sh > out.txt 2>&1", (tool / ".").string(),
                  folder(test::tool()), folder(test::test_python()));
  EXPECT_EQ(std::system(command.c_str()), 0) << bytes_of(tool, "out.txt");
  EXPECT_TRUE(std::filesystem::exists(tool / "report.html"));
  return blocks;
}

TEST(Tutorial, RunsAsWritten) {
  if (test::test_python().empty()) GTEST_SKIP() << "no Python with h5py";
  EXPECT_EQ(run_page("tutorial.md", Tool()), 6U);
}

double relative_error(const Tool& tool, const std::string& model) {
  const auto rows = nlohmann::json::parse(tool({"evaluate", model, "--data", "test.npz", "--json"}).output);
  return rows.at(0).at("relative_l2").get<double>();
}

TEST(OwnData, RunsAsWrittenAndTheNextRunsHelp) {
  if (test::test_python().empty()) GTEST_SKIP() << "no Python with numpy";
  const Tool tool;
  EXPECT_EQ(run_page("own-data.md", tool), 7U);
  EXPECT_LT(relative_error(tool, "better.nouq"), 0.7 * relative_error(tool, "mine.nouq"));
  EXPECT_LT(relative_error(tool, "improved.nouq"), 0.7 * relative_error(tool, "mine.nouq"));
}

// Six layouts of files, each to a report; trained for a moment.
TEST(SixKindsOfRuns, RunAsWritten) {
  if (test::test_python().empty()) GTEST_SKIP() << "no Python with numpy";
  const Tool tool;
  std::filesystem::copy(test::source_dir() + "/examples/own_data/runs.py", tool / "runs.py");
  EXPECT_EQ(run_page("six-kinds-of-runs.md", tool, "--epochs 2 --width 6 --count 3"), 7U);
  for (const std::string kind : {"darcy", "airfoil", "waves", "advection", "floods"})
    EXPECT_TRUE(std::filesystem::exists(tool / (kind + ".html"))) << kind;
  EXPECT_NE(bytes_of(tool, "airfoil-samples.csv").find("relative error tau"), std::string::npos);
  EXPECT_NE(bytes_of(tool, "airfoil.svg").find("tau [Pa]"), std::string::npos) << "every channel is shown";
  EXPECT_NE(bytes_of(tool, "airfoil.md").find("Which samples are worst?"), std::string::npos);
  const auto rows = nlohmann::json::parse(
      tool({"evaluate", "burgers-step.nouq", "--data", "burgers-long.npz", "--conserve", "bounded", "--json"})
          .output);
  EXPECT_EQ(rows.back().at("of trained time"), 10.0);
  EXPECT_LT(rows.back().at("off the law"), 1e-10);
  const test::Outcome unasked =
      tool({"evaluate", "burgers-step.nouq", "--data", "burgers-long.npz", "--per-sample", "s.csv"});
  EXPECT_EQ(unasked.code, 2);
  EXPECT_EQ(unasked.errors.find("nouq: --per-sample: these data are trajectories"), 0U) << unasked.errors;
  EXPECT_NE(
      tool({"info", "burgers-step.nouq"}).output.find("one step of 0.02 at a time, trained over 20 of them"),
      std::string::npos);
}

}  // namespace
}  // namespace nouq
