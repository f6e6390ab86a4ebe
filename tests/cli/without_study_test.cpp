// The tool built without the paper (NOUQ_PAPER=OFF) and the server (NOUQ_SERVE=OFF) works, and refuses by
// name what it does not have.
#include "cli/tool_test.h"

namespace nouq {
namespace {

class WithoutStudy : public test::ToolTest {
 protected:
  WithoutStudy() : test::ToolTest(test::tool_without_study()) {}
};

const char* const reason = "this nouq was built without the paper's study (NOUQ_PAPER=OFF)";

TEST_F(WithoutStudy, Reproduce) {
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"reproduce"}, {"reproduce", "--preset", "quick"}, {"reproduce", "--help"}})
    EXPECT_EQ(mistake(words), std::string("nouq: reproduce: ") + reason + "\n");
}

TEST_F(WithoutStudy, Serve) {
  EXPECT_EQ(
      mistake({"serve", "m.nouq"}),
      "nouq: serve: this nouq was built without cpp-httplib (NOUQ_SERVE, Debian's libcpp-httplib-dev)\n");
}

TEST_F(WithoutStudy, ReportOfAFolder) {
  EXPECT_EQ(
      mistake({"report", "."}),
      std::string("nouq: . is a folder, and reports of folders are reports of a study; ") + reason + "\n");
}

TEST_F(WithoutStudy, HelpShowsWhatThereIs) {
  const test::Outcome help = tool({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.output.find("\n  report "), std::string::npos);
  EXPECT_EQ(help.output.find("\n  reproduce "), std::string::npos);
}

TEST_F(WithoutStudy, OtherCommandsWork) {
  ASSERT_EQ(tool({"generate", "heat", "-n", "10", "-o", "heat.npz"}).code, 0);
  EXPECT_EQ(result({"info", "heat.npz"})["samples"], 10);
}

}  // namespace
}  // namespace nouq
