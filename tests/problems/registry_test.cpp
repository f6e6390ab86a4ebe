// Names, options, ranges and the checks of what a user may ask for.
#include <string>

#include <gtest/gtest.h>
#include <nouq/problem.h>

#include "problems/solve.h"
#include "support/message.h"

namespace nouq {
namespace {

using test::message_of;

TEST(ProblemRegistry, MakesEveryProblemUnderItsName) {
  for (const std::string& name : problem_names()) {
    const auto problem = make_problem(name);
    const auto& description = problem->description();
    EXPECT_EQ(problem->name(), name);
    for (const auto& text :
         {description.words, description.equation, description.conditions, description.citation,
          description.parameter.name, description.parameter.symbol, description.output.name}) {
      EXPECT_FALSE(text.empty()) << name;
    }
    EXPECT_NO_THROW(problem->check_grid(problem->default_grid()));
    for (const Shift shift : all_shifts) {
      EXPECT_NO_THROW(problem->check_parameter(problem->range(shift).low));
      EXPECT_NO_THROW(problem->check_parameter(problem->range(shift).high));
    }
  }
}

// The paper's table of parameter ranges.
TEST(ProblemRegistry, RangesAreThePapers) {
  const std::map<std::string, std::array<ParameterRange, 4>> table = {
      {"heat", {{{1, 5}, {5, 6}, {6, 7}, {7, 8}}}},
      {"pme", {{{2, 3}, {1, 2}, {4, 5}, {5, 6}}}},
      {"stefan", {{{0.6, 0.65}, {0.55, 0.6}, {0.7, 0.75}, {0.5, 0.55}}}},
      {"advection", {{{1, 2}, {0.5, 1}, {2.5, 3}, {3, 3.5}}}},
      {"advection-ic", {{{0.45, 0.55}, {0.4, 0.45}, {0.6, 0.65}, {0.35, 0.4}}}},
      {"darcy", {{{3, 4}, {4, 4.5}, {4.5, 5}, {5, 6}}}}};
  for (const auto& [name, ranges] : table) {
    for (const Shift shift : all_shifts) {
      EXPECT_EQ(make_problem(name)->range(shift), ranges[static_cast<std::size_t>(shift)]) << name;
    }
  }
}

TEST(ProblemRegistry, RefusesUnknownNamesWithTheNearest) {
  EXPECT_NE(message_of([] { (void)make_problem("stephan"); }).find("did you mean 'stefan'?"),
            std::string::npos);
  EXPECT_NE(message_of([] {
              (void)make_problem("pme", {{"final-time", "1"}});
            }).find("did you mean 'final_time'?"),
            std::string::npos);
  EXPECT_NE(message_of([] {
              (void)make_problem("heat", {{"data", "relaesed"}});
            }).find("did you mean 'released'?"),
            std::string::npos);
  EXPECT_NE(message_of([] { (void)shift_from_name("big"); }).find("unknown shift 'big'"), std::string::npos);
  EXPECT_EQ(shift_from_name("medium"), Shift::medium);
}

TEST(ProblemRegistry, RefusesUnusableOptionValues) {
  for (const char* value : {"0", "-1", "nan", "inf", "1s", "", " 1", "1e999"}) {
    EXPECT_NE(message_of([&] {
                (void)make_problem("pme", {{"final_time", value}});
              }).find("final_time"),
              std::string::npos)
        << value;
  }
  for (const char* value : {"1", "2.5", "-3", "1000001", "99999999999999999999"}) {
    EXPECT_NE(message_of([&] {
                (void)make_problem("pme", {{"nx", value}});
              }).find("nx"),
              std::string::npos)
        << value;
  }
}

TEST(ProblemGrid, FollowsTheOptions) {
  const auto problem = make_problem("stefan", {{"nx", "11"}, {"nt", "4"}, {"final_time", "1"}});
  const Grid& grid = problem->default_grid();
  EXPECT_EQ(shape_of(grid), (Shape{11, 4}));
  EXPECT_DOUBLE_EQ(grid[0].coordinates[3], 0.3);
  EXPECT_DOUBLE_EQ(grid[1].coordinates[3], 15.0 / 19.0);
  EXPECT_DOUBLE_EQ(make_problem("stefan")->default_grid()[1].coordinates[19], 0.1 * 95.0 / 99.0);
  for (const char* name : {"heat", "pme", "advection", "advection-ic"})
    EXPECT_DOUBLE_EQ(make_problem(name)->default_grid()[1].coordinates[19], 95.0 / 99.0) << name;
}

TEST(ProblemGrid, IsChecked) {
  const auto pme = make_problem("pme");
  EXPECT_THROW((void)pme->solver({pme->default_grid()[0]}), Error);
  EXPECT_THROW((void)pme->solver(test::two_axes(*pme, {0, 1.1}, {0, 1})), Error);
  EXPECT_THROW((void)pme->solver(test::two_axes(*pme, {0, 1}, {-0.5, 1})), Error);
  EXPECT_THROW((void)pme->solver(test::two_axes(*pme, {1, 0}, {0, 1})), Error);
  EXPECT_THROW((void)pme->solver(test::two_axes(*pme, {}, {0, 1})), Error);
  EXPECT_THROW((void)pme->solver(test::two_axes(*pme, {0, NAN}, {0, 1})), Error);
  EXPECT_NO_THROW((void)pme->solver(test::two_axes(*pme, {0, 1}, {0, 17})));
}

TEST(ProblemParameter, IsChecked) {
  for (const double bad : {0.0, 1.0, -0.1, 1.7, static_cast<double>(NAN)}) {
    EXPECT_NE(message_of([&] { make_problem("stefan")->check_parameter(bad); }).find("0 < u* < 1"),
              std::string::npos);
  }
  EXPECT_THROW((void)test::value_at(*make_problem("heat"), -1, 0, 0), Error);
  const std::vector<double> times = {0.5};
  EXPECT_THROW((void)make_problem("pme")->mass(-2, times), Error);
}

}  // namespace
}  // namespace nouq
