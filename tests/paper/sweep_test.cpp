// Figures of what one setting does and of what quality costs, from results made up by hand.
#include "paper/sweep.h"

#include <gtest/gtest.h>

#include "paper/made_up_results.h"
#include "paper/study_figures.h"

namespace nouq::test {
namespace {

using namespace nouq::paper;  // NOLINT: the tests are about nothing else

const Sweep &over_count = sweeps[0], &over_strength = sweeps[2];

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<ResultJson> strengths_and_kinds() {
  const StudyOptions plain = small_study();
  std::vector<ResultJson> all = {made_up_result(plain, "heat", "diverse", 0, 1e-6),
                                 made_up_result(plain, "heat", "diverse", 1, 3e-6),
                                 made_up_result(plain, "heat", "ensemble", 0, 1.5e-6)};
  for (const std::string kind : {"weights", "gradients"}) {
    for (const double strength : {0.1, 10.0, 100.0}) {
      StudyOptions o = small_study();
      o.diversity = kind;
      o.grid.strength = {strength};
      all.push_back(made_up_result(o, "heat", "diverse", 0, strength));
    }
  }
  return all;
}

TEST(SweepFigures, DrawALineThroughResultsThatDifferInOneSetting) {
  const std::vector<ResultJson> all = strengths_and_kinds();
  const auto figures = sweep_figures(all, over_strength);
  ASSERT_EQ(figures.size(), 4U) << "for each metric one beside the other methods, one of the kinds";
  ASSERT_EQ(figures[2].panels[0].series.size(), 2U) << "the usual kind and an ensemble";
  const Panel& panel = figures[3].panels[0];
  ASSERT_EQ(panel.series.size(), 2U) << "two kinds of diversity";
  const auto& weights = std::get<Points>(panel.series[0]);
  const auto& gradients = std::get<Points>(panel.series[1]);
  EXPECT_EQ(weights.name, "diverse, weights");
  EXPECT_EQ(weights.x, (std::vector<double>{0.1, 1, 10, 100}));
  EXPECT_NEAR(weights.y[1], 2e-6, 1e-12) << "the mean of two seeds";
  EXPECT_NEAR(weights.error[1], 1.4142e-6, 1e-9);
  EXPECT_EQ(weights.error[0], 0) << "one seed";
  EXPECT_EQ(weights.colour, method_colour("diverse"));
  for (const char* method : {"bayesian", "variance", "dropout", "ensemble", "diverse"})
    EXPECT_NE(gradients.colour, method_colour(method));
  EXPECT_TRUE(sweep_figures(all, over_count).empty()) << "one count only";
  EXPECT_TRUE(holds(figures[3].caption, "Lowest MSE: diverse, weights at strength = 1 in 4 of 4 ranges."))
      << figures[3].caption;
  EXPECT_TRUE(holds(figures[2].caption, "Lowest MSE: ensemble in 4 of 4 ranges.")) << figures[2].caption;
  EXPECT_TRUE(figures[2].title.starts_with("heat, 3 epochs: MSE")) << figures[2].title;
  EXPECT_TRUE(holds(figures[2].caption, "All with M = 2, width 4, rate 0.001, diversity of weights."))
      << figures[2].caption;
  EXPECT_TRUE(
      holds(figures[3].caption,
            "3 epochs instead of the paper's 500, 400 samples, tested on 200 of every range. All with "
            "M = 2, width 4, rate 0.001. The kinds"))
      << figures[3].caption;
}

TEST(SweepFigures, SayWhereTheTermLeftNothingButTheWarmUp) {
  std::vector<ResultJson> all = strengths_and_kinds();
  for (ResultJson& result : all) {
    const bool gradients = result["settings"].contains("diversity");
    const bool strong = result["settings"]["grid"].value("strength", ResultJson{0.0})[0] > 1.0;
    result["training"]["diversity"]["warmup"] = 10;
    result["networks"][0]["best_epoch"] = gradients && strong ? 10 : 11;
    result["networks"][0]["epochs"] = 11;
  }
  const auto figures = sweep_figures(all, over_strength);
  EXPECT_TRUE(holds(figures[3].caption, "kept are older: diverse, gradients at strength = 10, 100."))
      << figures[3].caption;
  EXPECT_FALSE(holds(figures[2].caption, "older")) << "that one is of weights alone: " << figures[2].caption;
  for (ResultJson& result : all) result["networks"][0]["epochs"] = 10;
  EXPECT_FALSE(holds(sweep_figures(all, over_strength)[3].caption, "older")) << "the term never set in";
}

TEST(SweepFigures, ShowOtherKindsOfDiversityByThemselvesToo) {
  std::vector<ResultJson> all;
  for (const double strength : {0.1, 10.0, 100.0}) {
    EXPECT_TRUE(sweep_figures(all, over_strength).empty()) << "two are no curve";
    StudyOptions o = small_study();
    o.diversity = "gradients";
    o.grid.strength = {strength};
    all.push_back(made_up_result(o, "heat", "diverse", 0, strength));
  }
  EXPECT_EQ(sweep_figures(all, over_strength).size(), 2U);
}

// Nothing can stand at zero on a logarithmic axis: it is a line.
TEST(SweepFigures, AStrengthOfZeroIsALine) {
  std::vector<ResultJson> all = strengths_and_kinds();
  StudyOptions none = small_study();
  none.grid.strength = {0.0};
  all.push_back(made_up_result(none, "heat", "diverse", 0, 1e-9));
  const Figure figure = sweep_figures(all, over_strength)[3];
  const auto& line = std::get<Line>(figure.panels[0].series[0]);
  EXPECT_EQ(line.name, "diverse, weights, strength = 0");
  EXPECT_EQ(line.y, std::vector<double>(2, 1e-9));
  EXPECT_EQ(std::get<Points>(figure.panels[0].series[1]).x, (std::vector<double>{0.1, 1, 10, 100}));
  EXPECT_TRUE(holds(figure.caption, "diverse, weights at strength = 0 in 4 of 4")) << figure.caption;
  EXPECT_EQ(line.colour, std::get<Points>(figure.panels[0].series[1]).colour);
}

// A method without members is compared whatever the count of its result; others must have the curve's own.
TEST(SweepFigures, ShowTheOtherMethodsAsLines) {
  std::vector<ResultJson> all = strengths_and_kinds();
  StudyOptions other = small_study();
  other.count = 5;
  all.push_back(made_up_result(other, "heat", "bayesian", 0, 5e-6));
  all.push_back(made_up_result(other, "heat", "dropout", 0, 7e-6));
  other.grid.width = {8};
  all.push_back(made_up_result(other, "heat", "variance", 0, 9e-6));
  const Panel panel = sweep_figures(all, over_strength)[2].panels[0];
  std::vector<std::string> names;
  for (const Series& series : panel.series) {
    const auto* line = std::get_if<Line>(&series);
    if (line == nullptr) continue;
    names.push_back(line->name);
    EXPECT_EQ(line->colour, method_colour(line->name));
    EXPECT_EQ(line->x, (std::vector<double>{0.1, 100}));
    EXPECT_EQ(line->y, std::vector<double>(2, line->name == "bayesian" ? 5e-6 : 1.5e-6));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"bayesian", "ensemble"}));
}

// Three counts at one width, three widths at one count.
std::vector<ResultJson> counts_and_widths() {
  std::vector<ResultJson> all;
  for (const auto& [count, width] :
       std::vector<std::pair<Index, Index>>{{2, 4}, {5, 4}, {10, 4}, {5, 8}, {5, 16}}) {
    StudyOptions o = small_study();
    o.count = count;
    o.grid.width = {width};
    for (const std::string method : {"ensemble", "diverse", "bayesian"}) {
      ResultJson result = made_up_result(o, "heat", method, 0, 1e-6 / static_cast<double>(width));
      const double networks = method == "ensemble" ? static_cast<double>(count) : 1;
      result["prediction_flops"] = 1000.0 * networks * static_cast<double>(width);
      result["parameters"] = 10.0 * networks * static_cast<double>(width);
      all.push_back(std::move(result));
    }
  }
  return all;
}

TEST(SweepFigures, ShowWhatMembersCost) {
  const auto figures = sweep_figures(counts_and_widths(), over_count);
  ASSERT_EQ(figures.size(), 3U);
  EXPECT_TRUE(holds(figures[0].caption, "All with width 4, strength 1, rate 0.001, diversity of weights."))
      << figures[0].caption;
  const Panel& panel = figures[2].panels[0];
  EXPECT_EQ(panel.y.scale, Scale::log);
  ASSERT_EQ(panel.series.size(), 2U) << "bayesian has no members";
  EXPECT_EQ(std::get<Points>(panel.series[0]).y, (std::vector<double>{8e3, 2e4, 4e4}));
  EXPECT_EQ(std::get<Points>(panel.series[1]).y, (std::vector<double>{4e3, 4e3, 4e3}));
}

TEST(CostFigures, JoinWidthsAtTheUsualCount) {
  const auto figures = cost_figures(counts_and_widths(), {1.0});
  ASSERT_EQ(figures.size(), 1U);
  ASSERT_EQ(figures[0].panels.size(), 6U);
  ASSERT_EQ(figures[0].panels[0].series.size(), 3U);
  for (const Series& series : figures[0].panels[0].series) {
    const auto& points = std::get<Points>(series);
    EXPECT_TRUE(points.joined) << points.name;
    EXPECT_EQ(points.labels, (std::vector<std::string>{"4", "8", "16"})) << points.name;
  }
  EXPECT_TRUE(holds(figures[0].caption, "M = 5.")) << figures[0].caption;
  EXPECT_TRUE(holds(figures[0].caption, "20 % of the FLOPs and 20 % of the parameters"))
      << figures[0].caption;
}

TEST(CostFigures, ShowTheStudysStrengthsEvenWhereOthersAreMore) {
  std::vector<ResultJson> all = strengths_and_kinds();
  all.push_back(made_up_result(small_study(), "heat", "diverse", 2, 2e-6));  // strength 1, a third seed
  const auto caption = [&](double strength) { return cost_figures(all, {strength})[0].caption; };
  EXPECT_TRUE(holds(caption(0.1), "Strength of diverse: 0.1.")) << caption(0.1);
  EXPECT_TRUE(holds(caption(7), "Strength of diverse: 1.")) << caption(7);
}

TEST(CostFigures, NeedTwoMethods) {
  const auto result = [](const char* problem, const char* method) {
    return made_up_result(small_study(), problem, method, 0, 1e-6);
  };
  const auto figures = cost_figures(
      {result("heat", "diverse"), result("heat", "ensemble"), result("advection-ic", "diverse")}, {1.0});
  ASSERT_EQ(figures.size(), 1U) << "advection-ic has one method only";
  EXPECT_EQ(figures[0].panels.size(), 6U);
  EXPECT_TRUE(std::get<Points>(figures[0].panels[0].series[0]).labels.empty()) << "one width needs no label";
  EXPECT_TRUE(holds(figures[0].caption, "50 % of the FLOPs")) << figures[0].caption;
}

}  // namespace
}  // namespace nouq::test
