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

// What a document has between the markers "<!-- begin: COMMAND -->" and "<!-- end -->".
std::string generated_part(const std::string& name) {
  const std::string text = document(name);
  const auto marker = text.find("<!-- begin: ");
  const auto from = text.find(" -->\n", marker);
  const auto to = text.find("<!-- end -->\n");
  return from == std::string::npos || to == std::string::npos ? "" : text.substr(from + 5, to - from - 5);
}

TEST(Documents, TheReferenceIsCurrent) {
  const test::Tool tool;
  EXPECT_TRUE(generated_part("cli.md") == tool({"man", "--markdown"}).output + "\n") << "./run docs";
}

// The committed results and the tables in the documentation are the same numbers.
TEST(Documents, TheTablesAreThoseOfTheResults) {
  const test::Tool tool;
  const test::Outcome tables =
      tool({"reproduce", "--results", test::source_dir() + "/results", "--table-only", "--tables",
            "claims,paper,own,projection", "--format", "markdown", "--quiet"});
  ASSERT_EQ(tables.code, 0) << tables.errors;
  EXPECT_TRUE(generated_part("reproduction-tables.md") == tables.output) << "./run docs";
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
