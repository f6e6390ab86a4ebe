// TOML by anyone's hand: letters outside ASCII stand in quotes and comments, or are refused with their line.
#include "core/toml_text.h"

#include <gtest/gtest.h>

#include "support/message.h"

namespace nouq {
namespace {

std::string refusal(const std::string& text) {
  return test::message_of([&] { parse_toml(text, "a.toml"); });
}
const std::string quotes_wanted = "not valid TOML: a letter outside ASCII must stand in quotes";

TEST(TomlText, AnyLetterInQuotesAndComments) {
  const toml::table table = parse_toml(
      "\xEF\xBB\xBF# größer\n\"ключ\" = 'ü' # é\na = \"\"\"\n漢\"字\\\" \"\"\"\nb = '''\nλ'''\n", "a.toml");
  EXPECT_EQ(table["ключ"].value<std::string>(), "ü");
  EXPECT_EQ(table["a"].value<std::string>(), "漢\"字\" ");
  EXPECT_EQ(table["b"].value<std::string>(), "λ");
}

TEST(TomlText, OtherLettersOutsideQuotesAreRefusedWithTheLine) {
  EXPECT_EQ(refusal("größe = 1\n"), "a.toml:1: " + quotes_wanted);
  EXPECT_EQ(refusal("a = 'x' # ü\n[ключ]\n"), "a.toml:2: " + quotes_wanted);
  EXPECT_EQ(refusal("a = \"\"\"\n\n\"\"\"\nb = λ\n"), "a.toml:4: " + quotes_wanted);
  EXPECT_EQ(refusal("a = \"\\\"\"\xF0\x90\x80\x80\n"), "a.toml:1: " + quotes_wanted);
  EXPECT_EQ(refusal(std::string("a = 1\n\0b = 2", 12)), "a.toml: not valid TOML: a zero byte in it");
}

TEST(TomlText, AQuoteInTheMiddleOfAWordIsRefused) {
  const std::string complaint = "not valid TOML: a quote in the middle of a word";
  EXPECT_EQ(refusal("names = [\"\", 1\"é\"]\n"), "a.toml:1: " + complaint);
  EXPECT_EQ(refusal("a = 1\nb'é' = 2\n"), "a.toml:2: " + complaint);
  EXPECT_EQ(refusal("a = \"x\"'é'\n"), "a.toml:1: " + complaint);
  EXPECT_EQ(parse_toml("'a' = {'c'=\"d\",\"e\"=['f',\"g\"]}", "a.toml").size(), 1U);
}

// What the library takes for granted.
TEST(TomlText, ASymbolWhereAKeyIsExpectedIsRefused) {
  for (const std::string text :
       {"[@]", "[ , ]", "[[=]]", "[-.@]\n", "[\x01@ain]\n", "a.@ = 1", "a = {@ = 1}"})
    EXPECT_EQ(refusal(text).rfind("a.toml", 0), 0U) << text << ": " << refusal(text);
}

TEST(TomlText, TheParserSaysTheRest) {
  for (const std::string text :
       {"a = 'open\nb = 1\n", "a = \"open\\", "a = \"\"\"open", "a = ", "= 1", "[a\n", "a = 1 1"})
    EXPECT_EQ(refusal(text).rfind("a.toml:", 0), 0U) << text;
}

}  // namespace
}  // namespace nouq
