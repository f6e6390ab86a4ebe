// The numerical solver against the exact solutions, its conservation and its maximum principle.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <nouq/problem.h>

#include "core/error.h"
#include "problems/gpme_solver.h"
#include "problems/solve.h"

namespace nouq {
namespace {

struct Twin {
  const char* exact;
  const char* form;
  double parameter;
  double time;
  int order;
};

GpmeSetup setup_of(const Twin& twin, const Problem& exact) {
  const auto end_value = [&exact, p = twin.parameter](Side side) {
    return [&exact, p, side](double t) { return *exact.boundary_value(p, side, t); };
  };
  const bool heat = twin.form == std::string("constant");
  return {exact.description().domain[0].high, make_coefficient(twin.form, twin.parameter),
          [heat](double x) { return heat ? std::sin(x) : 0.0; }, end_value(Side::low), end_value(Side::high)};
}

// Mean absolute error over cells and 25 times.
double error_of(const Twin& twin, Index cells) {
  const auto exact = make_problem(twin.exact);
  GpmeSolver solver(setup_of(twin, *exact), {cells, twin.time / static_cast<double>(cells), twin.order});
  std::vector<double> centres;
  for (std::size_t i = 0; i < solver.cells().size(); ++i) centres.push_back(solver.cell_centre(i));
  double sum = 0;
  for (int step = 1; step <= 25; ++step) {
    solver.advance_to(twin.time * step / 25);
    const auto u =
        test::solve(*exact, twin.parameter, test::two_axes(*exact, centres, {solver.time()})).output;
    for (std::size_t i = 0; i < u.size(); ++i) sum += std::abs(u[i] - solver.cells()[i]);
  }
  return sum / 25 / static_cast<double>(cells);
}

double observed_order(const Twin& twin) { return std::log2(error_of(twin, 50) / error_of(twin, 400)) / 3; }

TEST(Gpme, ConvergesToHeatWithOrderTwo) {
  for (const double k : {0.5, 1.0, 5.0})
    EXPECT_NEAR(observed_order({"heat", "constant", k, 0.5, 2}), 2.0, 0.05);
  EXPECT_NEAR(observed_order({"heat", "constant", 2, 0.5, 1}), 1.0, 0.2);
  EXPECT_LT(error_of({"heat", "constant", 1, 0.5, 2}, 400), 4e-6);
}

// The front is as smooth as (t - x)^(1/m), whose best order in the mean is 1 + 1/m.
TEST(Gpme, ConvergesToPorousMediumWithTheOrderOfItsFront) {
  for (const double m : {1.5, 2.0, 3.0, 5.0}) {
    EXPECT_NEAR(observed_order({"pme", "power", m, 0.6, 2}), 1 + 1 / m, 0.06) << m;
  }
}

TEST(Gpme, ConvergesToStefanWithOrderOne) {
  for (const double u_star : {0.3, 0.5, 0.62, 0.75}) {
    EXPECT_NEAR(observed_order({"stefan", "threshold", u_star, 0.1, 1}), 1.0, 0.2) << u_star;
  }
}

TEST(Gpme, MassChangesByWhatCrossesTheEnds) {
  for (const std::string& form : coefficient_names()) {
    for (const int order : {1, 2}) {
      const auto bump = [](double x) { return 0.4 + 0.4 * std::sin(7 * x); };
      GpmeSolver solver({1, make_coefficient(form, 0.5), bump, [](double t) { return 1 + std::sin(30 * t); },
                         [](double t) { return 0.2 + t; }},
                        {400, 5e-4, order});
      const double initial = solver.mass();
      for (const double t : {0.1, 0.3}) {
        solver.advance_to(t);
        EXPECT_GT(solver.total_flow(), 0.01);
        EXPECT_LT(std::abs(solver.mass() - initial - solver.net_inflow()), 1e-12 * solver.total_flow())
            << form;
      }
    }
  }
}

// Backward Euler never leaves the range of the data, however long its steps.
TEST(Gpme, FirstOrderKeepsTheMaximumPrinciple) {
  for (const std::string& form : coefficient_names()) {
    for (const double step : {1e-3, 0.1}) {
      GpmeSolver solver({1, make_coefficient(form, 0.6), [](double) { return 0.0; },
                         [](double) { return 1.0; }, [](double) { return 0.0; }},
                        {100, step, 1});
      for (const double t : {0.1, 0.5, 1.0}) {
        solver.advance_to(t);
        const auto [low, high] = std::minmax_element(solver.cells().begin(), solver.cells().end());
        EXPECT_GE(*low, -1e-12) << form;
        EXPECT_LE(*high, 1 + 1e-12) << form;
      }
    }
  }
}

// With k(u) = exp(a u) the steady state has exp(a u) linear in x, which the fluxes represent exactly.
TEST(Gpme, ExponentialReachesItsSteadyState) {
  const double a = 2;
  GpmeSolver solver({1, make_coefficient("exponential", a), [](double) { return 0.0; },
                     [](double) { return 1.0; }, [](double) { return 0.0; }},
                    {200, 0.01, 2});
  solver.advance_to(5);
  for (const std::size_t i : {0, 20, 100, 199}) {
    const double x = solver.cell_centre(i);
    EXPECT_NEAR(solver.cells()[i], std::log(1 + (std::exp(a) - 1) * (1 - x)) / a, 1e-10);
    EXPECT_NEAR(solver.value(x), solver.cells()[i], 1e-12);
  }
  EXPECT_EQ(solver.value(0), 1);
  EXPECT_EQ(solver.value(1), 0);
}

// A cold medium whose k rises e^a-fold at the hot end: Newton's first step would leave the range of numbers.
TEST(Gpme, SteepCoefficientsStayFinite) {
  for (const double a : {3.97, 4.02, 8.0, 20.0}) {
    GpmeSolver solver({1, make_coefficient("exponential", a), [](double) { return 0.0; },
                       [](double) { return 1.0; }, [](double) { return 0.0; }},
                      {300, 2.5e-4, 2});
    for (const double t : {2.5e-4, 5e-3, 0.1}) {
      solver.advance_to(t);
      for (const double u : solver.cells()) EXPECT_TRUE(u > -0.2 && u < 1.2) << a << " " << t << ": " << u;
    }
    EXPECT_NEAR(solver.mass(), solver.net_inflow(), 1e-9 * solver.total_flow()) << a;
  }
}

TEST(Gpme, CoefficientIsTheSlopeOfItsPotential) {
  for (const std::string& form : coefficient_names()) {
    const Coefficient k = make_coefficient(form, 0.6);
    EXPECT_NEAR(k(0).potential, 0, 0);
    for (const double u : {-0.3, 0.1, 0.5, 0.8, 1.7}) {
      EXPECT_NEAR((k(u + 1e-5).potential - k(u - 1e-5).potential) / 2e-5, k(u).k, 1e-8) << form << " " << u;
    }
  }
  EXPECT_THROW((void)make_coefficient("powr", 1), Error);
  EXPECT_THROW((void)make_coefficient("power", 0), Error);
  EXPECT_THROW((void)make_coefficient("power", NAN), Error);
}

TEST(GpmeProblem, AgreesWithItsExactTwinsOnTheirGrid) {
  for (const Twin& twin : {Twin{"heat", "constant", 3, 0, 0}, Twin{"pme", "power", 2.5, 0, 0},
                           Twin{"stefan", "threshold", 0.62, 0, 0}}) {
    const auto exact = make_problem(twin.exact);
    const auto gpme = make_problem("gpme", {{"form", twin.form}});
    ASSERT_EQ(exact->default_grid(), gpme->default_grid());
    EXPECT_EQ(exact->range(Shift::large), gpme->range(Shift::large));
    const auto a = test::solve(*exact, twin.parameter, exact->default_grid());
    const auto b = test::solve(*gpme, twin.parameter, gpme->default_grid());
    double error = 0;
    for (std::size_t i = 0; i < a.output.size(); ++i) error += std::abs(a.output[i] - b.output[i]) / 2000;
    EXPECT_LT(error, 2e-3) << twin.form;
    for (std::size_t j = 0; j < 20; ++j) EXPECT_NEAR(a.mass[j], b.mass[j], 2e-3) << twin.form;
    EXPECT_EQ(gpme->mass(twin.parameter, gpme->default_grid()[1].coordinates), b.mass);
  }
}

TEST(GpmeProblem, NothingCrossesClosedEnds) {
  for (const char* form : {"exponential", "power", "constant"}) {
    const auto problem = make_problem(
        "gpme", {{"form", form}, {"ends", "closed"}, {"nx", "33"}, {"nt", "11"}, {"final_time", "20"}});
    const auto sample = test::solve(*problem, 1.5, problem->default_grid());
    ASSERT_EQ(sample.mass.size(), 11U);
    for (const double mass : sample.mass) EXPECT_NEAR(mass, sample.mass[0], 1e-12) << form;
    const double length = problem->default_grid()[0].coordinates.back();
    for (std::size_t x = 0; x < 33; ++x) {
      EXPECT_NEAR(sample.output[x * 11 + 10], sample.mass[0] / length, 0.02)
          << form << ": it has spread evenly";
      EXPECT_GE(sample.output[x * 11], 0.02);
      EXPECT_LE(sample.output[x * 11], 0.98);
    }
    EXPECT_FALSE(problem->boundary_value(1.5, Side::low, 0.1));
    EXPECT_THROW((void)problem->mass(1.5, std::vector{0.1}), Error);
  }
}

TEST(GpmeProblem, OptionsAreChecked) {
  EXPECT_THROW((void)make_problem("gpme", {{"form", "cubic"}}), Error);
  EXPECT_THROW((void)make_problem("gpme", {{"cells", "1"}}), Error);
  EXPECT_EQ(make_problem("gpme")->description().parameter.symbol, "a");
  EXPECT_EQ(make_problem("gpme", {{"form", "threshold"}})->description().domain[1].high, 0.1);
}

TEST(Gpme, RefusesToGoBackInTime) {
  GpmeSolver solver({1, make_coefficient("constant", 1), [](double) { return 0.0; },
                     [](double) { return 1.0; }, [](double) { return 0.0; }},
                    {10, 0.1, 2});
  solver.advance_to(0.5);
  EXPECT_THROW(solver.advance_to(0.4), Error);
  EXPECT_THROW(GpmeSolver({}, {}), Error);
}

}  // namespace
}  // namespace nouq
