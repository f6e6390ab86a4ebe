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
  EXPECT_TRUE(generated_part("cli.md") == tool({"man", "--markdown"}).output) << "./run docs";
}

// The committed results and the tables in the documentation are the same numbers.
TEST(Documents, TheTablesAreThoseOfTheResults) {
  const test::Tool tool;
  const auto tables = [&](const char* kinds) {
    const test::Outcome outcome =
        tool({"reproduce", "--results", test::source_dir() + "/results", "--table-only", "--tables", kinds,
              "--format", "markdown", "--quiet"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return outcome.output;
  };
  EXPECT_TRUE(generated_part("reproduction.md") == tables("claims")) << "./run docs";
  EXPECT_TRUE(generated_part("reproduction-tables.md") == tables("paper,own,projection")) << "./run docs";
}

TEST(Documents, TheFiguresAreThoseOfTheResults) {
  const test::Tool tool;
  const test::Outcome page = tool({"report", test::source_dir() + "/results", "--figures", "f"});
  ASSERT_EQ(page.code, 0) << page.errors;
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/docs/images")) {
    const std::string name = entry.path().filename().string(), prefix = "study-";
    if (!name.starts_with(prefix)) continue;
    ++compared;
    EXPECT_TRUE(test::read_all(entry.path()) == test::read_all(tool / "f" / name.substr(prefix.size())))
        << name << ": ./run docs";
  }
  EXPECT_GE(compared, 5);
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
