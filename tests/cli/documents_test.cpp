// What documents have of the tool and of the committed results is current; './run docs' writes it anew.
#include <iterator>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/tool.h"

namespace nouq {
namespace {

std::string document(const std::string& name) { return test::read_all(test::source_dir() + "/docs/" + name); }

TEST(Documents, TheManualPageIsCurrent) {
  const test::Tool tool;
  EXPECT_TRUE(document("nouq.1") == tool({"man"}).output) << "./run docs";
}

TEST(Documents, TheStubOfPythonsTrainIsCurrent) {
  const test::Tool tool;
  EXPECT_TRUE(test::read_all(test::source_dir() + "/bindings/python/nouq/_train.pyi") ==
              tool({"man", "--python"}).output)
      << "./run docs";
}

// The parts of a document between the markers "<!-- begin: nouq ARGUMENTS -->" and "<!-- end -->".
struct GeneratedPart {
  std::string arguments, text;
};

std::vector<GeneratedPart> generated_parts(const std::string& name) {
  const std::string text = document(name), begin = "<!-- begin: nouq ", end = "<!-- end -->\n";
  std::vector<GeneratedPart> parts;
  for (auto at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    const auto from = at + begin.size(), to = text.find(" -->\n", from), last = text.find(end, to);
    if (last == std::string::npos) break;
    parts.push_back({text.substr(from, to - from), text.substr(to + 5, last - to - 5)});
    at = last;
  }
  return parts;
}

// They are written by hand but for these parts, which are what the tool says of itself and of the committed
// results.
TEST(Documents, TheirGeneratedPartsAreCurrent) {
  const std::map<std::string, std::size_t> pages = {{"cli.md", 1},
                                                    {"settings.md", 1},
                                                    {"reproduction.md", 3},
                                                    {"reproduction-tables.md", 1},
                                                    {"recipe-tables.md", 1}};
  const test::Tool tool;
  std::filesystem::create_directory_symlink(test::source_dir() + "/results", tool / "results");
  for (const auto& [name, count] : pages) {
    const std::vector<GeneratedPart> parts = generated_parts(name);
    EXPECT_EQ(parts.size(), count) << name;
    for (const GeneratedPart& part : parts) {
      ASSERT_TRUE(!part.arguments.starts_with("reproduce") ||
                  part.arguments.find("--table-only") != std::string::npos)
          << "it would train, and write to the results";
      std::istringstream words(part.arguments);
      const test::Outcome said = tool({std::istream_iterator<std::string>(words), {}});
      EXPECT_EQ(said.code, 0) << said.errors;
      EXPECT_TRUE(said.output == part.text) << name << ", " << part.arguments << ": ./run docs";
    }
  }
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
