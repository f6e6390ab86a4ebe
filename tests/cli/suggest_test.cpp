// nouq suggest: the next runs, as a table, for programs, and as a file.
#include <nlohmann/json.hpp>

#include "cli/small_model_test.h"

namespace nouq {
namespace {

class Suggest : public test::SmallModelTest {
 protected:
  Suggest() { EXPECT_EQ(train({"--epochs", "2", "-o", "m.nouq"}).code, 0); }
};

TEST_F(Suggest, RunsOfRangesAndOfAFile) {
  const test::Outcome ranges = tool(
      {"suggest", "m.nouq", "--ranges", "m=1:6", "-n", "3", "--among", "32", "--json", "-o", "next.csv"});
  ASSERT_EQ(ranges.code, 0) << ranges.errors;
  const auto list = nlohmann::json::parse(ranges.output).at("suggestions");
  ASSERT_EQ(list.size(), 3U);
  for (const auto& one : list) {
    EXPECT_GE(one.at("gain").get<double>(), 0);
    EXPECT_TRUE(one.contains("verdict"));
  }
  const std::string table = test::read_all(tool / "next.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4) << table;
  const test::Outcome file = tool({"suggest", "m.nouq", "--candidates", "d.npz", "-n", "4"});
  ASSERT_EQ(file.code, 0) << file.errors;
  EXPECT_NE(file.output.find("expected error"), std::string::npos);
}

TEST_F(Suggest, DesignsForComparisonDoNotLookAtTheModel) {
  const auto values = [&](const std::string& design) {
    const test::Outcome outcome =
        tool({"suggest", "m.nouq", "--ranges", "m=1:3", "-n", "4", "--design", design, "-o", "next.csv"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return test::read_all(tool / "next.csv");
  };
  const std::string sobol = values("sobol");
  EXPECT_EQ(sobol.substr(sobol.find('\n')), "\n1\n2\n2.5\n1.5\n");
  EXPECT_NE(values("random"), sobol);
}

TEST_F(Suggest, MistakesAreNamed) {
  EXPECT_EQ(mistake({"suggest", "m.nouq"}), "nouq: give either --candidates FILE or --ranges NAME=A:B\n");
  EXPECT_EQ(mistake({"suggest", "m.nouq", "--ranges", "m=1:6", "-n", "9", "--among", "8"}),
            "nouq: --count 9: expected at most --among, 8\n");
  EXPECT_EQ(mistake({"suggest", "m.nouq", "--candidates", "d.npz", "--design", "random"}),
            "nouq: --design random: fills --ranges, not a file of candidates\n");
}

}  // namespace
}  // namespace nouq
