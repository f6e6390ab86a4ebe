// nouq reproduce with the preset for tests: from data to the table beside the paper's, and nothing twice.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/tool.h"

namespace nouq {
namespace {

using test::Outcome;
using test::Tool;

std::size_t files_in(const std::filesystem::path& folder, const std::string& extension) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    count += entry.path().extension() == extension;
  return count;
}

TEST(Reproduce, SmokePresetFillsTheStoreOnce) {
  const Tool tool;
  const std::vector<std::string> words = {"reproduce",  "--preset",  "smoke", "--problems",
                                          "heat,darcy", "--results", "r"};
  const Outcome first = tool(words);
  ASSERT_EQ(first.code, 0) << first.errors;
  EXPECT_EQ(files_in(tool / "r", ".json"), 10U);  // two problems, five methods
  EXPECT_NE(first.output.find("1.1e-7"), std::string::npos)
      << "the paper's figure of heat, diverse, in domain";
  const Outcome others =
      tool({"reproduce", "--problems", "heat", "--methods", "variance", "--results", "r", "--again"});
  EXPECT_EQ(others.code, 0) << "evaluated with the store's settings, not those of the preset paper";
  EXPECT_NE(others.errors.find("no results with these settings: heat"), std::string::npos) << others.errors;
  std::filesystem::remove_all(tool / "r" / "models");  // results are all that a page needs
  const Outcome page = tool({"report", "r", "--preset", "smoke", "-o", "page.html", "--markdown", "page.md",
                             "--figures", "pictures"});
  ASSERT_EQ(page.code, 0) << page.errors;
  EXPECT_EQ(page.output, "wrote page.html\nwrote pictures\nwrote page.md\n");
  const std::string markdown = test::read_all(tool / "page.md");
  EXPECT_NE(markdown.find("](pictures/heat-in-domain.svg)"), std::string::npos);
  EXPECT_NE(markdown.find("](pictures/heat-ensemble-where-do-members-agree.svg)"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(tool / "pictures" / "darcy-large.svg"));
  EXPECT_TRUE(std::filesystem::exists(tool / "pictures" / "heat-large-projection.svg"))
      << "three shifts projected";
  const std::string projected = test::read_all(tool / "pictures" / "heat-small-projection.svg");
  for (const char* curve : {">before</text>", ">diagonal</text>", ">bounded</text>"})
    EXPECT_NE(projected.find(curve), std::string::npos) << curve;
  const Outcome other = tool({"report", "r"});  // the preset paper
  EXPECT_EQ(other.code, 2);
  EXPECT_EQ(other.errors, "nouq: no result with these settings is in r\n");
  const Outcome second = tool(words);  // would train again if it did not know the results
  EXPECT_EQ(second.output, first.output);
  EXPECT_EQ(files_in(tool / "r" / "models", ".training"), 0U);
  const Outcome table = tool(
      {"reproduce", "--preset", "smoke", "--problems", "heat", "--results", "r", "--table-only", "--json"});
  EXPECT_EQ(nlohmann::json::parse(table.output).size(), 1U);
  const Outcome partly =
      tool({"reproduce", "--preset", "smoke", "--results", "r", "--table-only", "--format", "json"});
  EXPECT_EQ(partly.code, 0) << partly.errors;
  EXPECT_EQ(nlohmann::json::parse(partly.output).size(), 2U) << "four problems are not there yet";
  const Outcome none =
      tool({"reproduce", "--preset", "smoke", "--problems", "pme", "--results", "r", "--table-only"});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.errors, "nouq: r has no result of pme with these settings\n");
  const Outcome diverged = tool({"reproduce", "--preset", "smoke", "--problems", "pme", "--methods",
                                 "variance", "--rates", "10", "--results", "r"});
  EXPECT_EQ(diverged.code, 1);
  EXPECT_NE(diverged.errors.find("no result of pme, variance, seed 0: "), std::string::npos)
      << diverged.errors;
  EXPECT_EQ(tool({"reproduce", "--results", "misspelt", "--table-only"}).errors,
            "nouq: --results = 'misspelt': there is no such folder\n");
  EXPECT_NE(
      tool({"reproduce", "--preset", "smoke", "--results", "r", "--table-only", "--tables", "strengths"})
          .errors.find("say nothing about: strengths"),
      std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(tool / "misspelt")) << "looking makes nothing";
  const Outcome again = tool({"reproduce", "--preset", "smoke", "--results", "r", "--again"});
  EXPECT_EQ(again.code, 1);
  EXPECT_NE(again.errors.find("heat, bayesian, seed 0: "), std::string::npos) << again.errors;
  EXPECT_EQ(again.output, first.output) << "what fails costs nobody the tables";
  const Outcome model_options = tool({"report", "r", "--preset", "smoke", "--conserve", "diagonal"});
  EXPECT_EQ(model_options.errors, "nouq: --conserve is about a model file, and r is none\n");
  EXPECT_EQ(tool({"report", "r", "--preset", "smoke", "--threads", "1"}).errors,
            "nouq: --threads is about a model file, and r is none\n");
  EXPECT_EQ(
      tool({"reproduce", "--preset", "smoke", "--results", "r", "--table-only", "--threads", "1"}).errors,
      "nouq: --threads has nothing to do with --table-only\n");
}

// The whole way in seconds: trained by the recipe, read with sigma sized.
TEST(Reproduce, TheRecipeShowsSizedSigmaBesideThePapers) {
  const Tool tool;
  const std::vector<std::string> words = {
      "reproduce", "--preset",  "recipe", "--problems", "pme", "--epochs", "2",           "--samples",
      "40",        "--widths",  "4",      "--count",    "2",   "--tables", "paper,sized", "--test-samples",
      "5",         "--results", "r"};
  const Outcome first = tool(words);
  ASSERT_EQ(first.code, 0) << first.errors;
  EXPECT_EQ(files_in(tool / "r", ".json"), 5U);
  EXPECT_NE(first.output.find("sigma as the method gives it, and sized"), std::string::npos) << first.output;
  EXPECT_EQ(tool(words).output, first.output);
  const Outcome again = tool({"reproduce", "--problems", "pme", "--results", "r", "--again"});
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(tool(words).output, first.output) << "the networks are found by their fingerprints";
}

TEST(Reproduce, RefusesAPageThatCannotBeWrittenBeforeItRuns) {
  const Tool tool;
  std::filesystem::create_directory(tool / "folder");
  const Outcome o = tool({"reproduce", "--preset", "smoke", "--results", "r", "--page", "folder"});
  EXPECT_EQ(o.code, 2);
  EXPECT_NE(o.errors.find("--page"), std::string::npos) << o.errors;
  EXPECT_EQ(tool({"reproduce", "--preset", "smoke", "--results", "r", "--page", "nowhere/p.html"}).errors,
            "nouq: --page nowhere/p.html: there is no folder nowhere; make it first\n");
  EXPECT_NE(tool({"reproduce", "--preset", "smoke", "--results", "r", "--paper", "none.json"})
                .errors.find("cannot open none.json"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(tool / "r"));
}

TEST(Reproduce, CommandLineGoesBeforeFileBeforePreset) {
  const Tool tool;
  std::ofstream(tool / "c.toml") << "[reproduce]\nepochs = 7\ncount = 5\n";
  const Outcome o =
      tool({"reproduce", "--preset", "smoke", "--config", "c.toml", "--count", "4", "--print-config"});
  EXPECT_NE(o.output.find("\nepochs = 7\n"), std::string::npos) << o.output;
  EXPECT_NE(o.output.find("\ncount = 4\n"), std::string::npos);
  EXPECT_NE(o.output.find("\nsamples = 40\n"), std::string::npos);
}

}  // namespace
}  // namespace nouq
