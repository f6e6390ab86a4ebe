// The bounded projection: its optimality conditions, on random cases; variance updates; infeasibility.
#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "conserve/bounded_projection.h"
#include "conserve/constraint_kinds.h"
#include "conserve/projection.h"
#include "conserve/small_case.h"

namespace nouq {
namespace {

using test::Prediction;
using test::Projected;

constexpr Index count = 4, members = 5;

Inequalities box(Index points, double lower, double upper) {
  Inequalities bounds;
  bounds.lower = Array<double>({1, points}, lower);
  bounds.upper = Array<double>({1, points}, upper);
  return bounds;
}

// Right-hand sides that some field within [-0.5, 0.5] meets exactly; monotone along x when asked for.
LinearConstraints feasible(LinearConstraints rows, const FieldLayout& layout, bool falling) {
  const Stream stream(7, Purpose::tests, 3);
  Array<double> values({count, rows.rows()});
  rows.set_right_hand_sides(Array<double>({1, rows.rows()}, 0.0));
  std::vector<double> sums(rows.rows());
  for (Index i = 0; i < count; ++i) {
    std::vector<double> field(layout.points());
    for (Index p = 0; p < layout.points(); ++p) {
      const double x = layout.grid[0].coordinates[layout.index_along(0, p)];
      field[p] =
          falling ? 0.3 - 0.5 * x : 0.8 * (stream.uniform(static_cast<std::uint64_t>(i * 1000 + p)) - 0.5);
    }
    evaluate_residuals<double>(rows, i, field, sums);
    std::copy(sums.begin(), sums.end(), values.begin() + i * rows.rows());
  }
  rows.set_right_hand_sides(values);
  return rows;
}

LinearConstraints masses(const FieldLayout& layout) {
  return integral_constraints(layout, {"x"}, Quadrature::trapezoid,
                              Array<double>({1, layout.grid[1].size()}, 0.0));
}

// The conditions that make u the minimiser: u = clip(mu - s^2 Sigma G' lambda), G u - b = R lambda.
void expect_optimal(const LinearConstraints& rows, const FieldLayout& layout, std::uint64_t seed) {
  const Index points = layout.points();
  const Prediction p = test::random_prediction(layout, count, members, seed);
  Projected out(p);
  ProjectionReport report;
  BoundedProjector projector(rows, box(points, -0.5, 0.5), layout, {.threads = 1});
  projector.project(p.view(), out.view(), &report);
  const Eigen::MatrixXd g = test::dense_rows(rows);
  for (Index i = 0; i < count; ++i) {
    const Eigen::VectorXd lambda =
        Eigen::Map<const Eigen::VectorXd>(report.multipliers.data() + i * rows.rows(), rows.rows());
    const double scale = report.variance_scale[i];
    const Eigen::VectorXd pull =
        scale * test::field_of(p.variance, i, points).cwiseProduct(g.transpose() * lambda);
    for (Index j = 0; j < points; ++j)
      EXPECT_NEAR(out.mean[i * points + j], std::clamp(p.mean[i * points + j] - pull[j], -0.5, 0.5), 1e-12);
    const Eigen::VectorXd sums = g * test::field_of(out.mean, i, points);
    for (Index r = 0; r < rows.rows(); ++r) {
      const std::size_t at = r;
      EXPECT_NEAR(sums[r] - rows.right_hand_side(i)[at], rows.noise_variance[at] * lambda[r], 1e-11)
          << "row " << r;
    }
  }
}

TEST(Bounded, SeparateRowsAreOptimal) {
  const FieldLayout layout = test::small_layout(12, 4);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    LinearConstraints rows = feasible(masses(layout), layout, false);
    for (const double noise_variance : {0.0, 1e-6, 1e-2}) {
      rows.set_noise_variance(noise_variance);
      expect_optimal(rows, layout, seed);
    }
  }
}

TEST(Bounded, CoupledRowsAreOptimal) {
  const FieldLayout layout = test::small_layout(8, 3);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    LinearConstraints rows = feasible(test::random_rows(24, 4, 1, seed), layout, false);
    for (const double noise_variance : {0.0, 1e-6, 1e-2}) {
      rows.set_noise_variance(noise_variance);
      expect_optimal(rows, layout, seed);
    }
  }
}

TEST(Bounded, WithoutBoundsItIsTheLinearProjection) {
  const FieldLayout layout = test::small_layout();
  const Prediction p = test::random_prediction(layout, count, members, 3);
  for (LinearConstraints rows :
       {feasible(masses(layout), layout, false), feasible(test::random_rows(15, 4, 1, 1), layout, false)}) {
    for (const double noise_variance : {0.0, 0.05}) {
      rows.set_noise_variance(noise_variance);
      Projected linear(p), bounded(p);
      Projector(rows, layout, {Covariance::diagonal(), 1}).project(p.view(), linear.view());
      BoundedProjector(rows, {}, layout,
                       {.scale_variance = false, .variance_update = VarianceUpdate::gaussian, .threads = 1})
          .project(p.view(), bounded.view());
      for (Index i = 0; i < p.mean.size(); ++i) {
        EXPECT_NEAR(bounded.mean[i], linear.mean[i], 1e-11);
        EXPECT_NEAR(bounded.variance[i], linear.variance[i], 1e-11);
      }
    }
  }
}

// s^2 on a case small enough for a pencil: two values, weights 1/2 each, one row.
TEST(Bounded, VarianceScaleByHand) {
  const FieldLayout layout{{{"x", "", {0, 1}}}, 1};
  auto rows = integral_constraints(layout, {"x"}, Quadrature::trapezoid, Array<double>({1, 1}, 0.5));
  rows.set_noise_variance(0.01);
  Prediction p{Array<double>({1, 2, 1}, std::vector<double>{2, 3}),
               Array<double>({1, 2, 1}, std::vector<double>{0.1, 0.1}),
               {}};
  Projected out(p);
  ProjectionReport report;
  // clip gives 1 and 1: g.u - b = 0.5; s^2 = (0.25 - 0.01) / (0.25 * 0.2) = 4.8.
  BoundedProjector(rows, box(2, 0, 1), layout, {.threads = 1}).project(p.view(), out.view(), &report);
  EXPECT_NEAR(report.variance_scale[0], 4.8, 1e-12);
  const double lambda = report.multipliers[0], step = 4.8 * 0.1 * 0.5;
  const double u0 = std::clamp(2 - lambda * step, 0.0, 1.0), u1 = std::clamp(3 - lambda * step, 0.0, 1.0);
  EXPECT_NEAR(out.mean[0], u0, 1e-14);
  EXPECT_NEAR(out.mean[1], u1, 1e-14);
  EXPECT_NEAR(0.5 * (u0 + u1) - 0.5, 0.01 * lambda, 1e-13);
}

// A minimiser u over a convex set: (u - mu)' Sigma^-1 (v - u) >= 0 for all v in it. Other projections supply
// v.
TEST(Bounded, MonotoneProfilesAreOptimal) {
  const FieldLayout layout = test::small_layout(10, 3);
  const Index points = layout.points();
  for (const bool coupled : {false, true}) {
    std::vector<LinearConstraints> parts = {masses(layout)};
    if (coupled)
      parts.push_back(
          integral_constraints(layout, {"x", "t"}, Quadrature::simpson, Array<double>({1, 1}, 0.0)));
    const LinearConstraints rows = feasible(stack(parts), layout, true);
    Inequalities limits = box(points, -0.5, 0.5);
    add_monotone(limits, {"x", Direction::decreasing});
    BoundedProjector projector(rows, limits, layout, {.scale_variance = false, .threads = 1});
    std::vector<Projected> found;
    std::vector<Prediction> given;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      given.push_back(test::random_prediction(layout, count, members, seed));
      found.emplace_back(given.back());
      ProjectionReport report;
      projector.project(given.back().view(), found.back().view(), &report);
      for (const double residual : report.residual_after) EXPECT_LT(residual, 1e-11);
      for (Index i = 0; i < found.back().mean.size(); ++i) {
        const double value = found.back().mean[i];
        EXPECT_TRUE(value >= -0.5 && value <= 0.5);
        const Index before = layout.index_along(0, i % points) > 0 ? i - layout.stride(0) : i;
        EXPECT_LE(value, found.back().mean[before]);
      }
    }
    for (std::size_t a = 0; a < found.size(); ++a) {
      for (std::size_t b = 0; b < found.size(); ++b) {
        for (Index i = 0; i < count; ++i) {
          const Eigen::VectorXd u = test::field_of(found[a].mean, i, points),
                                v = test::field_of(found[b].mean, i, points);
          const Eigen::VectorXd pull = (u - test::field_of(given[a].mean, i, points))
                                           .cwiseQuotient(test::field_of(given[a].variance, i, points));
          EXPECT_GE(pull.dot(v - u), -1e-8 * (1 + pull.norm()));
        }
      }
    }
  }
}

TEST(Bounded, FieldsWithoutRowsAreMadeMonotone) {
  const FieldLayout layout = test::small_layout(3, 1);
  LinearConstraints none;
  none.points = 3;
  Inequalities limits;
  add_monotone(limits, {"x", Direction::increasing});
  Prediction p{Array<double>({1, 3, 1, 1}, std::vector<double>{0, 3, 1}),
               Array<double>({1, 3, 1, 1}, std::vector<double>{1, 1, 0.5}),
               {}};
  Projected out(p);
  BoundedProjector(none, limits, layout, {.threads = 1}).project(p.view(), out.view());
  // 3 and 1 are pooled with weights 1 and 2.
  EXPECT_NEAR(out.mean[0], 0, 1e-15);
  EXPECT_NEAR(out.mean[1], 5.0 / 3, 1e-14);
  EXPECT_NEAR(out.mean[2], 5.0 / 3, 1e-14);
}

TEST(Bounded, SaysByHowMuchItIsInfeasible) {
  const FieldLayout layout = test::small_layout();
  const Prediction p = test::random_prediction(layout, 1, members, 3);
  Projected out(p);
  const auto attempt = [&](const LinearConstraints& rows) -> std::string {
    try {
      BoundedProjector(rows, box(15, 0, 1), layout, {.threads = 1}).project(p.view(), out.view());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  auto rows = integral_constraints(layout, {"x"}, Quadrature::trapezoid, Array<double>({1, 1}, 1.25));
  EXPECT_NE(attempt(rows).find(
                "'integral over x at t = 0' cannot be met within the bounds in sample 0: g.u - b = -0.25"),
            std::string::npos)
      << attempt(rows);
  rows.set_noise_variance(1e-4);
  EXPECT_EQ(attempt(rows), "");
  const LinearConstraints parts[] = {
      integral_constraints(layout, {"x"}, Quadrature::trapezoid, Array<double>({1, 1}, 0.5)),
      boundary_constraints(layout, "x", Side::low, Array<double>({1, 1}, 2.0))};
  // Of coupled rows that cannot be met together, the one that must be missed is named, and by how much.
  EXPECT_NE(attempt(stack(parts))
                .find("'value at x = 0 at t = 0' cannot be met within the bounds in sample 0: g.u - b = -1"),
            std::string::npos)
      << attempt(stack(parts));
}

// Variances over many orders, and a field that is barely feasible: much of it sits on a bound.
TEST(Bounded, VariancesOfManyOrders) {
  const FieldLayout layout = test::small_layout(10, 6);
  const Index points = layout.points();
  for (const double range : {1.0, 1e-8, 1e-12, 1e-16}) {
    for (const bool monotone : {false, true}) {
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Stream stream(seed, Purpose::tests, 5);
        Prediction p{Array<double>({1, 10, 6, 1}), Array<double>({1, 10, 6, 1}), {}};
        Array<double> front({1, points});
        for (Index i = 0; i < points; ++i) {
          const auto draw = static_cast<std::uint64_t>(3 * i);
          p.mean[i] = 0.5 + 0.7 * stream.normal(draw);
          p.variance[i] = std::pow(range, stream.uniform(draw + 1));
          const double x = layout.grid[0].coordinates[layout.index_along(0, i)];
          const double place = stream.uniform(100000 + static_cast<std::uint64_t>(i % 6));
          front[i] = monotone ? (x < place ? 1 - 0.3 * x : 0.3 - 0.3 * x) : stream.uniform(draw + 2);
        }
        const LinearConstraints parts[] = {
            masses(layout), integral_constraints(layout, {"t"}, Quadrature::trapezoid, Array<double>({1}))};
        LinearConstraints rows = stack(parts);
        std::vector<double> sums(rows.rows());
        evaluate_residuals<double>(rows, 0, front.span(), sums);
        rows.set_right_hand_sides(Array<double>({1, rows.rows()}, sums));
        Inequalities limits = box(points, 0, 1);
        if (monotone) add_monotone(limits, {"x", Direction::decreasing});
        Projected out(p);
        ProjectionReport report;
        ASSERT_NO_THROW(
            BoundedProjector(rows, limits, layout, {.threads = 1}).project(p.view(), out.view(), &report))
            << "range " << range << ", seed " << seed;
        EXPECT_LT(report.residual_after[0], 1e-10);
        for (Index i = 0; i < points; ++i) {
          EXPECT_TRUE(out.mean[i] >= 0 && out.mean[i] <= 1);
          if (monotone && i >= layout.stride(0)) {
            EXPECT_LE(out.mean[i], out.mean[i - layout.stride(0)] + 1e-9);
          }
        }
      }
    }
  }
}

// Variance zero means exactly known, however the rows are coupled.
TEST(Bounded, ValuesWithoutVarianceStay) {
  const FieldLayout layout = test::small_layout(3, 1);
  Prediction p{
      Array<double>({1, 3, 1, 1}, 0.0), Array<double>({1, 3, 1, 1}, std::vector<double>{0, 0, 1}), {}};
  LinearConstraints rows;
  rows.points = 3;
  rows.add_row("left", {{0, 1.0}, {1, 1.0}});
  rows.add_row("right", {{1, 1.0}, {2, 1.0}});
  rows.set_right_hand_sides(Array<double>({1, 2}, 2.0));
  Projected out(p);
  BoundedProjector projector(rows, box(3, -10, 10), layout, {.threads = 1});
  EXPECT_THROW(projector.project(p.view(), out.view()), Error);
  p.variance[1] = 1e-14;
  projector.project(p.view(), out.view());
  EXPECT_EQ(out.mean[0], 0);
  EXPECT_NEAR(out.mean[1], 2, 1e-10);
  EXPECT_NEAR(out.mean[2], 0, 1e-10);
}

// What is feasible stays, so projecting twice is projecting once; and how the rows are scaled does not
// matter.
TEST(Bounded, IdempotentAndIndependentOfTheScaleOfRows) {
  const FieldLayout layout = test::small_layout(8, 3);
  const Prediction p = test::random_prediction(layout, count, members, 4);
  for (const bool coupled : {false, true}) {
    const LinearConstraints rows =
        feasible(coupled ? test::random_rows(24, 4, 1, 2) : masses(layout), layout, false);
    LinearConstraints scaled = rows;
    for (RowEntry& entry : scaled.entries) entry.weight *= 1000;
    for (double& value : scaled.right_hand_sides) value *= 1000;
    const auto project = [&](const LinearConstraints& system, const Prediction& from) {
      Projected out(from);
      BoundedProjector(system, box(24, -0.5, 0.5), layout, {.threads = 1}).project(from.view(), out.view());
      return out;
    };
    const Projected once = project(rows, p), other = project(scaled, p);
    Prediction projected = p;
    projected.mean = once.mean;
    const Projected twice = project(rows, projected);
    for (Index i = 0; i < p.mean.size(); ++i) {
      EXPECT_NEAR(twice.mean[i], once.mean[i], 1e-10);
      EXPECT_NEAR(other.mean[i], once.mean[i], 1e-10);
    }
  }
}

// A row that names a point twice, or with weight zero, is the row with the sum.
TEST(Bounded, SparseRowsMayNameAPointTwice) {
  const FieldLayout layout = test::small_layout(3, 1);
  Prediction p{
      Array<double>({1, 3, 1, 1}, std::vector<double>{2, -3, 0.5}), Array<double>({1, 3, 1, 1}, 1.0), {}};
  const std::vector<Index> rows = {0, 0, 0, 1, 1}, points = {0, 0, 1, 1, 2};
  const std::vector<double> weights = {1, 2, 1, 0, 1};
  const auto g = sparse_constraints(3, rows, points, weights, Array<double>({1, 2}, 0.25));
  Projected out(p);
  BoundedProjector(g, box(3, 0, 1), layout, {.threads = 1}).project(p.view(), out.view());
  EXPECT_NEAR(3 * out.mean[0] + out.mean[1], 0.25, 1e-14);
  EXPECT_NEAR(out.mean[2], 0.25, 1e-14);
  EXPECT_EQ(out.mean[1], 0);
}

TEST(Bounded, SamplesAndVarianceUpdates) {
  const FieldLayout layout = test::small_layout(12, 4);
  const Index points = layout.points();
  const LinearConstraints rows = feasible(masses(layout), layout, false);
  const Prediction p = test::random_prediction(layout, count, members, 6);
  const auto project = [&](VarianceUpdate update) {
    Projected out(p, true);
    BoundedOptions options{.variance_update = update, .threads = 1};
    BoundedProjector(rows, box(points, -0.5, 0.5), layout, options).project(p.view(), out.view());
    return out;
  };
  const Projected gaussian = project(VarianceUpdate::gaussian),
                  truncated = project(VarianceUpdate::truncated), sampled = project(VarianceUpdate::samples);
  const Projected displaced = project(VarianceUpdate::displaced);
  EXPECT_EQ(gaussian.mean, truncated.mean);
  EXPECT_EQ(gaussian.mean, sampled.mean);
  EXPECT_EQ(gaussian.mean, displaced.mean);
  for (Index i = 0; i < p.samples.size(); ++i) EXPECT_LE(std::abs(sampled.samples[i]), 0.5);
  for (Index i = 0; i < count * members; ++i)
    EXPECT_LT(largest_residual(rows, i / members, sampled.samples.data() + i * points), 1e-12);
  for (Index i = 0; i < p.mean.size(); ++i) {
    EXPECT_LE(truncated.variance[i], gaussian.variance[i]);
    const double moved = displaced.mean[i] - p.mean[i];
    EXPECT_DOUBLE_EQ(displaced.variance[i], p.variance[i] + moved * moved);
    EXPECT_LE(truncated.variance[i], 1.0);  // nothing in [-0.5, 0.5] is further off
    double sum = 0, squares = 0;
    const auto sample = [&](Index m) {
      return sampled.samples[(i / points * members + m) * points + i % points];
    };
    for (Index m = 0; m < members; ++m) sum += sample(m) / members;
    for (Index m = 0; m < members; ++m) squares += (sample(m) - sum) * (sample(m) - sum) / (members - 1);
    EXPECT_NEAR(sampled.variance[i], (members * squares + displaced.variance[i]) / (members + 1), 1e-14);
  }
  for (const auto update : {VarianceUpdate::gaussian, VarianceUpdate::truncated, VarianceUpdate::samples,
                            VarianceUpdate::displaced}) {
    Prediction own = p;  // in place
    const Projected expected = project(update);
    BoundedOptions options{.variance_update = update, .threads = 3};
    BoundedProjector(rows, box(points, -0.5, 0.5), layout, options)
        .project(own.view(), {own.mean.view(), own.variance.view(), own.samples.view()});
    EXPECT_EQ(own.mean, expected.mean);
    EXPECT_EQ(own.variance, expected.variance);
    EXPECT_EQ(own.samples, expected.samples);
  }
}

}  // namespace
}  // namespace nouq
