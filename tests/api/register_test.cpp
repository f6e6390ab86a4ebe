// Problems, metrics and kinds of constraints from outside: known by name to everything, and checked like
// ours.
#include <cmath>

#include <gtest/gtest.h>
#include <nouq/nouq.hpp>

#include "conserve/constraint_registry.h"
#include "support/message.h"

namespace nouq {
namespace {

// u(x, t) = exp(-k t), whatever x.
class Decay final : public Problem {
 public:
  Decay()
      : Problem(
            [] {
              ProblemDescription d;
              d.name = "decay";
              d.domain = {{{"x", ""}, 0, 1}, {{"t", ""}, 0, 1}};
              d.parameter = {"rate", "k", {0, 100}};
              d.input = {"k", ""};
              d.output = {"u", ""};
              d.ranges = {ParameterRange{1, 2}, {2, 3}, {3, 4}, {4, 5}};
              d.options = {{"sign", "+", "of the exponent"}};
              return d;
            }(),
            {{"x", "", linspace(0, 1, 6)}, {"t", "", linspace(0, 1, 4)}}) {}

 private:
  [[nodiscard]] Solver make_solver(const Grid& grid) const override {
    return [grid](const Draw& draw, const SampleView& sample) {
      std::size_t at = 0;
      for (std::size_t i = 0; i < grid[0].coordinates.size(); ++i) {
        for (const double t : grid[1].coordinates) sample.output[at++] = std::exp(-draw.parameter * t);
      }
    };
  }
};

TEST(Register, AProblemOfOnesOwn) {
  register_problem("decay", [](const ProblemOptions&) { return std::make_unique<Decay>(); });
  const DataSet data = generate("decay", {.samples = 3, .shift = "large"});
  EXPECT_EQ(data.outputs.shape(), (Shape{3, 6, 4, 1}));
  EXPECT_GE(data.parameters[0], 4.0);
  EXPECT_EQ(problem_names().back(), "decay");
  EXPECT_EQ(test::message_of([] { register_problem("decay", nullptr); }),
            "a problem needs a name and a maker");
  const auto make = [](const ProblemOptions&) { return std::make_unique<Decay>(); };
  EXPECT_EQ(test::message_of([&] { register_problem("heat", make); }),
            "problem 'heat' is there already: choose another name");
  EXPECT_TRUE(test::message_of([] {
                generate("decay", {.options = {{"sgin", "-"}}});
              }).starts_with("unknown option of problem decay 'sgin'; did you mean 'sign'?"));
  register_problem("growth", make);
  EXPECT_EQ(test::message_of([] { generate("growth"); }),
            "problem 'growth' calls itself 'decay': expected the same name");
}

TEST(Register, AMetricOfOnesOwn) {
  register_metric({"largest_error", false, false, "largest error of the mean", [](const MetricInput& in) {
                     MetricResult result;
                     for (Index i = 0; i < in.mean.size(); ++i)
                       result.value = std::max(result.value, std::abs(in.mean[i] - in.truth[i]));
                     return result;
                   }});
  const std::vector<double> mean = {1, 2, 3, 4}, truth = {1, 2.5, 3, 3}, bad = {1, NAN, 3, 4};
  const Layout layout = {2, 2, 1};
  EXPECT_EQ(metric("largest_error", {{mean.data(), layout}, {}, {truth.data(), layout}}).value, 1.0);
  EXPECT_TRUE(test::message_of([&] {
                (void)metric("largest_error", {{bad.data(), layout}, {}, {truth.data(), layout}});
              }).starts_with("largest_error: mean"));
  EXPECT_EQ(test::message_of([] {
              register_metric({"mse", false, false, "", [](const MetricInput&) { return MetricResult{}; }});
            }),
            "metric 'mse' is there already: choose another name");
}

TEST(Register, AKindOfConstraintOfOnesOwn) {
  // The first moment of the field along an axis: sum over points of x u.
  register_constraint(
      {"first_moment", {"axis", "value"}, "the first moment is known", [](const ConstraintRequest& asked) {
         ConstraintRows rows;
         const auto& x = asked.grid().at(asked.axis(asked.text("axis"))).coordinates;
         for (std::size_t i = 0; i < x.size(); ++i) {
           rows.row.push_back(0);
           rows.point.push_back(i);
           rows.weight.push_back(x[i]);
         }
         rows.values = asked.array("value");
         return rows;
       }});
  ConstraintContext context;
  context.layout = {{{"x", "", {1.0, 2.0, 4.0}}}, 1};
  ConstraintSet set;
  add_constraint(
      Settings("first_moment", {{"axis", std::string("x")}, {"value", 7.0}, {"noise_variance", 0.25}}),
      context, set);
  ASSERT_EQ(set.equalities.rows(), 1);
  EXPECT_EQ(set.equalities.right_hand_sides[0], 7.0);
  EXPECT_EQ(set.equalities.noise_variance[0], 0.25);
  EXPECT_TRUE(test::message_of([&] {
                add_constraint(Settings("first_moment", {{"axes", 1.0}}), context, set);
              }).starts_with("unknown setting of constraint first_moment 'axes'; did you mean 'axis'?"));
  EXPECT_EQ(
      test::message_of([] {
        register_constraint({"integral", {}, "", [](const ConstraintRequest&) { return ConstraintRows{}; }});
      }),
      "constraint kind 'integral' is there already: choose another name");
}

}  // namespace
}  // namespace nouq
