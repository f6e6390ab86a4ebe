// Help, manual page, reference and completion name every option of every command.
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "config/example_table.h"
#include "config/option_table.h"
#include "config/program.h"
#include "support/message.h"

namespace nouq {
namespace {

class Manual : public testing::Test {
 protected:
  test::ExampleOptions options;
  OptionTable table = test::example_table(options);
  Program program{"tool", "1.2", "does things", "One.\n\nTwo.", {&table}};
};

TEST_F(Manual, AnOptionInWords) {
  EXPECT_EQ(signature(*table.find("samples")), "-n, --samples N");
  EXPECT_EQ(signature(*table.find("problem")), "PROBLEM");
  EXPECT_EQ(signature(*table.find("modes")), "--modes N,...");
  EXPECT_EQ(signature(*table.find("fast")), "--fast");
  EXPECT_EQ(explanation(*table.find("samples")), "how many (an integer from 1 to 1000; default 400)");
  EXPECT_EQ(explanation(*table.find("problem")), "the problem (required; one of heat, pme, stefan)");
  EXPECT_EQ(explanation(*table.find("weight")), "of a term");
  EXPECT_EQ(usage("tool", table), "tool train PROBLEM [options]");
}

TEST_F(Manual, LinesAreWrapped) {
  EXPECT_EQ(wrapped("aa bb cc dd", 2, 8), "aa bb\n  cc dd");
  EXPECT_EQ(wrapped("unbreakable", 2, 5), "unbreakable");
}

TEST_F(Manual, HelpOfAProgramAndOfACommand) {
  const std::string help = command_help("tool", table);
  EXPECT_TRUE(help.starts_with("tool train: learn something\n\nusage: tool train PROBLEM [options]\n"))
      << help;
  EXPECT_NE(
      help.find("\nHow:\n  --rate X                    of learning (a number above 0; default 0.001)\n"),
      std::string::npos)
      << help;
  EXPECT_NE(help.find("  tool train pme -n 3\n      Three of them\n"), std::string::npos);
  EXPECT_NE(program_help(program).find("\n  train  learn something\n"), std::string::npos);
}

TEST_F(Manual, EveryTextNamesEveryOption) {
  std::vector<std::string> texts = {command_help("tool", table), markdown_reference(program)};
  for (const std::string& shell : completion_shells()) texts.push_back(completion_script(program, shell));
  for (const Option& option : table.options()) {
    for (const std::string& text : texts) {
      const bool named =
          text.find(option.name) != std::string::npos || text.find(signature(option)) != std::string::npos;
      EXPECT_TRUE(named) << option.name << " is missing in:\n" << text;
    }
  }
}

TEST_F(Manual, RoffRequestsCannotComeFromTexts) {
  OptionTable odd("odd", ".start of a request", "'another \\fB-x");
  program.commands = {&odd};
  const std::string page = manual_page(program);
  EXPECT_NE(page.find("\n\\&.start of a request.\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\n\\&'another \\efB\\-x\n"), std::string::npos) << page;
}

TEST_F(Manual, UnknownShell) {
  EXPECT_EQ(test::message_of([&] { completion_script(program, "bsh"); }),
            "unknown shell 'bsh'; did you mean 'bash'? Valid: bash, zsh, fish");
}

// What bash would offer for the last of the words.
std::string completions(const std::string& script, const std::string& words) {
  const std::string command = "bash --norc -c 'eval \"$SCRIPT\"; COMP_WORDS=(" + words +
                              "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _tool; echo ${COMPREPLY[@]}'";
  ::setenv("SCRIPT", script.c_str(), 1);
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  ::pclose(pipe);
  return output;
}

TEST_F(Manual, BashCompletes) {
  const std::string script = completion_script(program, "bash");
  EXPECT_EQ(completions(script, "tool tr"), "train\n");
  EXPECT_EQ(completions(script, "tool train --sa"), "--samples\n");
  EXPECT_EQ(completions(script, "tool train --method e"), "ensemble\n");
  EXPECT_EQ(completions(script, "tool train st"), "stefan\n");
  EXPECT_EQ(completions(script, "tool train --samples x"), "\n");
}

}  // namespace
}  // namespace nouq
