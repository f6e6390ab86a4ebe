// One description of settings, and everything that is made from it: a struct of the test's own, with one
// made-up field, appears in help, TOML, JSON, Python, the docs' table, fingerprints and comparisons.
#include <gtest/gtest.h>

#include "config/declared_options.h"
#include "config/program.h"
#include "config/python_text.h"
#include "config/settings_text.h"
#include "config/toml.h"
#include "core/error.h"
#include "support/message.h"

namespace nouq {
namespace {

struct MadeUpSettings {
  double stiffness = 0.25;
};

void describe(OptionTable& table, MadeUpSettings& s) {
  table.group("Springs");
  table.add("spring-stiffness", s.stiffness, "how stiff the spring is")
      .between(0, 10)
      .in_unit("N/m")
      .since_version("9.9")
      .about("Raise it when the spring sags. From Hooke (1678).");
}

OptionTable described(MadeUpSettings& settings) {
  OptionTable table("springs", "weigh something");
  describe(table, settings);
  return table;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(SettingsDescribedOnce, OnTheCommandLineAndInHelp) {
  MadeUpSettings settings;
  const OptionTable table = described(settings);
  const std::vector<std::string> words = {"2.5"};
  assign_words(*table.find("spring-stiffness"), words, "--spring-stiffness");
  EXPECT_EQ(settings.stiffness, 2.5);
  const std::string help = command_help("tool", table);
  EXPECT_TRUE(has(help, "--spring-stiffness X")) << help;
  EXPECT_TRUE(has(help, "how stiff the spring is (a number from 0 to 10; default 0.25)")) << help;
}

TEST(SettingsDescribedOnce, InToml) {
  MadeUpSettings settings;
  const OptionTable table = described(settings);
  EXPECT_TRUE(has(to_toml(table), "# how stiff the spring is\nspring-stiffness = 0.25\n"));
  apply_toml_keys("spring-stiffness = 3", "text", table);
  EXPECT_EQ(settings.stiffness, 3);
  apply_toml_keys("[springs]\nspring_stiffness = 4.5", "text", table);
  EXPECT_EQ(settings.stiffness, 4.5);
  EXPECT_EQ(test::message_of([&] { apply_toml_keys("spring-stiffness = 11", "text", table); }),
            "text:1: spring-stiffness = 11.0: expected a number from 0 to 10");
  EXPECT_EQ(test::message_of([&] { apply_toml_keys("spring-stifness = 1", "text", table); }),
            "text:1: unknown key 'spring-stifness' in [springs]; did you mean 'spring-stiffness'?");
}

TEST(SettingsDescribedOnce, InJsonWithEveryBit) {
  MadeUpSettings settings;
  const OptionTable table = described(settings);
  EXPECT_EQ(to_json(table), R"({"spring_stiffness":0.25})");
  settings.stiffness = 0.1 + 0.2;
  MadeUpSettings back;
  apply_json(to_json(table), "model", described(back));
  EXPECT_EQ(back.stiffness, settings.stiffness);
  EXPECT_EQ(test::message_of([&] { apply_json(R"({"spring_stiffness":-1})", "model", table); }),
            "model: spring_stiffness = -1.0: expected a number from 0 to 10");
  EXPECT_TRUE(has(test::message_of([&] { apply_json(R"({"stiffness":1})", "model", table); }),
                  "unknown model: setting 'stiffness'; did you mean 'spring_stiffness'?"));
}

TEST(SettingsDescribedOnce, InPython) {
  MadeUpSettings settings;
  const OptionTable table = described(settings);
  EXPECT_EQ(python_keywords(table), std::vector<std::string>{"spring_stiffness: float = 0.25"});
  EXPECT_EQ(python_stub(table), "    spring_stiffness: float = 0.25,\n");
  std::string from;
  OptionTable reserved("r", "");
  reserved.add("from", from, "where");
  EXPECT_EQ(python_keywords(reserved), std::vector<std::string>{"from_: str = \"\""});
  EXPECT_EQ(python_documentation(table),
            "Springs:\n  spring_stiffness: how stiff the spring is (a number from 0 to 10; default 0.25)\n");
}

TEST(SettingsDescribedOnce, InTheDocs) {
  MadeUpSettings settings;
  EXPECT_EQ(
      markdown_settings(described(settings)),
      "\n### Springs\n\n| setting | may be | meaning |\n|---|---|---|\n"
      "| `spring-stiffness` | a number from 0 to 10, in N/m; default 0.25; since 9.9 | how stiff the spring "
      "is. Raise it when the spring sags. From Hooke (1678). |\n");
}

TEST(SettingsDescribedOnce, InFingerprintsOnlyWhereItIsNotTheDefault) {
  MadeUpSettings settings;
  const OptionTable table = described(settings);
  EXPECT_EQ(to_json(table, Which::changed), "{}");
  settings.stiffness = 0.5;
  EXPECT_EQ(to_json(table, Which::changed), R"({"spring_stiffness":0.5})");
}

TEST(SettingsDescribedOnce, InComparisons) {
  MadeUpSettings a, b;
  EXPECT_EQ(difference(described(a), described(b)), "");
  const OptionTable first = described(a), second = described(b);
  b.stiffness = 7;
  EXPECT_EQ(difference(first, second), "spring-stiffness: 0.25 and 7");
}

TEST(SettingsDescribedOnce, ThreadsAndPlacesAreNoPartOfAResult) {
  int threads = 1;
  OptionTable table("t", "");
  table.add("threads", threads, "of work").without_effect_on_result();
  EXPECT_EQ(to_json(table), "{}");
}

TEST(DeclaredOptions, OneNameOfSeveralOwnersSaysWhatItMeansForEach) {
  int count = 3;
  double heat = 1;
  OptionTable a("a", ""), b("b", ""), c("c", "");
  a.add("count", count, "heads").between(2, 9);
  b.add("count", count, "networks").between(2, 9);
  c.add("heat", heat, "how hot");
  DeclaredOptions declared;
  declared.add("first", a);
  declared.add("second", b);
  declared.add("third", c);
  Options values;
  const std::vector<Option> options = declared.options(values);
  ASSERT_EQ(options.size(), 2U);
  EXPECT_EQ(options[0].help, "heads (first) or networks (second)");
  EXPECT_EQ(options[1].help, "how hot, for third");
  EXPECT_EQ(options[1].owners, std::vector<std::string>{"third"});
  EXPECT_EQ(options[0].load(), Values{std::int64_t{3}});
  assign(options[0], {std::int64_t{5}}, "count");
  EXPECT_EQ(values.at("count"), OptionValue(5));
  EXPECT_EQ(count, 3) << "what the owners bound is of no interest";
}

TEST(DeclaredOptions, OwnersMustAgree) {
  int count = 3;
  OptionTable a("a", ""), b("b", "");
  a.add("count", count, "heads").between(2, 9);
  b.add("count", count, "networks").between(1, 9);
  DeclaredOptions declared;
  declared.add("first", a);
  EXPECT_EQ(test::message_of([&] { declared.add("second", b); }),
            "first and second declare the option 'count' with different kinds, ranges or defaults");
}

}  // namespace
}  // namespace nouq
