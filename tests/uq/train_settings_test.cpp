// The settings of a training: what they resolve to, which are refused, and that their one description says
// all.
#include "uq/train_settings.h"

#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "config/settings_text.h"
#include "support/paths.h"
#include "support/small_training.h"

namespace nouq {
namespace {

std::string refusal(const TrainSettings& settings, Index samples = 20) {
  try {
    const DataSet data = test::small_data(samples, 1);
    (void)resolve(settings, data);
    (void)calibration_of(settings, samples);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

Diversity diversity_of(const FitOptions& fit) {
  return fit_trainings(fit, test::small_data(4, 1)).front().diversity;
}

// The network and the method are the paper's; how they are trained is not.
TEST(TrainSettings, DefaultsAreTheNetworkOfDefaultFitAndTheRecipe) {
  const DataSet data = test::small_data(4, 1);
  const FitOptions fit = resolve(TrainSettings{}, data), expected = default_fit(data, 200);
  EXPECT_EQ(fit.train.network, expected.train.network);
  EXPECT_EQ(fit.train.schedule.kind, ScheduleKind::one_cycle);
  EXPECT_EQ(fit.train.schedule.base_rate, 3e-3);
  EXPECT_EQ(fit.train.epochs, 160);
  EXPECT_EQ(diversity_of(fit), (Diversity{.strength = 1, .bound = 10}));
  EXPECT_EQ(fit.train.batch, 5) << "few samples, small batches";
  EXPECT_EQ(resolve(TrainSettings{}, test::small_data(96, 1)).train.batch, 12);
  EXPECT_EQ(resolve(TrainSettings{}, test::small_data(320, 1)).train.batch, 20);
  EXPECT_EQ(resolve(TrainSettings{.batch = 7}, data).train.batch, 7);
  EXPECT_EQ(fit.train.weight_decay, expected.train.weight_decay);
  EXPECT_EQ(fit.normalise, expected.normalise);
  EXPECT_EQ(fit.method.get("count"), expected.method.get("count"));
}

TEST(TrainSettings, EveryOptionReachesItsPlace) {
  TrainSettings s{.method = "diverse", .normalise = "on", .epochs = 30, .rate = 0.5, .schedule = "cosine"};
  s.options = {{"count", 4},   {"strength", 2}, {"diversity", "gradients"},   {"warmup", 1},
               {"bound", 3.5}, {"width", 5},    {"modes", std::vector{4, 3}}, {"padding_fraction", 0.5}};
  const FitOptions fit = resolve(s, test::small_data(4, 1));
  EXPECT_EQ(fit.method.get("count"), 4);
  EXPECT_EQ(diversity_of(fit), (Diversity{DiversityKind::gradients, 2, 3.5, 1, 0}));
  EXPECT_EQ(fit.train.network.width, 5);
  EXPECT_EQ(fit.train.network.modes, (std::vector<Index>{4, 3}));
  EXPECT_EQ(fit.train.network.padding[0].fraction, 0.5);
  EXPECT_TRUE(fit.normalise);
  EXPECT_EQ(fit.train.schedule, (Schedule{ScheduleKind::cosine, 0.5, 3, 0.5}));
  s = {.method = "bayesian", .options = {{"laplace", "full"}, {"count-points", true}, {"add_noise", true}}};
  const MethodOptions bayesian = resolve(s, test::small_data(4, 1)).method;
  EXPECT_EQ(bayesian.get("laplace"), "full");
  EXPECT_EQ(bayesian.get("count-points"), true);
  EXPECT_EQ(bayesian.get("add-noise"), true);
}

TEST(TrainSettings, ALossIsNamedAndTheMethodSaysWhichThatIs) {
  const auto loss = [](const std::string& method, const std::string& label) {
    const FitOptions fit = resolve({.method = method, .loss = label}, test::small_data(4, 1));
    return fit_trainings(fit, test::small_data(4, 1)).front().loss;
  };
  EXPECT_EQ(loss("diverse", "auto").kind, LossKind::relative_l2);
  EXPECT_EQ(loss("diverse", "crps").kind, LossKind::heads_crps);
  EXPECT_EQ(loss("diverse", "fair_crps").kind, LossKind::fair_crps);
  EXPECT_EQ(loss("diverse", "crps").heads, 10);
  EXPECT_EQ(loss("variance", "auto").kind, LossKind::gaussian_nll);
  EXPECT_EQ(loss("variance", "crps").kind, LossKind::gaussian_crps);
  EXPECT_EQ(loss("ensemble", "relative_l2_squared").kind, LossKind::relative_l2_squared);
  EXPECT_EQ(refusal({.method = "ensemble", .loss = "crps"}),
            "loss crps: the method ensemble has relative_l2, relative_l2_squared");
}

TEST(TrainSettings, ThreeAxesTakeTheFactorisedNetworkUnlessToldOtherwise) {
  DataSet cube;
  cube.grid = {{"x", "", linspace(0, 1, 6)}, {"y", "", linspace(0, 1, 6)}, {"t", "", linspace(0, 1, 6)}};
  cube.input_channels = cube.output_channels = {{"u", ""}};
  cube.inputs = cube.outputs = Array<float>({2, 6, 6, 6, 1}, 1.0F);
  EXPECT_EQ(resolve(TrainSettings{}, cube).train.network.architecture, "ffno");
  EXPECT_EQ(resolve(TrainSettings{.architecture = "fno"}, cube).train.network.architecture, "fno");
  EXPECT_EQ(default_fit(cube, 10).train.network, resolve(TrainSettings{}, cube).train.network);
  EXPECT_EQ(resolve(TrainSettings{}, test::small_data(4, 1)).train.network.architecture, "fno");
}

TEST(TrainSettings, ThePeriodIsThatOfTheStepSchedule) {
  const DataSet data = test::small_data(20, 1);
  const TrainSettings steps{.epochs = 30, .schedule = "step", .period = 7},
      cosine{.epochs = 30, .schedule = "cosine", .period = 7};
  EXPECT_EQ(resolve(steps, data).train.schedule.period, 7);
  EXPECT_EQ(resolve({.epochs = 30}, data).train.schedule.period, 3);
  EXPECT_TRUE(notes_on(steps, resolve(steps, data), {}, 80, 20).empty());
  const auto notes = notes_on(cosine, resolve(cosine, data), {}, 80, 20);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].option, "period");
}

TEST(TrainSettings, WhatCannotBeIsRefusedByName) {
  EXPECT_EQ(refusal({.epochs = 0}), "epochs = 0: expected an integer from 1 to 10000000");
  EXPECT_EQ(
      refusal({.method = "divers"}),
      "method = 'divers': did you mean 'diverse'? Expected one of bayesian, variance, dropout, ensemble, "
      "diverse");
  EXPECT_EQ(refusal({.options = {{"count", 1}}}), "count = 1: expected an integer from 2 to 1000");
  EXPECT_EQ(refusal({.options = {{"count", "many"}}}), "count = 'many': expected an integer from 2 to 1000");
  EXPECT_EQ(refusal({.architecture = "ffno", .options = {{"expansion", 1.5}}}),
            "expansion = 1.5: expected an integer from 1 to 16");
  EXPECT_EQ(refusal({.architecture = "ffno", .options = {{"expansion", 3}}}), "accepted");
  EXPECT_TRUE(
      refusal({.options = {{"widht", 8}}}).starts_with("unknown option 'widht'; did you mean 'width'?"));
  EXPECT_EQ(refusal({.options = {{"modes", std::vector{1, 2, 3}}}}),
            "modes: 3 values for 2 axes; give one, or one per axis");
  EXPECT_EQ(refusal({.options = {{"padding", 3}, {"padding-fraction", 0.5}}}),
            "padding and padding-fraction say the same thing: give one");
  EXPECT_EQ(refusal({.trust_level = 0.95}, 18),
            "trust-level = 0.95: needs at least 19 held-out samples, there are 18; give more data, a larger "
            "validation-fraction, or 0");
  EXPECT_EQ(refusal({.seed = ~std::uint64_t{0}}), "accepted");
}

TEST(TrainSettings, AnOptionOfAnotherMethodIsNotedFromItsDeclaration) {
  const TrainSettings s{.method = "ensemble",
                        .options = {{"laplace", "full"}, {"count", 3}, {"dropout", 0.1}}};
  const FitOptions fit = resolve(s, test::small_data(4, 1));
  const auto notes = notes_on(s, fit, {}, 400, 100);
  ASSERT_EQ(notes.size(), 1U) << "count is its own, and dropout is at its default";
  EXPECT_EQ(notes[0].option, "laplace");
  EXPECT_EQ(notes[0].text, "does nothing for the method ensemble, only for bayesian");
}

TEST(TrainSettings, TheirTextSaysWhatMattersAndGivesItBack) {
  TrainSettings s{.method = "ensemble", .epochs = 7, .threads = 3};
  s.options = {{"count", 5}, {"modes", std::vector{4, 3}}};
  const std::string text = to_json(s);
  EXPECT_EQ(text, R"({"method":"ensemble","count":5,"modes":[4,3],"epochs":7})");
  EXPECT_EQ(to_json(TrainSettings{}), "{}");
  TrainSettings back;
  OptionTable table("train", "");
  describe(table, back);
  apply_json(text, "model", table);
  EXPECT_EQ(to_json(back), text);
}

// The header teaches C++ users, the description everybody else: the words are the same.
TEST(TrainSettings, EveryParagraphStandsInThePublicHeader) {
  std::ifstream file(test::source_dir() + "/include/nouq/settings.h");
  std::stringstream content;
  content << file.rdbuf();
  const std::regex comment_start("\\n *// ?"), blanks("\\s+");
  const std::string header =
      std::regex_replace(std::regex_replace(content.str(), comment_start, " "), blanks, " ");
  TrainSettings train;
  SelectSettings select;
  OptionTable table("train", ""), grid("select", "");
  describe(table, train);
  describe(grid, select);
  int members = 0;
  for (const OptionTable* one : {&table, &grid}) {
    for (const Option& option : one->options()) {
      EXPECT_FALSE(option.paragraph.empty() && option.name != "count") << option.name << " has no paragraph";
      const bool declared = method_options().has(option.name) || network_options().has(option.name);
      if (declared) continue;
      ++members;
      EXPECT_NE(header.find(option.paragraph), std::string::npos) << option.name << ": " << option.paragraph;
    }
  }
  EXPECT_GT(members, 20);
}

}  // namespace
}  // namespace nouq
