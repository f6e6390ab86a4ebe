// The data of the code published with the paper, met from the same parameters, grids and times.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <nouq/problem.h>

#include "problems/sampler.h"
#include "problems/solve.h"
#include "support/npy.h"

namespace nouq {
namespace {

struct Case {
  const char* folder;
  const char* problem;
  ProblemOptions options;
};

class Golden : public testing::TestWithParam<Case> {
 protected:
  Array<double> load(const std::string& file) const {
    return test::read_npy(std::string("e_datasets/") + GetParam().folder + "/" + file + ".npy");
  }
};

// The reference computes in float32 from float32 coordinates, so 1e-6 is the bound to meet.
TEST_P(Golden, FieldsAgree) {
  const auto problem = make_problem(GetParam().problem, GetParam().options);
  const auto x = load("grid"), t = load("t"), parameters = load("param"), u = load("u");
  const Grid grid = test::two_axes(*problem, {x.begin(), x.end()}, {t.begin(), t.end()});
  for (Index i = 0; i < parameters.size(); ++i) {
    const auto solution = test::solve(*problem, parameters[i], grid);
    const auto expected = u.row(i);
    for (Index j = 0; j < expected.size(); ++j) {
      ASSERT_NEAR(solution.output[j], expected[j], 1e-6) << "sample " << i << " point " << j;
    }
  }
}

TEST_P(Golden, DefaultGridIsTheReference) {
  const auto problem = make_problem(GetParam().problem, GetParam().options);
  const auto x = load("grid"), t = load("t");
  const Grid& grid = problem->default_grid();
  ASSERT_EQ(shape_of(grid), (Shape{100, 20}));
  for (Index i = 0; i < 100; ++i) EXPECT_NEAR(grid[0].coordinates[i], x[i], 1e-6);
  for (Index i = 0; i < 20; ++i) EXPECT_NEAR(grid[1].coordinates[i], t[i], 1e-7);
}

// The reference's right-hand side knows no outflow: after a Stefan shock has left, ours must be below it.
TEST_P(Golden, MassesAgreeUntilTheShockLeaves) {
  const auto problem = make_problem(GetParam().problem, GetParam().options);
  const auto t = load("t"), parameters = load("param"), rhs = load("mass_rhs");
  for (Index i = 0; i < parameters.size(); ++i) {
    const auto mass = problem->mass(parameters[i], t.span());
    for (Index j = 0; j < t.size(); ++j) {
      const bool left = problem->name() == "stefan" && test::value_at(*problem, parameters[i], 1.0, t[j]) > 0;
      if (left) {
        EXPECT_LT(mass[j], rhs.row(i)[j]);
      } else {
        EXPECT_NEAR(mass[j], rhs.row(i)[j], 1e-6);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, Golden,
                         testing::Values(Case{"heat", "heat", {{"data", "released"}}}, Case{"pme", "pme", {}},
                                         Case{"stefan_t1", "stefan", {{"final_time", "1"}}},
                                         Case{"stefan_t01", "stefan", {}},
                                         Case{"advection", "advection", {}}),
                         [](const auto& one) { return std::string(one.param.folder); });

TEST(GoldenHeat, FineSolutionAgreesInDouble) {
  const auto problem = make_problem("heat", {{"data", "released"}, {"nx", "1000"}});
  const auto fine = test::read_npy("e_datasets/heat/fine_ex1.npy");
  const auto t = test::read_npy("e_datasets/heat/t.npy");
  const double k = test::read_npy("e_datasets/heat/param.npy")[1];
  const Grid grid = test::two_axes(*problem, problem->default_grid()[0].coordinates, {t[0], t[4], t[19]});
  const auto solution = test::solve(*problem, k, grid);
  for (Index j = 0; j < 3; ++j) {
    for (Index i = 0; i < 1000; ++i) {
      ASSERT_NEAR(solution.output[3 * i + j], fine.row(j)[i], 1e-12);
    }
  }
}

TEST(GoldenHeat, ClosedFormAgrees) {
  const auto problem = make_problem("heat");
  const auto exact = test::read_npy("e_datasets/heat/exact.npy");
  const auto parameters = test::read_npy("e_datasets/heat/param.npy");
  const auto samples = solve_samples(*problem, parameters.span());
  for (Index i = 0; i < exact.size(); ++i) ASSERT_NEAR(samples.outputs[i], exact[i], 1e-6);
}

// The reference worked these out from the parameters before their rounding to float32: two decimals.
// c enters the mass as 2 c sqrt(t / pi), and alpha is where the shock stands.
TEST(GoldenStefan, ShockConstantsAgreeInDouble) {
  const auto constants = test::read_npy("e_datasets/stefan_t1/z1_alpha_c1.npy");
  const auto parameters = test::read_npy("e_datasets/stefan_t1/param.npy");
  const auto problem = make_problem("stefan");
  const double t = 0.04;
  for (Index i = 0; i < parameters.size(); ++i) {
    const double u_star = std::round(100 * parameters[i]) / 100;
    const double shock = constants.row(i)[1] * std::sqrt(t);
    const std::vector<double> times = {t};
    EXPECT_NEAR(problem->mass(u_star, times)[0] / (2 * std::sqrt(t / M_PI)), constants.row(i)[2], 1e-12);
    EXPECT_GT(test::value_at(*problem, u_star, shock - 1e-10, t), 0.5);
    EXPECT_EQ(test::value_at(*problem, u_star, shock + 1e-10, t), 0.0);
  }
}

}  // namespace
}  // namespace nouq
