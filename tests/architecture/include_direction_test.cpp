// Which folder of src may use which: every #include "folder/..." is held against one table.
//
//   core <- kernels <- nn <- train <- uq <- model <- { api, paper }
//   core <- problems <- data <- train
//   kernels <- conserve <- metrics
//   { uq, conserve, metrics } <- physics <- { api, paper }
//   core <- plot <- paper
//   core <- config <- { uq, api }
//   { core, kernels } <- cluster
//
// and which files of the tool may use the paper's study.
//
// An arrow reads "is used by". A use that is not in the table is a decision about the house: change the table
// and this picture with it, or do without.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/paths.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

struct Folder {
  std::string name;
  std::set<std::string> uses;  // besides itself; only folders that stand above it in the table
};

const std::vector<Folder>& table() {
  static const std::vector<Folder> folders = {
      {"core", {}},
      {"config", {"core"}},
      {"kernels", {"core"}},
      {"nn", {"core", "kernels"}},
      {"problems", {"core"}},
      {"data", {"core", "problems"}},
      {"train", {"core", "kernels", "nn", "data"}},
      {"conserve", {"core", "kernels"}},
      {"metrics", {"core", "conserve"}},
      {"uq", {"core", "config", "nn", "data", "train"}},
      {"model", {"core", "nn", "train", "uq"}},
      {"physics", {"core", "problems", "data", "conserve", "metrics", "uq"}},
      {"api", {"core", "config", "nn", "data", "train", "conserve", "metrics", "uq", "model", "physics"}},
      {"cluster", {"core", "kernels"}},
      {"plot", {"core"}},
      {"paper", {"core", "nn", "data", "train", "uq", "physics", "plot"}},
  };
  return folders;
}

const Folder* find_folder(const std::string& name) {
  const auto found =
      std::find_if(table().begin(), table().end(), [&](const Folder& folder) { return folder.name == name; });
  return found == table().end() ? nullptr : &*found;
}

// The first part of a path below src, empty when it has only one part.
std::string folder_of(const std::string& path) {
  const auto slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// The name in #include "name", or nothing. Blanks may stand wherever the language allows them.
std::string included_by(const std::string& line) {
  std::string packed;
  for (const char c : line) {
    if (c != ' ' && c != '\t') packed += c;
  }
  const std::string start = "#include\"";
  if (packed.compare(0, start.size(), start) != 0) return "";
  return packed.substr(start.size(), packed.find('"', start.size()) - start.size());
}

std::vector<std::string> includes_of(const fs::path& file) {
  std::vector<std::string> includes;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::string include = included_by(line);
    if (!include.empty()) includes.push_back(include);
  }
  return includes;
}

// What is wrong with one include, or nothing.
std::string complaint(const std::string& file, const std::string& include) {
  const std::string from = folder_of(file);
  const std::string to = folder_of(include);
  if (find_folder(to) == nullptr) return file + " includes \"" + include + "\", of no folder in the table";
  if (from == to || find_folder(from)->uses.count(to) > 0) return "";
  return file + " includes \"" + include + "\", but " + from + " may not use " + to;
}

bool is_source(const fs::path& path) {
  static const std::set<std::string> endings = {".h", ".hpp", ".cpp", ".cc", ".c", ".inc", ".def"};
  return endings.count(path.extension().string()) > 0;
}

std::vector<std::string> complaints_below(const fs::path& source) {
  std::vector<std::string> complaints;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    const std::string file = fs::relative(entry.path(), source).generic_string();
    if (find_folder(folder_of(file)) == nullptr) {
      complaints.push_back(file + " lies in a folder that is not in the table");
      continue;
    }
    for (const std::string& include : includes_of(entry.path())) {
      const std::string text = complaint(file, include);
      if (!text.empty()) complaints.push_back(text);
    }
  }
  return complaints;
}

// Of the tool, its folder study alone may use src/paper: the other commands work without it (NOUQ_PAPER).
std::vector<std::string> uses_of_paper(const fs::path& tool) {
  std::vector<std::string> uses;
  for (const auto& entry : fs::recursive_directory_iterator(tool)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    const std::string file = fs::relative(entry.path(), tool).generic_string();
    if (folder_of(file) == "study") continue;
    for (const std::string& include : includes_of(entry.path())) {
      const std::string to = folder_of(include);
      if (to == "paper" || to == "study") uses.push_back(file + " includes \"" + include + "\"");
    }
  }
  return uses;
}

TEST(IncludeDirection, EveryIncludeIsInTheTable) {
  const fs::path source = fs::path(test::source_dir()) / "src";
  ASSERT_TRUE(fs::exists(source / "core" / "error.h")) << source << " is not the source tree";
  for (const std::string& text : complaints_below(source)) ADD_FAILURE() << text;
}

TEST(IncludeDirection, OnlyTheStudysCommandsUseThePaper) {
  const fs::path tool = fs::path(test::source_dir()) / "apps" / "nouq";
  ASSERT_TRUE(fs::exists(tool / "study" / "reproduce.cpp")) << tool << " is not the tool";
  for (const std::string& text : uses_of_paper(tool)) ADD_FAILURE() << text;
}

TEST(IncludeDirection, TheTableHasNoCycles) {
  std::set<std::string> above;
  for (const Folder& folder : table()) {
    for (const std::string& used : folder.uses)
      EXPECT_TRUE(above.count(used)) << folder.name << " uses " << used;
    EXPECT_TRUE(above.insert(folder.name).second) << folder.name << " stands twice in the table";
  }
}

// Those who use include/nouq and nothing else: no folder of src in any #include.
std::set<std::string> files_that_look_inside(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    for (const std::string& include : includes_of(entry.path())) {
      if (find_folder(folder_of(include)) != nullptr)
        files.insert(fs::relative(entry.path(), folder).generic_string());
    }
  }
  return files;
}

TEST(PublicHeaders, TheyIncludeNothingFromInside) {
  EXPECT_EQ(files_that_look_inside(fs::path(test::source_dir()) / "include"), std::set<std::string>{});
}

TEST(PublicHeaders, ThePythonModuleUsesNothingElse) {
  EXPECT_EQ(files_that_look_inside(fs::path(test::source_dir()) / "bindings/python/src"),
            std::set<std::string>{});
}

// The tool reads its options with config and core, draws with plot and meets other ranks with cluster; its
// folder study has the paper. What it knows of surrogates it knows from include/nouq.
std::vector<std::string> looks_inside(const fs::path& tool) {
  const std::set<std::string> allowed = {"core", "config", "plot", "cluster"};
  std::vector<std::string> uses;
  for (const auto& entry : fs::recursive_directory_iterator(tool)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    const std::string file = fs::relative(entry.path(), tool).generic_string();
    for (const std::string& include : includes_of(entry.path())) {
      const std::string to = folder_of(include);
      const bool inside = find_folder(to) != nullptr && allowed.count(to) == 0;
      if (inside && !(to == "paper" && folder_of(file) == "study"))
        uses.push_back(file + " includes \"" + include + "\"");
    }
  }
  return uses;
}

TEST(PublicHeaders, TheToolUsesThemAndNothingInside) {
  const fs::path tool = fs::path(test::source_dir()) / "apps/nouq";
  ASSERT_TRUE(fs::exists(tool / "train.cpp")) << tool << " is not the tool";
  for (const std::string& text : looks_inside(tool)) ADD_FAILURE() << text;
}

// The check itself must be able to fail: a small tree with one offence of every kind.
TEST(IncludeDirection, OffencesAreFound) {
  std::string pattern = (fs::temp_directory_path() / "nouq-include-test-XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  const fs::path source = pattern;
  for (const char* folder : {"core", "nn", "extra"}) fs::create_directory(source / folder);
  std::ofstream(source / "core/good.h") << "#include <vector>\n#include \"core/error.h\"\n";
  std::ofstream(source / "core/upward.h") << "// a comment\n  #  include \"nn/layer.h\"\n";
  std::ofstream(source / "nn/good.cpp") << "#include \"nn/layer.h\"\n#include \"kernels/product.h\"\n";
  std::ofstream(source / "nn/unknown.cpp") << "#include \"other/thing.h\"\n";
  std::ofstream(source / "nn/bare.cpp") << "#include \"layer.h\"\n";
  std::ofstream(source / "extra/file.h") << "int x;\n";
  std::ofstream(source / "loose.h") << "int x;\n";
  auto found = complaints_below(source);
  fs::create_directory(source / "study");
  std::ofstream(source / "study/reproduce.cpp") << "#include \"paper/study.h\"\n";
  std::ofstream(source / "predict.cpp") << "#include \"paper/study.h\"\n";
  std::ofstream(source / "study/page.cpp") << "#include \"uq/fit.h\"\n#include \"plot/page.h\"\n";
  EXPECT_EQ(uses_of_paper(source), std::vector<std::string>{"predict.cpp includes \"paper/study.h\""});
  fs::remove_all(source / "core");
  fs::remove_all(source / "nn");
  auto inside = looks_inside(source);
  std::sort(inside.begin(), inside.end());
  EXPECT_EQ(inside, (std::vector<std::string>{"predict.cpp includes \"paper/study.h\"",
                                              "study/page.cpp includes \"uq/fit.h\""}));
  fs::remove_all(source);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<std::string>{
                       "core/upward.h includes \"nn/layer.h\", but core may not use nn",
                       "extra/file.h lies in a folder that is not in the table",
                       "loose.h lies in a folder that is not in the table",
                       "nn/bare.cpp includes \"layer.h\", of no folder in the table",
                       "nn/unknown.cpp includes \"other/thing.h\", of no folder in the table",
                   }));
}

}  // namespace
}  // namespace nouq
