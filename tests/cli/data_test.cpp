// generate, info and import: from a problem or a folder of runs to a data set, and what is said about it.
#include <fmt/format.h>

#include "cli/tool_test.h"
#include "core/file.h"
#include "data/load.h"
#include "data/npy.h"

namespace nouq {
namespace {

using Json = nlohmann::json;
using test::Outcome;

class Data : public test::ToolTest {};

TEST_F(Data, ListsAsJson) {
  const Json problems = result({"problems"});
  EXPECT_EQ(problems.at(1).at("name"), "pme");
  EXPECT_EQ(problems.at(1).at("ranges").at("in-domain"), Json({2.0, 3.0}));
  EXPECT_GE(result({"metrics"}).size(), 8U);
  EXPECT_EQ(
      result({"methods"}).at(4),
      Json({{"name", "diverse"}, {"summary", result({"methods"}).at(4).at("summary")}, {"count", "heads"}}));
  EXPECT_EQ(result({"constraints"}).at(0).at("name"), "integral");
  const Json architectures = result({"architectures"});
  EXPECT_EQ(architectures.at(0).at("name"), "fno");
  EXPECT_EQ(architectures.at(1).at("settings").at(0).at("name"), "expansion");
}

TEST_F(Data, GenerateThenInfo) {
  for (const char* file : {"a.npz", "a.h5"}) {
    const Json made = result({"generate", "pme", "--range", "2.5:2.75", "-n", "5", "--seed", "3", "--grid",
                              "16x4", "--option", "final_time=0.5", "-o", file});
    const Json about = result({"info", file});
    EXPECT_EQ(made.at("samples"), 5);
    EXPECT_EQ(about.at("samples"), 5);
    EXPECT_EQ(made.at("fingerprint"), about.at("fingerprint"));
    EXPECT_EQ(about.at("grid").at(0).at("points"), 16);
    EXPECT_EQ(about.at("grid").at(1).at("points"), 4);
    EXPECT_LE(about.at("grid").at(1).at("high"), 0.5);
    EXPECT_GE(about.at("parameters").at(0).at("low"), 2.5);
    EXPECT_LE(about.at("parameters").at(0).at("high"), 2.75);
    EXPECT_EQ(about.at("constraints").at(0).at("shape"), Json({5, 4}));
    EXPECT_EQ(about.at("provenance").at("seed"), "3");
    EXPECT_EQ(about.at("provenance").at("option final_time"), "0.5");
  }
}

TEST_F(Data, ShiftsAreRangesOfTheProblem) {
  EXPECT_EQ(result({"generate", "heat", "-n", "1", "-o", "a.npz"}).at("range"), Json({1.0, 5.0}));
  EXPECT_EQ(result({"generate", "heat", "--shift", "small", "-n", "1", "-o", "a.npz"}).at("range"),
            Json({5.0, 6.0}));
}

TEST_F(Data, MessagesGoToStandardErrorOnly) {
  const Outcome outcome = tool({"generate", "heat", "-n", "2", "-o", "a.npz"});
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.errors, "a.npz: 2 samples of heat on a [100, 20] grid, k in [1, 5]\n");
  const Outcome quiet = tool({"generate", "heat", "-n", "2", "-o", "a.npz", "-q"});
  EXPECT_EQ(quiet.output + quiet.errors, "");
  const Outcome json = tool({"generate", "heat", "-n", "2", "-o", "a.npz", "--json"});
  EXPECT_EQ(json.errors, outcome.errors);
  EXPECT_EQ(Json::parse(json.output).at("samples"), 2);
}

TEST_F(Data, InfoRefusesABrokenFile) {
  ASSERT_EQ(tool({"generate", "heat", "-n", "2", "-o", "a.npz", "-q"}).code, 0);
  const std::string bytes = test::read_all(tool / "a.npz");
  test::write_all(tool / "a.npz", bytes.substr(0, bytes.size() / 2));
  const Outcome outcome = tool({"info", "a.npz"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.errors, "nouq: a.npz: no end of a ZIP directory found: not an NPZ file, or cut short\n");
}

// A generated data set taken apart into runs and imported is the same data set.
TEST_F(Data, GeneratedSetsSurviveAnImport) {
  ASSERT_EQ(tool({"generate", "pme", "-n", "3", "--grid", "12x4", "-o", "a.npz", "-q"}).code, 0);
  const DataSet data = load_data_set(tool / "a.npz");
  std::filesystem::create_directory(tool / "runs");
  std::string table = "file,degree\n";
  for (Index i = 0; i < data.size(); ++i) {
    const auto row = data.outputs.row(i);
    const std::string name = fmt::format("runs/r{}.npy", i);
    save_npy(tool / name, Array<float>({12, 4}, std::vector<float>(row.begin(), row.end())));
    table += fmt::format("r{},{}\n", i, data.parameters[i]);
  }
  test::write_all(tool / "runs.csv", table);
  const Json made = result({"import", "runs", "--table", "runs.csv", "--outputs", "data", "--axes", "x,t",
                            "--coordinates", "x=0:1", "-o", "b.h5"});
  EXPECT_EQ(made.at("read"), Json({"r0.npy", "r1.npy", "r2.npy"}));
  EXPECT_EQ(made.at("fingerprint"), result({"info", "a.npz"}).at("fingerprint"));
  const DataSet imported = load_data_set(tool / "b.h5");
  EXPECT_EQ(imported.parameters, data.parameters);
  EXPECT_EQ(imported.grid[0].coordinates, data.grid[0].coordinates);
}

TEST_F(Data, ImportSaysWhatItLeftOutAndStrictRefusesTo) {
  std::filesystem::create_directory(tool / "runs");
  save_npy(tool / "runs/a.npy", Array<double>({3}, 1.0));
  save_npy(tool / "runs/b.npy", Array<double>({4}, 1.0));
  test::write_all(tool / "runs/notes.txt", "hello");
  test::write_all(tool / "t.csv", "file,k\na,1\nb,2\nc,3\n");
  const std::vector<std::string> words = {"import", "runs", "--table", "t.csv", "-o", "out.npz"};
  const Outcome outcome = tool(words);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.errors,
            "notes.txt is not taken for a run: it does not end in .npy, .npz, .h5, .hdf5 or .csv\n"
            "runs: axis 'axis 0' has no coordinates, 3 evenly spaced points on [0, 1] are taken\n"
            "left out t.csv:4: there is no file 'c' in the folder\n"
            "left out b.npy: has a grid of [4], the first run (a.npy) has [3]\n"
            "out.npz: 1 samples on a [3] grid; 2 left out\n"
            "WARNING: 2 of 3 runs are missing from out.npz; --strict makes that an error\n");
  std::filesystem::remove(tool / "out.npz");
  std::vector<std::string> strict = words;
  strict.insert(strict.end(), {"--strict", "-q"});
  EXPECT_EQ(tool(strict).code, 2);
  EXPECT_FALSE(std::filesystem::exists(tool / "out.npz"));
}

}  // namespace
}  // namespace nouq
