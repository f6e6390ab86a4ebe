// What must not be lost or passed over in silence: inputs, interrupted runs, data on another domain, settings
// that do nothing.
#include <fstream>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/small_model_test.h"
#include "core/file.h"
#include "data/array_file.h"

namespace nouq {
namespace {

class Safety : public test::SmallModelTest {};

TEST_F(Safety, OutputsNeverReplaceInputs) {
  const std::string before = test::read_all(tool / "d.npz");
  EXPECT_EQ(train({"-o", "d.npz"}).errors,
            "nouq: --output d.npz: is one of the inputs and would be lost; name another file\n");
  EXPECT_EQ(test::read_all(tool / "d.npz"), before);
  std::filesystem::create_directory(tool / "folder");
  EXPECT_EQ(train({"-o", "folder"}).errors,
            "nouq: --output folder: is a folder; name a file, as in folder/NAME\n");
  ASSERT_EQ(train({"-o", "m.nouq", "--epochs", "1"}).code, 0);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"report", "m.nouq", "-o", "m.nouq"},
                                                {"evaluate", "m.nouq", "-o", "m.nouq"},
                                                {"predict", "m.nouq", "--input", "d.npz", "-o", "d.npz"},
                                                {"select", "d.npz", "-o", "s.nouq", "--table", "d.npz"}})
    EXPECT_EQ(tool(words).code, 2) << words.front();
  EXPECT_EQ(tool({"info", "m.nouq"}).code, 0);
  EXPECT_EQ(train({"--from", "m.nouq", "-o", "m.nouq"}).errors,
            "nouq: --output m.nouq: is one of the inputs and would be lost; name another file\n");
  EXPECT_EQ(mistake({"select", "d.npz", "-o", "s.nouq", "--table", "./s.nouq"}),
            "nouq: --output and --table are the same file, ./s.nouq: name two\n");
  EXPECT_EQ(mistake({"select", "d.npz", "-o", "s.nouq", "--table", "no/trials.json"}),
            "nouq: --table no/trials.json: there is no folder no; make it first\n");
  EXPECT_FALSE(std::filesystem::exists(tool / "s.nouq.training"));
}

TEST_F(Safety, AnInterruptedRunOfOtherSettingsIsKept) {
  // A run that ends for want of a place to put its model leaves its checkpoints.
  ASSERT_EQ(train({"-o", "m.nouq", "--epochs", "2"}).code, 0);
  std::filesystem::create_directory(tool / "m.nouq.training");
  std::ofstream(tool / "m.nouq.training" / "0123456789abcdef.training") << "somebody's work";
  const std::string refusal =
      "nouq: m.nouq.training holds an interrupted run with other settings or data; give the same options "
      "again to go on "
      "with it, or --fresh to forget it\n";
  EXPECT_EQ(train({"-o", "m.nouq", "--epochs", "3"}).errors, refusal);
  EXPECT_EQ(train({"-o", "m.nouq", "--epochs", "3", "--resume"}).errors, refusal);
  EXPECT_TRUE(std::filesystem::exists(tool / "m.nouq.training" / "0123456789abcdef.training"));
  EXPECT_EQ(train({"-o", "m.nouq", "--epochs", "3", "--fresh"}).code, 0);
}

// Two runs that make the same file would take each other's checkpoints away.
TEST_F(Safety, OneRunAtATimeMakesAFile) {
  std::filesystem::create_directory(tool / "m.nouq.training");
  auto other = LockFile::try_lock(tool / "m.nouq.training" / "run.lock");
  ASSERT_TRUE(other);
  for (const char* command : {"train", "select"}) {
    EXPECT_EQ(mistake({command, "d.npz", "-o", "m.nouq", "--epochs", "1", "--fresh"}),
              "nouq: m.nouq.training is in use: another run is making the same file; wait for it, or name "
              "another\n");
  }
  other.reset();
  EXPECT_EQ(train({"-o", "m.nouq", "--epochs", "1"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(tool / "m.nouq.training"));
}

TEST_F(Safety, UnlabelledInputsNeedNoSolutions) {
  const std::vector<std::string> words = {"--epochs",    "1",       "--warmup", "0",
                                          "--diversity", "outputs", "-o",       "u.nouq"};
  const test::Outcome without = train(words);
  EXPECT_EQ(without.code, 2);
  EXPECT_EQ(without.errors,
            "nouq: diversity outputs: compares the heads on inputs without solutions; give some as "
            "'unlabelled'\n");
  const auto with = [&](const Array<double>& inputs) {
    save_arrays(tool / "inputs.npz", {{"inputs", inputs}});
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--unlabelled", "inputs.npz"});
    return train(all);
  };
  EXPECT_TRUE(
      says(with(Array<double>({5, 8, 8, 1}, 2.0)),
           "unlabelled inputs of shape [5, 8, 8, 1]: expected that of the training inputs, [24, 16, 8, 1]"));
  Array<double> inputs({5, 16, 8, 1}, 2.0);
  inputs[3 * 16 * 8] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(says(with(inputs), "unlabelled inputs: nan in sample 3, expected finite numbers"));
  inputs[3 * 16 * 8] = 2.5;
  const test::Outcome trained = with(inputs);
  EXPECT_EQ(trained.code, 0) << trained.errors;
}

TEST_F(Safety, DataOnAnotherDomainAreRefused) {
  ASSERT_EQ(train({"-o", "m.nouq", "--epochs", "1"}).code, 0);
  ASSERT_EQ(
      tool({"generate", "pme", "--grid", "16x8", "-n", "4", "--option", "final_time=0.5", "-o", "short.npz"})
          .code,
      0);
  const std::string complaint =
      "axis t runs from 0 to 0.448718, but the model was trained on 0 to 0.897436\n";
  EXPECT_EQ(tool({"predict", "m.nouq", "--input", "short.npz"}).errors, "nouq: short.npz: " + complaint);
  EXPECT_EQ(tool({"evaluate", "m.nouq", "--data", "short.npz"}).errors, "nouq: short.npz: " + complaint);
  EXPECT_EQ(train({"-o", "v.nouq", "--validation", "short.npz"}).errors, "nouq: short.npz: " + complaint);
}

TEST_F(Safety, SettingsThatDoNothingAreNamed) {
  EXPECT_TRUE(says(train({"-o", "m.nouq", "--epochs", "3"}), "note: the diversity starts after 10 epochs"));
  const test::Outcome ensemble =
      train({"-o", "e.nouq", "--epochs", "1", "--method", "ensemble", "--strength", "3", "--warmup", "2",
             "--sampled", "2", "--unlabelled", "d.npz", "--count-points", "--laplace", "diagonal"});
  for (const char* option : {"strength", "warmup", "sampled", "unlabelled"})
    EXPECT_TRUE(
        says(ensemble,
             fmt::format("note: --{} does nothing for the method ensemble, only for diverse\n", option)));
  EXPECT_TRUE(
      says(ensemble, "note: --count-points does nothing for the method ensemble, only for bayesian\n"));
  EXPECT_FALSE(says(ensemble, "--laplace")) << "the default, as a printed configuration has it";
  EXPECT_FALSE(says(ensemble, "--count does"));
  EXPECT_TRUE(
      says(train({"-o", "b.nouq", "--epochs", "1", "--method", "bayesian"}),
           "note: --count does nothing for the method bayesian, only for diverse, dropout, ensemble\n"));
  EXPECT_TRUE(says(train({"-o", "u.nouq", "--epochs", "1", "--unlabelled", "d.npz"}),
                   "note: --unlabelled does nothing for the diversity weights, only for those of outputs\n"));
  const test::Outcome selection =
      tool({"select",     "d.npz",   "--method",    "variance", "--widths", "4",           "--rates",
            "1e-3",       "--modes", "4,3",         "--epochs", "1",        "--strengths", "3",
            "--dropouts", "0.3",     "--tolerance", "0.2",      "-o",       "s.nouq"});
  for (const char* option : {"strengths", "dropouts", "tolerance"})
    EXPECT_TRUE(says(selection, fmt::format("note: --{} does nothing for the method variance", option)));
  EXPECT_NE(
      tool({"select", "d.npz", "--strength", "1", "-o", "s.nouq"}).errors.find("did you mean '--strengths'?"),
      std::string::npos);
}

TEST_F(Safety, OptionsOfSelectHaveTheLimitsOfTrain) {
  EXPECT_EQ(mistake({"select", "d.npz", "--widths", "2000", "-o", "s.nouq"}),
            "nouq: --widths = 2000: expected a list of integers from 1 to 1024\n");
  EXPECT_EQ(mistake({"select", "d.npz", "--rates", "20", "-o", "s.nouq"}),
            "nouq: --rates = 20.0: expected a list of numbers from 1e-08 to 10\n");
}

TEST_F(Safety, EvaluateDrawsOrReadsItsTestSets) {
  ASSERT_EQ(train({"-o", "m.nouq", "--epochs", "1"}).code, 0);
  EXPECT_EQ(mistake({"evaluate", "m.nouq", "--data", "d.npz", "--problem", "pme"}),
            "nouq: --problem is about a built-in problem, --data about files: give one\n");
  const test::Outcome outcome = tool({"evaluate", "m.nouq", "--data", "d.npz", "-n", "5", "--seed", "3"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(
      says(outcome, "note: --samples does nothing with --data: all samples of the files are taken\n"));
  EXPECT_TRUE(says(outcome, "note: --seed does nothing with --data"));
  EXPECT_EQ(mistake({"evaluate", "m.nouq", "-o", "no/table.md"}),
            "nouq: --output no/table.md: there is no folder no; make it first\n");
}

TEST_F(Safety, ChannelsOfOnesOwnDataAreAskedByName) {
  Array<double> inputs({20, 8, 4, 1}), outputs(inputs.shape());
  for (Index i = 0; i < inputs.size(); ++i) {
    const Index sample = i / 32;
    inputs[i] = static_cast<double>(sample);
    outputs[i] = 1 + inputs[i] * static_cast<double>(i % 32);
  }
  save_arrays(tool / "own.npz", {{"inputs", inputs}, {"outputs", outputs}});
  ASSERT_EQ(
      tool({"train", "own.npz", "--width", "4", "--modes", "2,2", "--epochs", "1", "-o", "own.nouq"}).code,
      0);
  const test::Outcome info = tool({"info", "own.nouq", "--json"});
  const std::string name = nlohmann::json::parse(info.output).at("inputs").at(0).at("name");
  EXPECT_EQ(tool({"predict", "own.nouq", "--param", name + "=3.5"}).code, 0);
  EXPECT_EQ(
      tool({"predict", "own.nouq", "--param", "wrong=3.5"}).errors,
      "nouq: --param: the model takes " + name + ": give each of them once, or the inputs with --input\n");
  outputs[0] = 1;
  std::fill(outputs.begin() + 32 * 7, outputs.begin() + 32 * 8, 0.0);
  save_arrays(tool / "own.npz", {{"inputs", inputs}, {"outputs", outputs}});
  EXPECT_EQ(tool({"train", "own.npz", "-o", "x.nouq"}).errors,
            "nouq: own.npz: the output of sample 7 is zero everywhere, so its relative error is not defined; "
            "leave that sample out\n");
}

}  // namespace
}  // namespace nouq
