// The sparse solver against known solutions, and the random media.
#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <nouq/problem.h>

#include "core/error.h"
#include "problems/darcy_solver.h"
#include "problems/sampler.h"
#include "problems/solve.h"

namespace nouq {
namespace {

Grid square(Index n) {
  return {Axis{.name = "x", .unit = "1", .coordinates = linspace(0, 1, n)},
          Axis{.name = "y", .unit = "1", .coordinates = linspace(0, 1, n)}};
}

// Largest error of the sparse solver against the series for constant k.
double error_for_constant(const Grid& grid) {
  const auto exact = test::solve(*make_problem("darcy"), 3.0, grid);
  std::vector<double> pressure(exact.output.size());
  solve_darcy(grid, exact.input, pressure);
  double error = 0;
  for (std::size_t i = 0; i < pressure.size(); ++i)
    error = std::max(error, std::abs(pressure[i] - exact.output[i]));
  return error;
}

TEST(DarcySolver, ConvergesToTheSeriesWithOrderTwo) {
  const double coarse = error_for_constant(square(17)), fine = error_for_constant(square(65));
  EXPECT_NEAR(std::log2(coarse / fine) / 2, 2.0, 0.1);
  Grid uneven = square(65);
  for (double& x : uneven[0].coordinates) x = x * x * (3 - 2 * x);
  EXPECT_LT(error_for_constant(uneven), 1e-4);
}

// Nearly one-dimensional: a domain of 1 by 200, where at mid height u solves -(k u')' = 1 on [0, 1] with a
// jump of k at 1/2, which lies half way between two grid points. Then u' = (c - x) / k with c from u(1) = 0.
TEST(DarcySolver, MeetsALayeredMedium) {
  Grid grid = square(42);
  for (double& y : grid[1].coordinates) y *= 200;
  std::vector<double> k, u(42 * 42);
  for (const double x : grid[0].coordinates) k.insert(k.end(), 42, x < 0.5 ? 12.0 : 3.0);
  solve_darcy(grid, k, u);
  const double c = (0.125 / 12 + 0.375 / 3) / (0.5 / 12 + 0.5 / 3);
  const auto exact = [&](double x) {
    const double left = std::min(x, 0.5), right = std::max(x, 0.5);
    return (c * left - left * left / 2) / 12 + (c * (right - 0.5) - (right * right - 0.25) / 2) / 3;
  };
  EXPECT_NEAR(exact(1), 0, 1e-15);
  for (std::size_t i = 0; i < 42; ++i) EXPECT_NEAR(u[i * 42 + 20], exact(grid[0].coordinates[i]), 1e-4) << i;
}

TEST(DarcySolver, RefusesWhatItCannotSolve) {
  std::vector<double> k(9, 1.0), u(9);
  EXPECT_THROW(solve_darcy(square(2), std::span(k).first(4), std::span(u).first(4)), Error);
  EXPECT_THROW(solve_darcy(square(3), std::span(k).first(8), u), Error);
  for (const double bad : {0.0, -1.0, static_cast<double>(NAN)}) {
    k[4] = bad;
    EXPECT_THROW(solve_darcy(square(3), k, u), Error);
  }
}

TEST(DarcyField, HoldsTwoPhasesInEqualSharesAndObeysItsBounds) {
  const auto problem = make_problem("darcy-field", {{"nx", "33"}, {"ny", "33"}});
  double high = 0;
  for (std::uint64_t sample = 0; sample < 60; ++sample) {
    const auto solution = test::solve(*problem, 3, problem->default_grid(), sample);
    for (const double k : solution.input) {
      ASSERT_TRUE(k == 12 || k == 3);
      high += (k == 12) / (60.0 * 33 * 33);
    }
    for (const double u : solution.output) {
      ASSERT_GE(u, 0);
      ASSERT_LE(u, problem->bounds(3, 0).upper);
    }
  }
  EXPECT_NEAR(high, 0.5, 0.05);
}

TEST(DarcyField, IsTheSameMediumOnEveryGrid) {
  const auto problem = make_problem("darcy-field");
  const auto coarse = test::solve(*problem, 3, square(17), 4), fine = test::solve(*problem, 3, square(65), 4);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < 17; ++i) {
    for (std::size_t j = 0; j < 17; ++j) {
      EXPECT_EQ(coarse.input[i * 17 + j], fine.input[i * 4 * 65 + j * 4]);
      error += std::abs(coarse.output[i * 17 + j] - fine.output[i * 4 * 65 + j * 4]);
      size += fine.output[i * 4 * 65 + j * 4];
    }
  }
  EXPECT_LT(error, 0.1 * size);
  EXPECT_NE(coarse.input, test::solve(*problem, 3, square(17), 5).input);
}

constexpr std::size_t n = 17;

// Share of neighbours along y that are in different phases, over many samples.
double observed_sides(double tau, std::uint64_t samples) {
  const auto problem = make_problem("darcy-field");
  double count = 0;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    const auto k = test::solve(*problem, tau, square(n), sample).input;
    for (std::size_t i = 1; i < k.size(); ++i) count += i % n != 0 && k[i] != k[i - 1];
  }
  return count / static_cast<double>(samples * n * (n - 1));
}

// Covariance of the Gaussian field between (x, y) and (x, y2), summed from the operator's eigenfunctions.
double covariance(double tau, double x, double y, double y2) {
  double sum = 0;
  for (int p = 0; p < 64; ++p) {
    for (int q = p == 0 ? 1 : 0; q < 64; ++q) {
      const double root = M_PI * M_PI * (p * p + q * q) + tau * tau;
      sum += (p ? 2 : 1) * (q ? 2 : 1) * std::pow(std::cos(p * M_PI * x), 2) * std::cos(q * M_PI * y) *
             std::cos(q * M_PI * y2) / (root * root);
    }
  }
  return sum;
}

// Two Gaussians of correlation r have different signs with probability acos(r) / pi.
double expected_sides(double tau) {
  const double h = 1.0 / (n - 1);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j + 1 < n; ++j) {
      const double x = h * static_cast<double>(i), y = h * static_cast<double>(j);
      const double size = std::sqrt(covariance(tau, x, y, y) * covariance(tau, x, y + h, y + h));
      sum += std::acos(covariance(tau, x, y, y + h) / size) / M_PI;
    }
  }
  return sum / (n * (n - 1));
}

TEST(DarcyField, PatchesFollowTheCovariance) {
  for (const double tau : {3.0, 9.0}) {
    const double expected = expected_sides(tau);
    EXPECT_NEAR(observed_sides(tau, 400) / expected, 1.0, 0.04) << tau;
  }
  EXPECT_GT(expected_sides(9), 1.1 * expected_sides(3));
}

TEST(DarcyField, WantsAGridFromBoundaryToBoundary) {
  const auto problem = make_problem("darcy-field");
  EXPECT_THROW((void)problem->solver(test::two_axes(*problem, {0.1, 0.5, 1}, {0, 0.5, 1})), Error);
}

}  // namespace
}  // namespace nouq
