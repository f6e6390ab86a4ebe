// nouq improve: a program as solver, its files, its failures, and kills at any moment.
//
// With NOUQ_IMPROVE_KILLS=100 in the environment as many kills are tried, instead of a few.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include "cli/tool_test.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// u(x) = k sin(3 x) + q + 1 on eight points; reads a table, writes one.
constexpr const char* solver_script = R"(#!/bin/sh
awk -F, 'NR == 2 { print "x,u"; for (i = 0; i < 8; i++) print i / 7 "," $1 * sin(3 * i / 7) + $2 + 1 }' "$1" > "$2"
)";

class Improve : public test::ToolTest {
 protected:
  Improve() {
    script("solve", solver_script);
    fs::create_directory(tool / "runs");
    std::string table = "file,k,q\n";
    for (int i = 0; i < 10; ++i) {
      const std::string name = "r" + std::to_string(i),
                        row = std::to_string(1 + 0.1 * i) + ",0." + std::to_string(i);
      test::write_all(tool / ("runs/" + name + ".in"), "k,q\n" + row + "\n");
      EXPECT_EQ(
          std::system(("'" + (tool / "solve").string() + "' '" + (tool / ("runs/" + name + ".in")).string() +
                       "' '" + (tool / ("runs/" + name + ".csv")).string() + "'")
                          .c_str()),
          0);
      fs::remove(tool / ("runs/" + name + ".in"));
      table += name + "," + row + "\n";
    }
    test::write_all(tool / "runs.csv", table);
    const auto imported =
        tool({"import", "runs", "--table", "runs.csv", "--outputs", "u", "--axes", "x", "-o", "d.npz"});
    EXPECT_EQ(imported.code, 0) << imported.errors;
  }

  void script(const std::string& name, const std::string& text) const {
    test::write_all(tool / name, text);
    fs::permissions(tool / name, fs::perms::owner_all);
  }
  [[nodiscard]] Words command(const std::string& output, const Words& more = {},
                              const std::string& solver = "./solve {input} {output}",
                              const std::string& budget = "11") const {
    Words words = {"improve",  "d.npz", "--solver",      solver, "--ranges",  "k=1:4,q=0:1",
                   "--budget", budget,  "--per-round",   "5",    "--among",   "32",
                   "--epochs", "5",     "--width",       "4",    "--modes",   "3",
                   "--count",  "2",     "--cross-folds", "0",    "--threads", "1",
                   "--ending", ".csv",  "--jobs",        "2",    "-o",        output};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  [[nodiscard]] std::string bytes(const std::string& name) const { return test::read_all(tool / name); }
};

TEST_F(Improve, RunsTheProgramAndAddsItsRuns) {
  const auto done = result(command("m.nouq", {"--all-runs", "all.npz", "--figure", "error.svg"}));
  EXPECT_EQ(done.at("rounds").size(), 4U);
  EXPECT_EQ(done.at("samples"), 21);
  EXPECT_TRUE(done.at("set_aside").empty());
  EXPECT_NE(bytes("error.svg").find("runs of the solver"), std::string::npos);
  EXPECT_EQ(result({"info", "all.npz"}).at("samples"), 21);
  EXPECT_FALSE(fs::exists(tool / "m.nouq.improve/work") && !fs::is_empty(tool / "m.nouq.improve/work"));
  const test::Outcome again = tool(command("m.nouq"));
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_NE(again.output.find("in domain"), std::string::npos);
  const auto more = result(command("m.nouq", {}, "./solve {input} {output}", "13"));
  EXPECT_EQ(more.at("samples"), 23) << "a larger budget goes on";
}

TEST_F(Improve, EveryWayToAskGivesTheSame) {
  const auto runs = [&](const std::string& solver, const Words& more) {
    Words words = command("m.nouq", more, solver);
    words.insert(words.end(), {"--fresh", "--all-runs", "all.npz"});
    const test::Outcome outcome = tool(words);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    return bytes("all.npz");
  };
  const std::string table = runs("./solve {input} {output}", {});
  script("plain", R"(#!/bin/sh
printf 'k,q\n%s,%s\n' "$1" "$2" > "$NOUQ_FOLDER/own.csv" && ./solve "$NOUQ_FOLDER/own.csv" "$3")");
  EXPECT_TRUE(runs("./plain {k} {q} {output}", {}) == table);
  EXPECT_TRUE(runs("sh -c './solve \"$NOUQ_INPUT\" \"$NOUQ_OUTPUT\"'", {"--outputs", "u"}) == table);
  script("json", R"(#!/bin/sh
tr -d '{} \n"' < "$1" | awk -F '[:,]' '{ print "k,q"; print $2 "," $4 }' > "$3/own.csv" && ./solve "$3/own.csv" "$2")");
  EXPECT_TRUE(runs("./json {input} {output} {folder}", {"--input", "json"}) == table);
  script("launch", "#!/bin/sh\nexec \"$@\"");
  EXPECT_TRUE(runs("./launch ./solve {input} {output}", {}) == table);
}

// Nothing in a path means anything.
TEST_F(Improve, NamesOfFoldersAreNoCommands) {
  const std::string name = "a b; touch injected $(touch injected) '\"";
  fs::create_directory(tool / name);
  const test::Outcome outcome = tool(command(name + "/m.nouq", {"--all-runs", "all.npz"}));
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_EQ(result({"info", "all.npz"}).at("samples"), 21);
  EXPECT_FALSE(fs::exists(tool / "injected"));
}

TEST_F(Improve, WhatFailsOrHangsIsTriedAgainAndSetAside) {
  script("bad", R"(#!/bin/sh
case $NOUQ_RUN in
1) mkdir once 2> /dev/null && { echo bad luck; exit 3; } ;;
2) sleep 1000 & sleep 1000 ;;
3) exit 0 ;;
esac
./solve "$1" "$2")");
  const auto done = result(command("m.nouq", {"--timeout", "0.5"}, "./bad {input} {output}"));
  ASSERT_EQ(done.at("set_aside").size(), 2U);
  EXPECT_EQ(done.at("set_aside")[0].at("run"), 2);
  EXPECT_NE(done.at("set_aside")[0].at("reason").get<std::string>().find("was still running after 0.5 s"),
            std::string::npos);
  EXPECT_NE(done.at("set_aside")[1].at("reason").get<std::string>().find("wrote no output.csv"),
            std::string::npos);
  EXPECT_EQ(done.at("samples"), 10 + 9);
  EXPECT_NE(bytes("m.nouq.improve/journal").find("ended with exit code 3 (bad luck)"), std::string::npos);
}

TEST_F(Improve, StopsAtASignalAndGoesOn) {
  ASSERT_EQ(tool(command("whole.nouq")).code, 0);
  script("slow", "#!/bin/sh\n./solve \"$1\" \"$2\" && echo $$ > started && sleep 0.3");
  const pid_t child = fork();
  if (child == 0) tool.execute(command("m.nouq", {"--quiet"}, "./slow {input} {output}"));
  for (int i = 0; i < 4000 && !fs::exists(tool / "started"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(fs::exists(tool / "m.nouq"));
  EXPECT_EQ(tool(command("m.nouq")).code, 0);
  EXPECT_TRUE(bytes("m.nouq") == bytes("whole.nouq"));
}

TEST_F(Improve, KilledAtAnyMomentItEndsWithTheSame) {
  const char* text = std::getenv("NOUQ_IMPROVE_KILLS");
  const int wanted = text != nullptr ? std::atoi(text) : 8;
  ASSERT_EQ(tool(command("whole.nouq", {"--all-runs", "whole.npz"})).code, 0);
  std::mt19937 random(1);
  int kills = 0, ends = 0;
  while (kills < wanted || ends == 0) {
    const pid_t child = fork();
    if (child == 0) tool.execute(command("m.nouq", {"--quiet", "--json", "--all-runs", "all.npz"}));
    if (kills < wanted)
      std::this_thread::sleep_for(
          std::chrono::microseconds(std::uniform_int_distribution(1000, 250000)(random)));
    if (kills < wanted) kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    kills += WIFSIGNALED(status) ? 1 : 0;
    if (WIFSIGNALED(status)) continue;
    ASSERT_EQ(WEXITSTATUS(status), 0);
    ++ends;
    EXPECT_TRUE(bytes("m.nouq") == bytes("whole.nouq")) << "after " << kills << " kills";
    EXPECT_TRUE(bytes("all.npz") == bytes("whole.npz")) << "after " << kills << " kills";
    for (const char* name : {"m.nouq", "all.npz", "m.nouq.improve"}) fs::remove_all(tool / name);
  }
  RecordProperty("kills", kills);
  RecordProperty("ends", ends);
}

TEST_F(Improve, MistakesAreNamed) {
  EXPECT_EQ(
      mistake(command("m.nouq", {}, "./solve {inptu} {output}")).find("nouq: unknown placeholder 'inptu'"),
      0U);
  EXPECT_EQ(mistake(command("m.nouq", {}, "sh -c './solve {input} {output}'"))
                .find("nouq: the command's word './solve {input} {output}': a placeholder in a text"),
            0U);
  EXPECT_NE(mistake(command("m.nouq", {}, "./solve < {input}")).find("'<' would be for a shell"),
            std::string::npos);
  EXPECT_NE(mistake(command("m.nouq", {"--quiet"}, "./no-such {input}")).find("could not be started"),
            std::string::npos);
  EXPECT_NE(mistake(command("m.nouq", {"--data", "d.npz"})).find("leave --data out"), std::string::npos);
  EXPECT_NE(mistake(command("m.nouq", {"--candidates", "d.npz"})).find("give either --ranges"),
            std::string::npos);
}

}  // namespace
}  // namespace nouq
