// TOML by anyone's hand: letters outside ASCII stand in quotes and comments, or are refused with their line.
#include "core/toml_text.h"

#include <gtest/gtest.h>

#include "support/message.h"

namespace nouq {
namespace {

std::string refusal(const std::string& text) {
  return test::message_of([&] { parse_toml(text, "a.toml"); });
}
TEST(TomlText, AnyLetterInQuotesAndComments) {
  const toml::table table = parse_toml(
      "\xEF\xBB\xBF# größer\n\"ключ\" = 'ü' # é\na = \"\"\"\n漢\"字\\\" \"\"\"\nb = '''\nλ'''\n", "a.toml");
  EXPECT_EQ(table["ключ"].value<std::string>(), "ü");
  EXPECT_EQ(table["a"].value<std::string>(), "漢\"字\" ");
  EXPECT_EQ(table["b"].value<std::string>(), "λ");
}

TEST(TomlText, TheMarkOfTheEncodingIsATextLikeAnyOther) {
  EXPECT_EQ(parse_toml("\"~/C3\" = '~C3~~7E~'", "a.toml")["~/C3"].value<std::string>(), "~C3~~7E~");
  EXPECT_NE(refusal("~ = 1"), "");
  const toml::table escaped = parse_toml(R"(a = "\u007E41 \u007Ezz é~"
"\U0000007e42" = '\u007E')",
                                         "a.toml");
  EXPECT_EQ(escaped["a"].value<std::string>(), "~41 ~zz é~") << "not 'A'";
  EXPECT_EQ(escaped["~42"].value<std::string>(), "\\u007E") << "no escape between single quotes";
  EXPECT_NE(refusal(R"(a = "\u007e\u005e\u0060\u0040\u007c")").find("too many characters"),
            std::string::npos);
}

TEST(TomlText, OtherLettersOutsideQuotesAreRefusedWithTheLine) {
  const std::string hint = " (letters outside ASCII must stand in quotes)";
  const auto expect = [&](const std::string& text, const std::string& line) {
    const std::string message = refusal(text);
    EXPECT_EQ(message.rfind("a.toml:" + line + ": not valid TOML: ", 0), 0U) << message;
    EXPECT_TRUE(message.ends_with(hint)) << message;
  };
  expect("größe = 1\n", "1");
  EXPECT_EQ(refusal("a = 'x' # ü\n[ключ]\n"), "a.toml: not valid TOML" + hint);
  expect("a = \"\"\"\n\n\"\"\"\nb = λ\n", "4");
  expect("names = [\"\", 1\"é\"]\n", "1");
  expect("[\"\"\"ien]\n# \xcd\xa3", "2");
}

TEST(TomlText, BytesThatAreNoTextAreRefused) {
  EXPECT_NE(refusal("a = '\xFF'"), "");
  EXPECT_NE(refusal(std::string("a = 1\n\0b = 2", 12)), "");
}

// What the library takes for granted.
TEST(TomlText, ASymbolWhereAKeyIsExpectedIsRefused) {
  for (const std::string text :
       {"[@]", "[ , ]", "[[=]]", "[-.@]\n", "[\x01@ain]\n", "a.@ = 1", "a = {@ = 1}"})
    EXPECT_EQ(refusal(text).rfind("a.toml", 0), 0U) << text << ": " << refusal(text);
}

// The parser recurses once per level, and so does what it makes: deep files would end the process.
TEST(TomlText, DeepKeysAreRefused) {
  const auto repeated = [](const std::string& part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += part;
    return text;
  };
  const auto refused = [](const std::string& text) {
    return refusal(text).find(" nest ") != std::string::npos &&
           refusal(text).ends_with("expected at most 100");
  };
  EXPECT_TRUE(refused("[" + repeated("a.", 20000) + "a]"));
  EXPECT_TRUE(refused(repeated("a.", 20000) + "a = 1"));
  EXPECT_TRUE(refused(repeated("'a' . ", 20000) + "a = 1"));
  EXPECT_TRUE(refused("a = " + repeated("[", 300)));
  EXPECT_TRUE(refused(repeated("a.b.c.d.e.f.g = {", 90) + repeated("}", 90)));
  EXPECT_TRUE(refused("x = '''\n#'''\n" + repeated("a.", 101) + "a = 1"));
  EXPECT_EQ(refusal("[" + repeated("a.", 98) + "a]\nb.c = 1\n"), "");
}

TEST(TomlText, PointsInTextsAndNumbersAreNotDeep) {
  const std::string points(5000, '.');
  std::string list = "numbers = [";
  for (int i = 0; i < 5000; ++i) list += "0.5,\n 1.5e-3, ";
  EXPECT_EQ(refusal("a = '" + points + "' # " + points + "\nb = \"" + points + "\\\"" + points + "\"\n" +
                    list + "]"),
            "");
  EXPECT_EQ(refusal("a = \"\"\"" + points + "\n'''" + points + "\"\"\"\n[b.c]\nd = 1.5"), "");
}

TEST(TomlText, TheParserSaysTheRest) {
  for (const std::string text :
       {"a = 'open\nb = 1\n", "a = \"open\\", "a = \"\"\"open", "a = ", "= 1", "[a\n", "a = 1 1"})
    EXPECT_EQ(refusal(text).rfind("a.toml:", 0), 0U) << text;
}

}  // namespace
}  // namespace nouq
