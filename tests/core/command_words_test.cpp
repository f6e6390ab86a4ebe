// Commands as words, without a shell.
#include "core/command_words.h"

#include <gtest/gtest.h>

#include "support/message.h"

namespace nouq {
namespace {

using Words = std::vector<std::string>;

TEST(CommandWords, BlanksSeparateAndQuotesKeep) {
  EXPECT_EQ(command_words("solve --in=a.csv  b"), (Words{"solve", "--in=a.csv", "b"}));
  EXPECT_EQ(command_words(R"(sh -c 'a | b > "$X"' "two words" one\ word '' a"b"'c')"),
            (Words{"sh", "-c", "a | b > \"$X\"", "two words", "one word", "", "abc"}));
  EXPECT_EQ(command_words(R"("a\"b\\c\d" '\')"), (Words{R"(a"b\c\d)", "\\"}));
  EXPECT_EQ(command_words(" \t "), Words{});
}

TEST(CommandWords, WhatIsForAShellIsRefused) {
  for (const char* text :
       {"a | b", "a > b", "a; b", "a $HOME", "a `b`", "a *.npz", "a & b", "(a)", "~/a", "a # b"})
    EXPECT_NE(test::message_of([&] { (void)command_words(text); }).find("no"), std::string::npos) << text;
  EXPECT_EQ(
      test::message_of([&] { (void)command_words("a \"$(b)\""); }),
      "the command 'a \"$(b)\"': '$' would be for a shell, and none is asked; put it in single quotes to give it "
      "to the program, or give the whole line to a shell as in sh -c '...'");
  EXPECT_EQ(test::message_of([&] { (void)command_words("a 'b"); }),
            "the command 'a 'b': a quote ' is not closed");
  EXPECT_EQ(test::message_of([&] { (void)command_words("a \\"); }),
            "the command 'a \\': ends with a backslash");
}

}  // namespace
}  // namespace nouq
