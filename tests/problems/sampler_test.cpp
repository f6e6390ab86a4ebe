#include "problems/sampler.h"

#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include "core/error.h"
#include "problems/solve.h"
#include "support/thread_ranks.h"

namespace nouq {
namespace {

TEST(Sampler, SampleDoesNotDependOnCountOrThreads) {
  for (const std::string& name : problem_names()) {
    const auto problem = make_problem(name, {{"nx", "9"}, {name.starts_with("darcy") ? "ny" : "nt", "7"}});
    SampleRequest request{
        .count = 3, .seed = 5, .range = problem->range(Shift::small), .grid = {}, .threads = 1};
    const auto few = generate_samples(*problem, request);
    request.count = 12;
    request.threads = 2;
    const auto many = generate_samples(*problem, request);
    for (Index i = 0; i < few.inputs.size(); ++i) ASSERT_EQ(few.inputs[i], many.inputs[i]) << name;
    for (Index i = 0; i < few.outputs.size(); ++i) ASSERT_EQ(few.outputs[i], many.outputs[i]) << name;
    for (Index i = 0; i < few.parameters.size(); ++i)
      ASSERT_EQ(few.parameters[i], many.parameters[i]) << name;
    for (Index i = 0; i < few.mass.size(); ++i) ASSERT_EQ(few.mass[i], many.mass[i]) << name;
  }
}

TEST(Sampler, ShapesNamesAndValues) {
  const auto problem = make_problem("pme");
  const auto samples =
      generate_samples(*problem, {.count = 6, .seed = 1, .range = {2, 3}, .grid = {}, .threads = 0});
  EXPECT_EQ(samples.inputs.shape(), (Shape{6, 100, 20, 1}));
  EXPECT_EQ(samples.outputs.shape(), (Shape{6, 100, 20, 1}));
  EXPECT_EQ(samples.parameters.shape(), (Shape{6, 1}));
  EXPECT_EQ(samples.mass.shape(), (Shape{6, 20}));
  EXPECT_EQ(samples.grid, problem->default_grid());
  EXPECT_EQ(samples.input_channel.name, "degree");
  const auto own = test::solve(*problem, samples.parameters[4], samples.grid);
  for (Index j = 0; j < 2000; ++j) {
    EXPECT_EQ(samples.inputs.row(4)[j], static_cast<float>(samples.parameters[4]));
    EXPECT_EQ(samples.outputs.row(4)[j], static_cast<float>(own.output[j]));
  }
}

TEST(Sampler, ParametersFillTheRangeAndFollowTheSeed) {
  const auto problem = make_problem("heat", {{"nx", "2"}, {"nt", "1"}});
  SampleRequest request{.count = 2000, .seed = 1, .range = {7, 8}, .grid = {}, .threads = 0};
  const auto first = generate_samples(*problem, request);
  const auto [low, high] = std::minmax_element(first.parameters.begin(), first.parameters.end());
  EXPECT_GE(*low, 7);
  EXPECT_LT(*low, 7.01);
  EXPECT_LE(*high, 8);
  EXPECT_GT(*high, 7.99);
  request.seed = 2;
  EXPECT_NE(first.parameters[0], generate_samples(*problem, request).parameters[0]);
}

TEST(Sampler, FunctionInputIsTheInitialCondition) {
  const auto problem = make_problem("advection-ic");
  const std::vector<double> a = {0.4};
  const auto samples = solve_samples(*problem, a);
  for (Index i = 0; i < 100; ++i) {
    for (Index j = 0; j < 20; ++j) EXPECT_EQ(samples.inputs[i * 20 + j], samples.outputs[i * 20]);
  }
}

ProblemDescription unsolvable(InputKind kind) {
  ProblemDescription description;
  description.name = "unsolvable";
  description.domain = {{{"x", "1"}, 0, 1}};
  description.input_kind = kind;
  description.parameter = {"size", "s", {0, 10}};
  return description;
}

// Its solver must not be asked.
class Unsolvable final : public Problem {
 public:
  explicit Unsolvable(InputKind kind)
      : Problem(unsolvable(kind), {Axis{.name = "x", .unit = "1", .coordinates = {0, 0.5, 1}}}) {}

 private:
  [[nodiscard]] Solver make_solver(const Grid& /*grid*/) const override { fail("solved"); }
};

TEST(Sampler, InputsNeedNoSolver) {
  const std::vector<double> sizes = {2, 3};
  const Unsolvable problem(InputKind::parameter);
  EXPECT_EQ(input_samples(problem, sizes).inputs, Array<float>({2, 3, 1}, {2, 2, 2, 3, 3, 3}));
  EXPECT_THROW((void)solve_samples(problem, sizes), Error);
  const std::vector<double> impossible = {11};
  EXPECT_THROW((void)input_samples(problem, impossible), Error);
  EXPECT_THROW((void)input_samples(Unsolvable(InputKind::function), sizes), Error) << "which function?";
}

TEST(Sampler, InputsAreThoseOfTheSolvedSamples) {
  for (const std::string& name : problem_names()) {
    const auto problem = make_problem(name, {{"nx", "9"}, {name.starts_with("darcy") ? "ny" : "nt", "7"}});
    const auto [low, high] = problem->range(Shift::in_domain);
    const std::vector<double> parameters = {low, high, 0.5 * (low + high)};
    const ProblemSamples asked = input_samples(*problem, parameters, {}, 3);
    const ProblemSamples solved = solve_samples(*problem, parameters, {}, 3);
    EXPECT_EQ(asked.inputs, solved.inputs) << name;
    EXPECT_EQ(asked.parameters, solved.parameters) << name;
    EXPECT_TRUE(asked.outputs.empty() && asked.mass.empty()) << name;
  }
}

TEST(Sampler, SamplesOverRanksAreThoseOfOneProcess) {
  for (const std::string name : {"heat", "darcy", "advection-ic"}) {
    const auto problem = make_problem(name, {{"nx", "9"}, {name == "darcy" ? "ny" : "nt", "7"}});
    SampleRequest request;
    request.count = 23;
    request.seed = 5;
    request.range = problem->range(Shift::in_domain);
    const ProblemSamples alone = generate_samples(*problem, request);
    for (const int size : {2, 5}) {
      test::run_ranks(size, [&](Communicator& ranks) {
        SampleRequest shared = request;
        shared.ranks = &ranks;
        shared.threads = 1;
        const ProblemSamples samples = generate_samples(*problem, shared);
        if (ranks.rank() > 0) return;
        EXPECT_EQ(samples.inputs, alone.inputs) << name;
        EXPECT_EQ(samples.outputs, alone.outputs) << name;
        EXPECT_EQ(samples.parameters, alone.parameters) << name;
        EXPECT_EQ(samples.mass, alone.mass) << name;
      });
    }
  }
}

TEST(Sampler, RefusesWhatCannotBeDrawn) {
  const auto problem = make_problem("stefan");
  const auto draw = [&](Index count, ParameterRange range) {
    (void)generate_samples(*problem, {.count = count, .seed = 0, .range = range, .grid = {}, .threads = 0});
  };
  EXPECT_THROW(draw(0, {0.5, 0.6}), Error);
  EXPECT_THROW(draw(-3, {0.5, 0.6}), Error);
  EXPECT_THROW(draw(3, {0.6, 0.5}), Error);
  EXPECT_THROW(draw(3, {0.5, 1.5}), Error);
  EXPECT_THROW(draw(3, {NAN, 0.5}), Error);
}

}  // namespace
}  // namespace nouq
