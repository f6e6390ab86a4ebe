// Configuration files: everything is checked, nothing is passed over, what is written reads back.
#include "config/toml.h"

#include <gtest/gtest.h>

#include "config/example_table.h"
#include "support/message.h"

namespace nouq {
namespace {

class Toml : public testing::Test {
 protected:
  std::vector<std::string> apply(const std::string& text) {
    return apply_toml(text, "study.toml", std::vector<const OptionTable*>{&table, &other});
  }
  std::string refusal(const std::string& text) {
    return test::message_of([&] { apply(text); });
  }
  // The message about one line in [train].
  std::string line(const std::string& text) { return refusal("[train]\n" + text + "\n"); }

  test::ExampleOptions options;
  OptionTable table = test::example_table(options);
  bool deep = false;
  OptionTable other{"predict", "say something"};
  void SetUp() override { other.add("deep", deep, "think"); }
};

TEST_F(Toml, ValuesOfEveryKind) {
  const auto found = apply(R"(
# a comment
[train]
problem = "stefan"
samples = 1_000
seed = 5
rate = 1
weight = -0.25
fast = true
output = "out put.npz"
modes = [8, 4]
times = [0, 0.5]
names = ["a,b", "c"]
[predict]
deep = true
)");
  test::ExampleOptions expected;
  expected = {"stefan",  1000,          5,      0,        1.0,          -0.25, true,
              "diverse", "out put.npz", {8, 4}, {0, 0.5}, {"a,b", "c"}, ""};
  EXPECT_EQ(options, expected);
  EXPECT_TRUE(deep);
  EXPECT_EQ(found, (std::vector<std::string>{"predict", "train"}));
}

TEST_F(Toml, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_EQ(line("sampels = 3"), "study.toml:2: unknown key 'sampels' in [train]; did you mean 'samples'?");
  EXPECT_EQ(refusal("\n\n[trian]\nsamples = 3\n"),
            "study.toml:3: unknown table [trian]; did you mean [train]?");
  EXPECT_EQ(refusal("samples = 3\n"),
            "study.toml:1: 'samples' stands outside a table; put it under [train] or the like");
  EXPECT_EQ(refusal("[predict]\ndeep = true\n[train]\nsampels = 3\n"),
            "study.toml:4: unknown key 'sampels' in [train]; did you mean 'samples'?");
}

TEST_F(Toml, WrongTypesAndRangesAreRefused) {
  EXPECT_EQ(line("samples = \"3\""), "study.toml:2: samples = '3': expected an integer from 1 to 1000");
  EXPECT_EQ(line("samples = 3.0"), "study.toml:2: samples = 3.0: expected an integer from 1 to 1000");
  EXPECT_EQ(line("samples = 0"), "study.toml:2: samples = 0: expected an integer from 1 to 1000");
  EXPECT_EQ(line("samples = [3, 4]"),
            "study.toml:2: samples = 3,4: expected an integer from 1 to 1000, not a list");
  EXPECT_EQ(line("samples = []"), "study.toml:2: samples has no value: expected an integer from 1 to 1000");
  EXPECT_EQ(line("fast = 1"), "study.toml:2: fast = 1: expected true or false");
  EXPECT_EQ(line("rate = nan"), "study.toml:2: rate = nan: expected a number above 0");
  EXPECT_EQ(line("rate = true"), "study.toml:2: rate = true: expected a number above 0");
  EXPECT_EQ(line("modes = 3"),
            "study.toml:2: modes = 3: expected a list of integers of at least 1, in brackets");
  EXPECT_EQ(line("modes = [3, 0]"), "study.toml:2: modes = 0: expected a list of integers of at least 1");
  EXPECT_EQ(line("modes = [[3]]"), "study.toml:2: modes: a list in a list has no place here");
  EXPECT_EQ(line("output = 1979-05-27"), "study.toml:2: output: a date or time has no place here");
  EXPECT_EQ(line("rate.low = 3"), "study.toml:2: rate: a table has no place here");
  EXPECT_EQ(line("method = \"divers\""),
            "study.toml:2: method = 'divers': did you mean 'diverse'? Expected one of diverse, ensemble");
  EXPECT_EQ(line("config = \"x\""), "study.toml:2: 'config' can be given on the command line only");
  EXPECT_EQ(options, test::ExampleOptions{});
}

TEST_F(Toml, DuplicatesAndBadSyntaxAreRefusedWithTheLine) {
  EXPECT_EQ(line("samples = 3\nsamples = 4").substr(0, 30), "study.toml:3: not valid TOML: ");
  EXPECT_NE(line("samples = 3\nsamples = 4").find("'samples'"), std::string::npos);
  EXPECT_EQ(refusal("[train]\nfast = true\n[train]\nfast = true\n").substr(0, 30),
            "study.toml:3: not valid TOML: ");
  EXPECT_EQ(line("samples = ").substr(0, 30), "study.toml:2: not valid TOML: ");
  EXPECT_EQ(refusal(std::string((1U << 20U) + 1, '#')),
            "study.toml: 1048577 bytes are too many for a TOML file, at most 1048576");
}

TEST_F(Toml, WhatIsWrittenReadsBack) {
  options.problem = "pme";
  options.rate = 1.0 / 3;
  options.weight = 1e300;
  options.fast = true;
  options.output = "a \"b\" \\ \x01 \xC3\xA9.npz";
  options.times = {1, 1e-7, -0.0};
  options.names = {"", "x,y", "]"};
  const std::string text = to_toml(table);
  test::ExampleOptions again;
  const OptionTable fresh = test::example_table(again);
  apply_toml(text, "printed", std::vector<const OptionTable*>{&fresh});
  EXPECT_EQ(again, options);
  EXPECT_EQ(to_toml(fresh), text);
}

TEST_F(Toml, EveryOptionIsWrittenUnderItsHelpLine) {
  EXPECT_EQ(to_toml(table),
            "[train]\n"
            "# the problem\n# problem = (not set)\n"
            "# how many\nsamples = 400\n"
            "# of the random numbers\nseed = 0\n"
            "# 0 for all\nthreads = 0\n"
            "# of learning\nrate = 0.001\n"
            "# of a term\n# weight = (not set)\n"
            "# be quick\nfast = false\n"
            "# which one\nmethod = \"diverse\"\n"
            "# where to\n# output = (not set)\n"
            "# kept modes\nmodes = [12, 12]\n"
            "# when\ntimes = []\n"
            "# who\nnames = []\n");
}

}  // namespace
}  // namespace nouq
