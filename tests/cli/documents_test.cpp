// The manual page and the reference in the repository are those of the tool; './run docs' writes them anew.
#include <gtest/gtest.h>

#include "cli/tool.h"

namespace nouq {
namespace {

std::string document(const std::string& name) { return test::read_all(test::source_dir() + "/docs/" + name); }

TEST(Documents, TheManualPageIsCurrent) {
  const test::Tool tool;
  EXPECT_TRUE(document("nouq.1") == tool({"man"}).output) << "./run docs";
}

TEST(Documents, TheReferenceIsCurrent) {
  const test::Tool tool;
  const std::string text = document("cli.md");
  const std::string begin = "<!-- begin: nouq man --markdown -->\n";
  const std::string end = "\n<!-- end -->\n";
  const auto from = text.find(begin);
  const auto to = text.find(end);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos);
  const std::string reference = text.substr(from + begin.size(), to - from - begin.size());
  EXPECT_TRUE(reference == tool({"man", "--markdown"}).output) << "./run docs";
}

TEST(Documents, CompletionScriptsForEveryShell) {
  const test::Tool tool;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const test::Outcome outcome = tool({"completion", shell});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.output.find("generate"), std::string::npos);
  }
  EXPECT_EQ(tool({"completion", "zhs"}).errors,
            "nouq: --shell = 'zhs': did you mean 'zsh'? Expected one of bash, zsh, fish\n");
}

}  // namespace
}  // namespace nouq
