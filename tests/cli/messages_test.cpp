// What a new user sees: help, versions, and mistakes with the way out of them.
#include <fmt/format.h>

#include "cli/tool_test.h"
#include "kernels/target.h"

namespace nouq {
namespace {

using test::Outcome;

class Messages : public test::ToolTest {};

TEST_F(Messages, Help) {
  for (const auto& words : std::vector<std::vector<std::string>>{{"--help"}, {"-h"}, {"help"}}) {
    const Outcome help = tool(words);
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.output.find("generate"), std::string::npos);
    EXPECT_EQ(help.output.find("\n  man "), std::string::npos) << "a hidden command";
    EXPECT_EQ(help.errors, "");
  }
  const Outcome nothing = tool({});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_EQ(nothing.output, "");
  EXPECT_EQ(nothing.errors, tool({"--help"}).output);
}

TEST_F(Messages, HelpOfEveryCommand) {
  for (const std::string& name : test::visible_commands) {
    const Outcome help = tool({name, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(help.output.starts_with("nouq " + name + ": ")) << help.output;
    EXPECT_EQ(tool({"help", name}).output, help.output);
    EXPECT_EQ(tool({name, "--nonsense", "-h"}).output, help.output) << "help comes before complaints";
  }
}

TEST_F(Messages, Version) {
  const Outcome version = tool({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.output.starts_with("nouq 0.")) << version.output;
  const std::string kernels = fmt::format("(kernels: {}; MPI: ", name(supported_targets().back()));
  EXPECT_NE(version.output.find(kernels), std::string::npos) << version.output;
  EXPECT_TRUE(version.output.ends_with(")\n")) << version.output;
}

TEST_F(Messages, MistakenNames) {
  EXPECT_EQ(mistake({"generat"}),
            "nouq: unknown command 'generat'; did you mean 'generate'? 'nouq --help' lists them\n");
  EXPECT_EQ(mistake({"--quiet", "info"}),
            "nouq: '--quiet' stands where a command is expected; options come after it\n");
  EXPECT_EQ(mistake({"generate", "pme", "--sampels", "3"}),
            "nouq: generate: unknown option '--sampels'; did you mean '--samples'? 'nouq generate --help' "
            "lists them\n");
  EXPECT_EQ(mistake({"generate", "--sampels=3", "pme"}),
            "nouq: generate: unknown option '--sampels'; did you mean '--samples'? 'nouq generate --help' "
            "lists them\n");
  EXPECT_EQ(mistake({"generate", "pmee", "-o", "a.npz"}),
            "nouq: --problem = 'pmee': did you mean 'pme'? Expected one of heat, pme, stefan, advection, "
            "advection-ic, darcy, gpme, darcy-field\n");
}

TEST_F(Messages, MistakenValues) {
  EXPECT_EQ(mistake({"generate", "pme", "--seed"}),
            "nouq: generate: --seed needs a value; 'nouq generate --help' says which\n");
  EXPECT_EQ(mistake({"generate", "pme", "--seed", "--threads"}),
            "nouq: --seed = '--threads': expected an integer of at least 0\n");
  EXPECT_EQ(mistake({"generate", "pme", "-n", "-5", "-o", "a.npz"}),
            "nouq: --samples = -5: expected an integer from 1 to 1000000000\n");
  EXPECT_EQ(mistake({"generate", "pme", "heat", "-o", "a.npz"}),
            "nouq: generate: 'heat' is one word too many; 'nouq generate --help' shows what it takes\n");
  EXPECT_EQ(mistake({"generate", "pme"}), "nouq: generate needs --output (where to: NAME.npz or NAME.h5)\n");
  EXPECT_EQ(
      mistake({"generate", "pme", "--range", "3", "-o", "a.npz"}),
      "nouq: --range = '3': expected two numbers with a colon between them, the smaller first, as in 2:3\n");
  EXPECT_EQ(mistake({"generate", "pme", "--range", "2:3", "--shift", "small", "-o", "a.npz"}),
            "nouq: --range and --shift exclude each other: give one\n");
  EXPECT_EQ(mistake({"generate", "pme", "--grid", "64", "-o", "a.npz"}),
            "nouq: --grid = 64: problem pme has 2 axes, expected as many numbers\n");
  EXPECT_EQ(mistake({"generate", "pme", "--option", "nx=9", "--grid", "9x9", "-o", "a.npz"}),
            "nouq: --grid and --option nx say the same thing: give one\n");
}

TEST_F(Messages, MistakenFiles) {
  EXPECT_EQ(mistake({"generate", "pme", "-o", "a.txt"}),
            "nouq: a.txt: ends in '.txt', expected .npz, .h5 or .hdf5\n");
  EXPECT_EQ(mistake({"generate", "pme", "-o", "no/a.npz"}),
            "nouq: no/a.npz: there is no folder no; make it first\n");
  EXPECT_EQ(mistake({"info", "no.npz"}), "nouq: cannot open no.npz: No such file or directory\n");
  test::write_all(tool / "text.npz", "hello");
  EXPECT_EQ(mistake({"info", "text.npz"}), "nouq: text.npz: is neither NPZ nor HDF5 (by its first bytes)\n");
}

TEST_F(Messages, AFullDiskIsAFailure) {
  const pid_t child = fork();
  if (child == 0) {
    const int full = open("/dev/full", O_WRONLY);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(full, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    tool.execute({"problems"});
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
}

}  // namespace
}  // namespace nouq
