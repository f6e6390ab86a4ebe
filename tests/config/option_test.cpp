// Values reach variables only when they are right, and messages say what would be.
#include <gtest/gtest.h>

#include "config/example_table.h"
#include "config/program.h"
#include "support/message.h"

namespace nouq {
namespace {

using test::message_of;

class Options : public testing::Test {
 protected:
  void set(const std::string& name, const std::vector<std::string>& words) {
    assign_words(*table.find(name), words, "--" + name);
  }
  std::string refusal(const std::string& name, const std::vector<std::string>& words) {
    const test::ExampleOptions before = options;
    const std::string message = message_of([&] { set(name, words); });
    EXPECT_EQ(options, before) << "a refused value must change nothing";
    return message;
  }

  test::ExampleOptions options;
  OptionTable table = test::example_table(options);
};

TEST_F(Options, ARangeMayEndAtTheLargestInteger) {
  set("modes", {"9223372036854775806..9223372036854775807"});
  EXPECT_EQ(options.modes.size(), 2U);
}

TEST_F(Options, WordsReachVariablesOfEveryType) {
  set("problem", {"pme"});
  set("samples", {"7"});
  set("seed", {"9223372036854775807"});
  set("threads", {"2"});
  set("rate", {"2.5e-4"});
  set("weight", {"-3"});
  set("fast", {"true"});
  set("output", {"a b/c.npz"});
  set("modes", {"3..4", "5"});
  set("times", {"0,0.5"});
  set("names", {"x", "y"});
  test::ExampleOptions expected;
  expected = {"pme",     7,        9223372036854775807U, 2, 2.5e-4, -3.0, true, "diverse", "a b/c.npz",
              {3, 4, 5}, {0, 0.5}, {"x", "y"},           ""};
  EXPECT_EQ(options, expected);
}

TEST_F(Options, KindAndDefaultFollowFromTheVariable) {
  EXPECT_EQ(table.find("samples")->kind, OptionKind::integer);
  EXPECT_EQ(table.find("fast")->kind, OptionKind::flag);
  EXPECT_EQ(table.find("output")->kind, OptionKind::path);
  EXPECT_TRUE(table.find("modes")->list);
  EXPECT_TRUE(table.find("weight")->optional);
  EXPECT_EQ(table.find("modes")->default_values, (Values{std::int64_t{12}, std::int64_t{12}}));
  EXPECT_EQ(table.find("nothing"), nullptr);
  EXPECT_EQ(table.groups(), (std::vector<std::string>{"What", "How"}));
}

TEST_F(Options, MessagesNameValueAndExpectation) {
  EXPECT_EQ(refusal("samples", {"many"}), "--samples = 'many': expected an integer from 1 to 1000");
  EXPECT_EQ(refusal("samples", {"0"}), "--samples = 0: expected an integer from 1 to 1000");
  EXPECT_EQ(refusal("samples", {"1001"}), "--samples = 1001: expected an integer from 1 to 1000");
  EXPECT_EQ(refusal("samples", {"3.5"}), "--samples = '3.5': expected an integer from 1 to 1000");
  EXPECT_EQ(refusal("samples", {"7 "}), "--samples = '7 ': expected an integer from 1 to 1000");
  EXPECT_EQ(refusal("samples", {""}), "--samples = '': expected an integer from 1 to 1000");
  EXPECT_EQ(refusal("samples", {"3", "4"}), "--samples is given 2 times (3, 4): expected it once");
  EXPECT_EQ(refusal("seed", {"-1"}), "--seed = -1: expected an integer of at least 0");
  EXPECT_EQ(refusal("seed", {"9223372036854775808"}),
            "--seed = '9223372036854775808': expected an integer of at least 0");
  EXPECT_EQ(refusal("threads", {"2147483648"}), "--threads = 2147483648: expected an integer of at least 0");
  EXPECT_EQ(refusal("rate", {"0"}), "--rate = 0.0: expected a number above 0");
  EXPECT_EQ(refusal("rate", {"nan"}), "--rate = nan: expected a number above 0");
  EXPECT_EQ(refusal("weight", {"inf"}), "--weight = inf: expected a number");
  EXPECT_EQ(refusal("fast", {"yes"}), "--fast = 'yes': expected true or false");
  EXPECT_EQ(refusal("method", {"divers"}),
            "--method = 'divers': did you mean 'diverse'? Expected one of diverse, ensemble");
  EXPECT_EQ(refusal("modes", {"3,0"}), "--modes = 0: expected a list of integers of at least 1");
  EXPECT_EQ(refusal("modes", {"4..2"}),
            "--modes = '4..2': expected a range of at most 10000 integers, as in 0..4");
  EXPECT_EQ(
      refusal("modes", {"-9223372036854775807..9223372036854775807"}),
      "--modes = '-9223372036854775807..9223372036854775807': expected a range of at most 10000 integers, as "
      "in 0..4");
  EXPECT_EQ(refusal("modes", {"1..x"}), "--modes = 'x': expected a list of integers of at least 1");
  EXPECT_EQ(refusal("modes", {"3,,4"}), "--modes = '3,,4': an item of the list is empty");
}

TEST_F(Options, ABoundMayBeExcluded) {
  double share = 0.5;
  OptionTable shares("train", "learn something");
  shares.add("share", share, "of it").at_least(0).below(1);
  const auto set_share = [&](const std::string& word) {
    return message_of(
        [&] { assign_words(*shares.find("share"), std::vector<std::string>{word}, "--share"); });
  };
  EXPECT_EQ(set_share("0"), "");
  EXPECT_EQ(set_share("0.999"), "");
  EXPECT_EQ(set_share("1"), "--share = 1.0: expected a number of at least 0 and below 1");
  EXPECT_EQ(share, 0.999);
}

TEST_F(Options, WhatWasGivenIsKnownAndWhatIsNotTheDefault) {
  GivenOptions given;
  table.collect_given(given);
  set("samples", {"7"});
  set("rate", {"1e-3"});
  EXPECT_FALSE(message_of([&] { set("threads", {"-1"}); }).empty());
  EXPECT_EQ(given.names, (std::set<std::string>{"rate", "samples"}));
  EXPECT_EQ(given.changed, (std::set<std::string>{"samples"}));
  EXPECT_EQ(options.samples, 7);
  set("samples", {"400"});
  EXPECT_TRUE(given.changed.empty()) << "the last word counts";
}

TEST_F(Options, RequiredOptionsAreAskedFor) {
  EXPECT_EQ(message_of([&] { table.require_complete(); }), "train needs PROBLEM (the problem)");
  set("problem", {"heat"});
  table.require_complete();
}

TEST_F(Options, ATableRefusesTwoOptionsOfOneName) {
  EXPECT_EQ(message_of([&] { table.add("rate", options.rate, "again"); }),
            "option 'rate' of train is added twice");
}

}  // namespace
}  // namespace nouq
