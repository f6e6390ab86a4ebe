// Every exact solution against its PDE, its front conditions, its mass law and its bounds.
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nouq/problem.h>

#include "problems/solve.h"

namespace nouq {
namespace {

// ---- Residuals by fourth-order differences around one point ----

using Stencil = std::array<std::array<double, 5>, 5>;  // [first axis][second axis], spacing h, centre [2][2]

Stencil stencil(const Problem& problem, double parameter, double a, double b, double h) {
  std::vector<double> first, second;
  for (int i = -2; i <= 2; ++i) {
    first.push_back(a + i * h);
    second.push_back(b + i * h);
  }
  const auto solution = test::solve(problem, parameter, test::two_axes(problem, first, second));
  Stencil values{};
  for (std::size_t i = 0; i < 25; ++i) values[i / 5][i % 5] = solution.output[i];
  return values;
}

double first_derivative(const std::array<double, 5>& v, double h) {
  return (v[0] - 8 * v[1] + 8 * v[3] - v[4]) / (12 * h);
}
double second_derivative(const std::array<double, 5>& v, double h) {
  return (-v[0] + 16 * v[1] - 30 * v[2] + 16 * v[3] - v[4]) / (12 * h * h);
}
std::array<double, 5> along_first(const Stencil& s, const std::function<double(double)>& map) {
  return {map(s[0][2]), map(s[1][2]), map(s[2][2]), map(s[3][2]), map(s[4][2])};
}

using Residual = std::function<double(const Stencil&, double parameter, double h)>;

// u_t - (Phi(u))_xx, where Phi' = k.
Residual diffusion(std::function<double(double u, double parameter)> potential) {
  return [potential = std::move(potential)](const Stencil& s, double p, double h) {
    const auto flux_potential = along_first(s, [&](double u) { return potential(u, p); });
    return first_derivative(s[2], h) - second_derivative(flux_potential, h);
  };
}

struct Case {
  std::string name;
  double parameter, x, t, h;
  Residual residual;
  double order = 4;
};

std::vector<Case> smooth_cases() {
  std::vector<Case> cases;
  const auto heat = diffusion([](double u, double k) { return k * u; });
  const auto pme = diffusion([](double u, double m) { return std::pow(u, m + 1) / (m + 1); });
  const auto stefan = diffusion([](double u, double u_star) { return std::max(u - u_star, 0.0); });
  // The differences' leading error is u_xxxxxx + u_yyyyyy, which vanishes where laplace u is constant: order
  // six.
  const Residual darcy = [](const Stencil& s, double k, double h) {
    const auto same = [](double u) { return u; };
    return 1 + k * (second_derivative(along_first(s, same), h) + second_derivative(s[2], h));
  };
  for (const double k : {0.3, 1.0, 5.0, 8.0}) cases.push_back({"heat", k, 1.1, 0.4, 0.05, heat});
  for (const double m : {1.3, 2.0, 3.0, 6.0, 9.0}) cases.push_back({"pme", m, 0.2, 0.7, 0.04, pme});
  for (const double m : {2.5, 6.0}) cases.push_back({"pme", m, 0.8, 1.9, 0.04, pme});
  for (const double u : {0.2, 0.5, 0.62, 0.75, 0.9}) cases.push_back({"stefan", u, 0.13, 0.5, 0.02, stefan});
  for (const double k : {0.5, 3.0, 6.0}) cases.push_back({"darcy", k, 0.3, 0.45, 0.04, darcy, 6});
  cases.push_back({"darcy", 4.0, 0.08, 0.1, 0.02, darcy, 6});
  return cases;
}

TEST(ExactSolutions, ResidualFallsAtTheExpectedOrder) {
  for (const Case& one : smooth_cases()) {
    const auto problem = make_problem(one.name);
    const auto residual = [&](double h) {
      return std::abs(one.residual(stencil(*problem, one.parameter, one.x, one.t, h), one.parameter, h));
    };
    const double coarse = residual(one.h), fine = residual(one.h / 2);
    const std::string what = one.name + " " + std::to_string(one.parameter) + ": " + std::to_string(coarse);
    EXPECT_NEAR(std::log2(coarse / fine), one.order, 0.35) << what;
    EXPECT_LT(residual(one.h / 8), 1e-3 * coarse) << what;
  }
}

// Piecewise constant: the residual is nil off the step, and the step moves with the speed of the PDE.
TEST(ExactSolutions, AdvectionStepMovesWithItsSpeed) {
  const std::vector<std::array<double, 3>> cases = {
      {0.5, 0.5, 0.5}, {1.7, 0.5, 1.7}, {3.5, 0.5, 3.5}};  // parameter, start, speed
  for (const auto& [parameter, start, speed] : cases) {
    const auto problem = make_problem("advection");
    for (const double t : {0.0, 0.02, 0.1}) {
      EXPECT_EQ(test::value_at(*problem, parameter, start + speed * t - 1e-9, t), 1.0);
      EXPECT_EQ(test::value_at(*problem, parameter, start + speed * t + 1e-9, t), 0.0);
    }
  }
  for (const double a : {0.1, 0.35, 0.5, 0.65}) {
    const auto problem = make_problem("advection-ic");
    for (const double t : {0.0, 0.02, 0.1, 0.3}) {
      EXPECT_EQ(test::value_at(*problem, a, a + t - 1e-9, t), 1.0);
      EXPECT_EQ(test::value_at(*problem, a, a + t + 1e-9, t), 0.0);
    }
  }
}

// The shock's position, found by bisection.
double stefan_shock(const Problem& problem, double u_star, double t) {
  double low = 0, high = 1;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (test::value_at(problem, u_star, middle, t) > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// At the shock u = u*, and (Rankine-Hugoniot) the flux -u_x equals speed times jump.
TEST(ExactSolutions, StefanShockObeysItsConditions) {
  const auto problem = make_problem("stefan");
  for (const double u_star : {0.3, 0.5, 0.62, 0.75, 0.95}) {
    const double t = 0.05;
    const double shock = stefan_shock(*problem, u_star, t);
    EXPECT_NEAR(test::value_at(*problem, u_star, shock - 1e-13, t), u_star, 1e-11);
    const double h = shock / 200;
    std::vector<double> x;
    for (int i = 5; i >= 1; --i) x.push_back(shock * (1 - 1e-12) - (i - 1) * h);
    const auto u = test::solve(*problem, u_star, test::two_axes(*problem, x, {t})).output;
    const double slope = (25 * u[4] - 48 * u[3] + 36 * u[2] - 16 * u[1] + 3 * u[0]) / (12 * h);
    const double speed =
        (stefan_shock(*problem, u_star, t + 1e-5) - stefan_shock(*problem, u_star, t - 1e-5)) / 2e-5;
    EXPECT_NEAR(-slope / (speed * u_star), 1.0, 1e-6) << u_star;
  }
}

// ---- Mass laws by quadrature split at the front ----

// Ten-point Gauss-Legendre on [0, 1].
constexpr std::array<double, 5> gauss_node = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                              0.8650633666889845, 0.9739065285171717};
constexpr std::array<double, 5> gauss_weight = {0.2955242247147529, 0.2692667193099963, 0.2190863625159821,
                                                0.1494513491505806, 0.0666713443086881};

// Nodes and weights of `panels` panels over [a, b], crowded towards b as 1 - s^8 so that the root at the
// front of the porous medium equation is smooth in s.
void add_rule(double a, double b, int panels, std::vector<double>& nodes, std::vector<double>& weights) {
  for (int panel = panels - 1; panel >= 0; --panel) {
    for (int k = 9; k >= 0; --k) {
      const std::size_t half = k < 5 ? 4 - k : k - 5;
      const double s = (panel + 0.5 + (k < 5 ? -0.5 : 0.5) * gauss_node[half]) / panels;
      nodes.push_back(b - (b - a) * std::pow(s, 8));
      weights.push_back((b - a) * 8 * std::pow(s, 7) * gauss_weight[half] / 2 / panels);
    }
  }
}

double mass_by_quadrature(const Problem& problem, double parameter, double t, double front) {
  const double length = problem.description().domain[0].high;
  std::vector<double> nodes, weights;
  if (front > 0) add_rule(0, std::min(front, length), 12, nodes, weights);
  if (front < length) add_rule(std::max(front, 0.0), length, 4, nodes, weights);
  std::vector<double> distinct, merged;  // nodes may coincide in rounding next to the front
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!distinct.empty() && nodes[i] <= distinct.back()) {
      merged.back() += weights[i];
    } else {
      distinct.push_back(nodes[i]);
      merged.push_back(weights[i]);
    }
  }
  const auto u = test::solve(problem, parameter, test::two_axes(problem, distinct, {t})).output;
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += merged[i] * u[i];
  return sum;
}

void expect_mass(const std::string& name, double parameter, double t, double front) {
  const auto problem = make_problem(name);
  const std::vector<double> times = {t};
  EXPECT_NEAR(problem->mass(parameter, times)[0], mass_by_quadrature(*problem, parameter, t, front), 1e-8)
      << name << " parameter " << parameter << " t " << t;
}

TEST(MassLaw, HeatIsTheQuadrature) {
  for (const double k : {0.2, 1.0, 5.0, 8.0, 20.0}) {
    for (const double t : {0.0, 0.03, 1.0}) expect_mass("heat", k, t, M_PI);
  }
}

TEST(MassLaw, PorousMediumIsTheQuadratureAlsoWhenTheFrontHasLeft) {
  for (const double m : {0.7, 1.0, 2.0, 2.6, 3.0, 4.5, 6.0, 8.0}) {
    for (const double t : {0.0, 0.01, 0.5, 0.96, 1.0, 1.2, 3.0}) expect_mass("pme", m, t, t);
  }
}

TEST(MassLaw, StefanIsTheQuadratureAlsoWhenTheShockHasLeft) {
  const auto problem = make_problem("stefan");
  for (const double u_star : {0.05, 0.3, 0.5, 0.55, 0.6, 0.65, 0.75, 0.97}) {
    const double alpha = stefan_shock(*problem, u_star, 0.01) / 0.1;
    for (const double t : {0.0, 0.002, 0.1, 0.6, 0.96, 1.0, 4.0}) {
      expect_mass("stefan", u_star, t, alpha * std::sqrt(t));
    }
  }
}

TEST(MassLaw, AdvectionIsTheQuadratureAlsoWhenTheStepHasLeft) {
  for (const double t : {0.0, 0.05, 0.1, 0.4, 1.0}) {
    for (const double beta : {0.2, 0.5, 1.0, 2.0, 3.5, 7.0})
      expect_mass("advection", beta, t, 0.5 + beta * t);
    for (const double a : {0.1, 0.35, 0.5, 0.65, 0.9}) expect_mass("advection-ic", a, t, a + t);
  }
}

TEST(MassLaw, DarcyHasNone) {
  const auto problem = make_problem("darcy");
  EXPECT_FALSE(problem->has_mass_law());
  EXPECT_FALSE(problem->time_axis().has_value());
  EXPECT_TRUE(problem->mass(3, {}).empty());
}

// ---- Bounds and boundary values ----

TEST(Bounds, HoldAndAreAttained) {
  for (const std::string name : {"heat", "pme", "stefan", "advection", "advection-ic"}) {
    const auto problem = make_problem(name, {{"final_time", "1.5"}});
    const auto& grid = problem->default_grid();
    for (const Shift shift : all_shifts) {
      const double parameter = problem->range(shift).high;
      const auto solution = test::solve(*problem, parameter, grid);
      for (std::size_t point = 0; point < solution.output.size(); ++point) {
        const auto [lower, upper] = problem->bounds(parameter, grid[1].coordinates[point % 20]);
        ASSERT_GE(solution.output[point], lower) << name;
        ASSERT_LE(solution.output[point], upper) << name;
      }
    }
  }
  EXPECT_EQ(make_problem("heat")->bounds(3, 0.5).lower, -1);
  EXPECT_EQ(make_problem("heat")->bounds(3, 0.5).upper, 1);
  EXPECT_DOUBLE_EQ(make_problem("pme")->bounds(3, 0.5).upper, std::cbrt(1.5));
  EXPECT_EQ(make_problem("pme")->bounds(3, 0).upper, 0);
  EXPECT_EQ(make_problem("stefan")->bounds(0.6, 0.5).upper, 1);
}

TEST(BoundaryValues, AreTheSolutionsOwn) {
  EXPECT_NEAR(*make_problem("heat")->boundary_value(2, Side::high, 0.3), 0, 1e-15);
  EXPECT_DOUBLE_EQ(*make_problem("pme")->boundary_value(2, Side::low, 0.5), 1);
  EXPECT_EQ(*make_problem("pme")->boundary_value(2, Side::high, 0.5), 0);
  EXPECT_EQ(*make_problem("stefan")->boundary_value(0.6, Side::low, 0), 1);
  EXPECT_EQ(*make_problem("stefan")->boundary_value(0.6, Side::high, 0.1), 0);
  EXPECT_GT(*make_problem("stefan")->boundary_value(0.5, Side::high, 0.96), 0.5);
  EXPECT_EQ(*make_problem("darcy")->boundary_value(3, Side::low, 0), 0);
}

// ---- Darcy: the value at the centre and the symmetry of the square ----

TEST(Darcy, IsSymmetricVanishesOnTheBoundaryAndHasTheKnownMaximum) {
  const auto problem = make_problem("darcy", {{"nx", "33"}, {"ny", "33"}});
  const double k = 3.5;
  const auto u = test::solve(*problem, k, problem->default_grid()).output;
  const auto at = [&](std::size_t i, std::size_t j) { return u[i * 33 + j]; };
  for (std::size_t i = 0; i < 33; ++i) {
    EXPECT_EQ(at(0, i), 0.0);
    EXPECT_EQ(at(i, 32), 0.0);
    for (std::size_t j = 0; j < 33; ++j) {
      EXPECT_NEAR(at(i, j), at(j, i), 1e-15);
      EXPECT_NEAR(at(i, j), at(32 - i, j), 1e-15);
      EXPECT_LE(at(i, j), problem->bounds(k, 0).upper);
      EXPECT_GE(at(i, j), 0);
    }
  }
  EXPECT_NEAR(at(16, 16) * k, 0.0736713532815, 1e-12);
}

// Both directions of the series are the same function: compare with the plain double sine series' slow sum.
TEST(Darcy, AgreesWithTheDoubleSeries) {
  const auto problem = make_problem("darcy");
  for (const auto& [x, y] : {std::pair{0.5, 0.5}, {0.1, 0.4}, {1.0 / 63, 1.0 / 63}, {0.9, 0.97}}) {
    double sum = 0;
    for (int m = 1; m < 2000; m += 2) {
      for (int n = 1; n < 2000; n += 2) {
        sum += std::sin(m * M_PI * x) * std::sin(n * M_PI * y) / (1.0 * m * n * (1.0 * m * m + 1.0 * n * n));
      }
    }
    EXPECT_NEAR(test::value_at(*problem, 1, x, y), 16 / std::pow(M_PI, 4) * sum, 2e-9);
  }
}

}  // namespace
}  // namespace nouq
