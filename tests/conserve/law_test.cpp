// Every one-dimensional problem and shift, every method: after projection with zero noise variance the law
// holds to 1e-10 of the integral of |u|. Predictions are made up: the solutions at nearby parameters are the
// samples.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conserve/bounded_projection.h"
#include "conserve/constraint_kinds.h"
#include "conserve/constraint_registry.h"
#include "conserve/projection.h"
#include "conserve/small_case.h"
#include "problems/sampler.h"

namespace nouq {
namespace {

using test::Prediction;
using test::Projected;

constexpr Index members = 6;

// Wrong as a network would be: the parameter a little off, the front smeared over its neighbours.
Prediction wrong_prediction(const Problem& problem, const std::vector<double>& parameters) {
  const auto count = std::ssize(parameters);
  std::vector<double> nearby;
  for (const double parameter : parameters) {
    for (Index m = 0; m < members; ++m)
      nearby.push_back(parameter * (1 + 0.005 * (static_cast<double>(m) - 1.5)));
  }
  const ProblemSamples solved = solve_samples(problem, nearby, {}, 0, 1);
  const Index nx = solved.outputs.extent(1), nt = solved.outputs.extent(2), points = nx * nt;
  Prediction p{Array<double>({count, nx, nt, 1}), Array<double>({count, nx, nt, 1}),
               Array<double>({count, members, nx, nt, 1})};
  const Stream stream(5, Purpose::tests, 2);
  for (Index i = 0; i < p.samples.size(); ++i)
    p.samples[i] =
        static_cast<double>(solved.outputs[i]) + 0.01 * stream.normal(static_cast<std::uint64_t>(i));
  for (Index i = 0; i < count * points; ++i) {
    double sum = 0, squares = 0;
    const auto sample = [&](Index m) { return p.samples[(i / points * members + m) * points + i % points]; };
    for (Index m = 0; m < members; ++m) sum += sample(m) / members;
    for (Index m = 0; m < members; ++m) squares += (sample(m) - sum) * (sample(m) - sum) / (members - 1);
    p.mean[i] = sum;
    p.variance[i] = squares;
  }
  return p;
}

// The mass at every time, and the bounds at every point.
ConstraintSet law_of(const Problem& problem, const FieldLayout& layout,
                     const std::vector<double>& parameters) {
  const Axis& time = layout.grid.back();
  ConstraintSet set;
  set.equalities =
      integral_constraints(layout, {"x"}, Quadrature::automatic, masses_of(problem, parameters, layout.grid));
  const Shape shape = {std::ssize(parameters), layout.points()};
  set.inequalities.lower = set.inequalities.upper = Array<double>(shape);
  for (Index i = 0; i < element_count(shape); ++i) {
    const Bounds bounds = problem.bounds(parameters[i / shape[1]], time.coordinates[i % time.size()]);
    set.inequalities.lower[i] = bounds.lower;
    set.inequalities.upper[i] = bounds.upper;
  }
  return set;
}

struct Case {
  std::string problem;
  Shift shift;
};

class Laws : public testing::TestWithParam<Case> {
 protected:
  Laws() {
    const ParameterRange range = problem->range(GetParam().shift);
    for (const double share : {0.1, 0.5, 0.9})
      parameters.push_back(range.low + share * (range.high - range.low));
    law = law_of(*problem, layout, parameters);
    p = wrong_prediction(*problem, parameters);
  }

  void expect_law(const Projected& out, const std::string& method) const {
    const Index points = layout.points();
    std::vector<double> residuals(law.equalities.rows());
    for (Index i = 0; i < p.mean.extent(0); ++i) {
      evaluate_residuals<double>(law.equalities, i, out.mean.row(i).span(), residuals);
      for (Index r = 0; r < law.equalities.rows(); ++r) {
        double size = 0;
        for (const auto& [point, weight] : law.equalities.row(r))
          size += weight * std::abs(out.mean[i * points + point]);
        EXPECT_LE(std::abs(residuals[r]), 1e-10 * size)
            << method << ", sample " << i << ", " << law.equalities.names[r];
      }
    }
  }

  const std::unique_ptr<Problem> problem = make_problem(GetParam().problem);
  const FieldLayout layout{problem->default_grid(), 1};
  std::vector<double> parameters;
  ConstraintSet law;
  Prediction p;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const char* name : {"heat", "pme", "stefan", "advection", "advection-ic", "gpme"})
    for (const Shift shift : all_shifts) cases.push_back({name, shift});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, Laws, testing::ValuesIn(all_cases()), [](const auto& one) {
  std::string name = one.param.problem + "_" + to_string(one.param.shift);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(Laws, HoldsAfterEveryLinearProjection) {
  for (const Covariance& covariance :
       {Covariance::diagonal(), Covariance::diagonal(1), Covariance::diagonal(0), Covariance::low_rank("t"),
        Covariance::low_rank_plus_diagonal(0.2, "t"), Covariance::low_rank_plus_diagonal(0.2, "")}) {
    Projected out(p);
    Projector(law.equalities, layout, {covariance, 1}).project(p.view(), out.view());
    expect_law(out, fmt::format("share {} power {}", covariance.diagonal_share, covariance.sigma_power));
    for (const double variance : out.variance) EXPECT_GE(variance, 0);
  }
}

TEST_P(Laws, HoldsAfterEveryBoundedProjection) {
  for (const auto update : {VarianceUpdate::gaussian, VarianceUpdate::truncated, VarianceUpdate::samples,
                            VarianceUpdate::displaced}) {
    for (const double power : {2.0, 1.0}) {
      Projected out(p);
      BoundedOptions options{.sigma_power = power, .variance_update = update, .threads = 1};
      BoundedProjector(law.equalities, law.inequalities, layout, options).project(p.view(), out.view());
      expect_law(out, "bounded");
      for (Index i = 0; i < out.mean.size(); ++i) {
        EXPECT_GE(out.mean[i], law.inequalities.lower[i]);
        EXPECT_LE(out.mean[i], law.inequalities.upper[i]);
        EXPECT_GE(out.variance[i], 0);
      }
    }
  }
}

// With the noise variance the data show, the exact solution is hardly moved; forced onto the law, it is.
TEST_P(Laws, NoiseFromDataSparesTheTruth) {
  const ProblemSamples truth = solve_samples(*problem, parameters, {}, 0, 1);
  Prediction exact = p;
  std::copy(truth.outputs.begin(), truth.outputs.end(), exact.mean.begin());
  std::fill(exact.variance.begin(), exact.variance.end(), 1e-4);
  LinearConstraints noisy = law.equalities;
  noisy.noise_variance = noise_from_fields(noisy, truth.outputs.view());
  const auto moved_by = [&](const LinearConstraints& rows) {
    Projected out(exact);
    BoundedProjector(rows, law.inequalities, layout, {.threads = 1}).project(exact.view(), out.view());
    double moved = 0;
    for (Index i = 0; i < out.mean.size(); ++i) moved += std::pow(out.mean[i] - exact.mean[i], 2);
    return moved;
  };
  const double soft = moved_by(noisy), hard = moved_by(law.equalities);
  if (GetParam().problem == "heat") return;  // its quadrature has no error, so both are rounding
  EXPECT_LT(soft, hard);
}

TEST(Law, TheCornersOfASquareAreHeldOnce) {
  const FieldLayout layout{make_problem("darcy")->default_grid(), 1};
  const Index side = layout.grid[0].size();
  std::vector<LinearConstraints> ends;
  for (const Axis& axis : layout.grid) {
    for (const Side where : {Side::low, Side::high})
      ends.push_back(boundary_constraints(layout, axis.name, where, Array<double>({1, side})));
  }
  const LinearConstraints all = stack(ends);
  EXPECT_EQ(all.rows(), 4 * side);
  EXPECT_EQ(Projector(all, layout, {}).constraints().rows(), 4 * side - 4);
}

}  // namespace
}  // namespace nouq
