// --config and --print-config: what is printed configures, and the command line goes first.
#include "cli/tool_test.h"

namespace nouq {
namespace {

using test::Outcome;

class Config : public testing::Test {
 protected:
  std::string print(std::vector<std::string> words) const {
    words.emplace_back("--print-config");
    const Outcome outcome = tool(words);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return outcome.output;
  }
  test::Tool tool;
};

TEST_F(Config, PrintedConfigurationsReadBackForEveryCommand) {
  for (const std::string& name : test::visible_commands) {
    const std::string printed = print({name});
    EXPECT_TRUE(printed.starts_with("[" + name + "]\n")) << printed;
    test::write_all(tool / "printed.toml", printed);
    EXPECT_EQ(print({name, "--config", "printed.toml"}), printed);
  }
}

TEST_F(Config, CommandLineThenFileThenDefaults) {
  test::write_all(tool / "a.toml",
                  "[generate]\nproblem = \"heat\"\nsamples = 7\nseed = 3\n[demo]\nepochs = 2\n");
  const std::string printed = print({"generate", "-c", "a.toml", "-n", "9"});
  EXPECT_NE(printed.find("\nproblem = \"heat\"\n"), std::string::npos) << "from the file";
  EXPECT_NE(printed.find("\nseed = 3\n"), std::string::npos) << "from the file";
  EXPECT_NE(printed.find("\nsamples = 9\n"), std::string::npos) << "from the command line";
  EXPECT_NE(printed.find("\nthreads = 0\n"), std::string::npos) << "the default";
  EXPECT_NE(print({"demo", "-c", "a.toml"}).find("\nepochs = 2\n"), std::string::npos);
}

TEST_F(Config, AFileMakesTheSameDataAsOptions) {
  test::write_all(
      tool / "a.toml",
      "[generate]\nproblem = \"heat\"\nrange = \"1:2\"\nsamples = 3\ngrid = \"9x4\"\noutput = \"a.npz\"\n");
  ASSERT_EQ(tool({"generate", "--config", "a.toml"}).code, 0);
  ASSERT_EQ(tool({"generate", "heat", "--range", "1:2", "-n", "3", "--grid", "9x4", "-o", "b.npz"}).code, 0);
  EXPECT_EQ(test::read_all(tool / "a.npz"), test::read_all(tool / "b.npz"));
}

TEST_F(Config, MistakesNameFileAndLine) {
  const auto mistake = [&](const std::string& text) {
    test::write_all(tool / "a.toml", text);
    const Outcome outcome = tool({"generate", "--config", "a.toml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.output, "");
    return outcome.errors;
  };
  EXPECT_EQ(mistake("[generate]\nsampels = 3\n"),
            "nouq: a.toml:2: unknown key 'sampels' in [generate]; did you mean 'samples'?\n");
  EXPECT_EQ(mistake("[generate]\nsamples = 0\n"),
            "nouq: a.toml:2: samples = 0: expected an integer from 1 to 1000000000\n");
  EXPECT_EQ(mistake("[generate]\n[demo]\nepoch = 3\n"),
            "nouq: a.toml:3: unknown key 'epoch' in [demo]; did you mean 'epochs'?\n")
      << "tables of other commands are checked too";
  EXPECT_EQ(
      mistake("[demo]\nepochs = 3\n"),
      "nouq: a.toml: has no table [generate], so it says nothing about this command; add one, or leave out "
      "--config\n");
  EXPECT_EQ(mistake("[generate]\nhelp = true\n"),
            "nouq: a.toml:2: 'help' can be given on the command line only\n");
}

TEST_F(Config, OptionsOfOneCommandDoNotLeakIntoAnother) {
  test::write_all(tool / "a.toml", "[problems]\njson = true\n[metrics]\nquiet = true\n");
  EXPECT_FALSE(tool({"metrics", "-c", "a.toml"}).output.starts_with("[")) << "json was said of problems";
  EXPECT_TRUE(tool({"problems", "-c", "a.toml"}).output.starts_with("["));
}

}  // namespace
}  // namespace nouq
