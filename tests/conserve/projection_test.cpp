// The linear projection against the dense formula, and the properties that any projection has.
#include "conserve/projection.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "conserve/constraint_kinds.h"
#include "conserve/small_case.h"
#include "support/message.h"

namespace nouq {
namespace {

using test::message_of;
using test::Prediction;
using test::Projected;

constexpr Index count = 3, members = 6;

void expect_dense(const LinearConstraints& constraints, const Covariance& covariance, std::uint64_t seed) {
  const FieldLayout layout = test::small_layout();
  const Prediction p = test::random_prediction(layout, count, members, seed);
  Projected out(p);
  Projector(constraints, layout, {covariance, 1}).project(p.view(), out.view());
  const Index points = layout.points();
  for (Index i = 0; i < count; ++i) {
    const auto expected = test::dense_projection(
        test::field_of(p.mean, i, points), test::dense_covariance(p, i, layout, covariance), constraints, i);
    for (Index j = 0; j < points; ++j) {
      EXPECT_NEAR(out.mean[i * points + j], expected.mean[j], 1e-10) << "sample " << i << " point " << j;
      EXPECT_NEAR(out.variance[i * points + j], std::max(0.0, expected.variance[j]), 1e-10);
    }
  }
}

LinearConstraints mass_rows(const FieldLayout& layout, double noise_variance = 0) {
  Array<double> values({count, layout.grid[1].size()});
  for (Index i = 0; i < values.size(); ++i) values[i] = 0.1 * static_cast<double>(i);
  auto rows = integral_constraints(layout, {"x"}, Quadrature::trapezoid, values);
  rows.set_noise_variance(noise_variance);
  return rows;
}

// A row twice (scaled), and the sum of two others.
LinearConstraints with_redundant(LinearConstraints rows) {
  const auto sum_rows = [&](Index a, double wa, Index b, double wb) {
    std::vector<RowEntry> row;
    for (const auto& [point, weight] : rows.row(a)) row.push_back({point, wa * weight});
    for (const auto& [point, weight] : rows.row(b)) row.push_back({point, wb * weight});
    return row;
  };
  const Array<double> before = rows.right_hand_sides;
  const Index old = rows.rows();
  rows.add_row("twice", sum_rows(0, 2, 0, 0));
  rows.add_row("sum", sum_rows(0, 1, 1, -3));
  Array<double> values({before.extent(0), old + 2});
  for (Index i = 0; i < before.extent(0); ++i) {
    for (Index r = 0; r < old; ++r) values[i * (old + 2) + r] = before[i * old + r];
    values[i * (old + 2) + old] = 2 * before[i * old];
    values[i * (old + 2) + old + 1] = before[i * old] - 3 * before[i * old + 1];
  }
  rows.set_right_hand_sides(values);
  return rows;
}

TEST(Projection, SeparateRowsMeetTheDenseFormula) {
  const FieldLayout layout = test::small_layout();
  for (const double noise_variance : {0.0, 1e-3, 1.0}) {
    expect_dense(mass_rows(layout, noise_variance), Covariance::diagonal(), 1);
    expect_dense(mass_rows(layout, noise_variance), Covariance::low_rank("t"), 2);
    expect_dense(mass_rows(layout, noise_variance), Covariance::low_rank_plus_diagonal(0.3, "t"), 3);
  }
  // Runs of one row: the last axis is integrated.
  auto along_t = integral_constraints(layout, {"t"}, Quadrature::trapezoid, Array<double>({count, 5}, 0.7));
  expect_dense(along_t, Covariance::diagonal(), 4);
  expect_dense(along_t, Covariance::low_rank("x"), 4);
}

TEST(Projection, CoupledRowsMeetTheDenseFormula) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    LinearConstraints rows = test::random_rows(15, 4, count, seed);
    for (const double noise_variance : {0.0, 1e-2}) {
      rows.set_noise_variance(noise_variance);
      expect_dense(rows, Covariance::diagonal(), seed);
      expect_dense(rows, Covariance::low_rank(""), seed);
      expect_dense(rows, Covariance::low_rank("t"), seed);
      expect_dense(rows, Covariance::low_rank_plus_diagonal(0.4, ""), seed);
      expect_dense(rows, Covariance::low_rank_plus_diagonal(0.4, "t"), seed);
    }
  }
}

TEST(Projection, RedundantRowsChangeNothing) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const LinearConstraints rows = with_redundant(test::random_rows(15, 4, count, seed));
    expect_dense(rows, Covariance::diagonal(), seed);
    EXPECT_EQ(Projector(rows, test::small_layout(), {}).constraints().rows(), 4);
  }
}

TEST(Projection, RedundantRowsWithNoiseAreNews) {
  LinearConstraints rows = with_redundant(test::random_rows(15, 3, count, 5));
  rows.set_noise_variance(0.2);
  expect_dense(rows, Covariance::diagonal(), 5);
}

class Properties : public testing::TestWithParam<Covariance> {
 protected:
  const FieldLayout layout = test::small_layout();
  const LinearConstraints rows = mass_rows(layout);
  const Prediction p = test::random_prediction(layout, count, members, 9);
};
INSTANTIATE_TEST_SUITE_P(Covariances, Properties,
                         testing::Values(Covariance::diagonal(), Covariance::diagonal(1),
                                         Covariance::diagonal(0), Covariance::low_rank("t"),
                                         Covariance::low_rank_plus_diagonal(0.5, "t"),
                                         Covariance::low_rank_plus_diagonal(0.5, "")));

TEST_P(Properties, ExactRowsAreMetAndProjectingAgainChangesNothing) {
  Projector projector(rows, layout, {GetParam(), 1});
  Projected once(p, true), twice(p, true);
  ProjectionReport report;
  projector.project(p.view(), once.view(), &report);
  for (const double residual : report.residual_after) EXPECT_LT(residual, 1e-14);
  for (const double residual : report.residual_before) EXPECT_GT(residual, 1e-3);
  const PredictionView again{once.mean.view(), p.variance.view(), p.samples.view()};
  projector.project(again, twice.view());
  for (Index i = 0; i < p.mean.size(); ++i) EXPECT_NEAR(twice.mean[i], once.mean[i], 1e-14);
}

TEST_P(Properties, EverySampleMeetsExactRows) {
  Projected out(p, true);
  Projector(rows, layout, {GetParam(), 1}).project(p.view(), out.view());
  const Index points = layout.points();
  for (Index i = 0; i < count * members; ++i)
    EXPECT_LT(largest_residual(rows, i / members, out.samples.data() + i * points), 1e-14);
}

TEST_P(Properties, FeasibleInputStays) {
  Array<double> own({count, 3});
  std::vector<double> residuals(3);
  LinearConstraints feasible = rows;
  for (Index i = 0; i < count; ++i) {
    evaluate_residuals<double>(rows, i, p.mean.row(i).span(), residuals);
    for (Index r = 0; r < 3; ++r) own[i * 3 + r] = residuals[r] + rows.right_hand_sides[i * 3 + r];
  }
  feasible.set_right_hand_sides(own);
  Projected out(p);
  Projector(feasible, layout, {GetParam(), 1}).project(p.view(), out.view());
  for (Index i = 0; i < p.mean.size(); ++i) EXPECT_NEAR(out.mean[i], p.mean[i], 1e-14);
}

TEST_P(Properties, ScalingOfRowsDoesNotMatter) {
  LinearConstraints scaled = rows;
  for (RowEntry& entry : scaled.entries) entry.weight *= 1e6;
  for (double& value : scaled.right_hand_sides) value *= 1e6;
  Projected a(p), b(p);
  Projector(rows, layout, {GetParam(), 1}).project(p.view(), a.view());
  Projector(scaled, layout, {GetParam(), 1}).project(p.view(), b.view());
  for (Index i = 0; i < p.mean.size(); ++i) {
    EXPECT_NEAR(a.mean[i], b.mean[i], 1e-12);
    EXPECT_NEAR(a.variance[i], b.variance[i], 1e-12);
  }
}

TEST_P(Properties, InPlaceAndOnAnyNumberOfThreadsTheSameBits) {
  Projected out(p, true);
  Projector(rows, layout, {GetParam(), 1}).project(p.view(), out.view());
  for (const int threads : {1, 2, 3}) {
    Prediction own = p;
    Projector(rows, layout, {GetParam(), threads})
        .project(own.view(), {own.mean.view(), own.variance.view(), own.samples.view()});
    EXPECT_EQ(own.mean, out.mean);
    EXPECT_EQ(own.variance, out.variance);
    EXPECT_EQ(own.samples, out.samples);
  }
}

TEST_P(Properties, VarianceIsNeverNegative) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Prediction tight = test::random_prediction(layout, count, members, seed);
    for (Index i = 0; i < tight.variance.size(); ++i)
      if (i % 5 != 0) tight.variance[i] = 0;  // nearly all of a row's spread in one point
    Projected out(tight);
    Projector(mass_rows(layout, 1e-12), layout, {GetParam(), 1}).project(tight.view(), out.view());
    for (const double value : out.variance) EXPECT_GE(value, 0);
  }
}

// The low-rank covariance is that of the samples, before and after.
TEST(Projection, LowRankVarianceIsThatOfTheProjectedSamples) {
  const FieldLayout layout = test::small_layout();
  const Prediction p = test::random_prediction(layout, count, members, 4);
  Projected out(p, true);
  Projector(mass_rows(layout), layout, {Covariance::low_rank("t"), 1}).project(p.view(), out.view());
  const Index points = layout.points();
  for (Index i = 0; i < count * points; ++i) {
    double sum = 0, squares = 0;
    const auto sample = [&](Index m) {
      return out.samples[(i / points * members + m) * points + i % points];
    };
    for (Index m = 0; m < members; ++m) sum += sample(m) / members;
    for (Index m = 0; m < members; ++m) squares += (sample(m) - sum) * (sample(m) - sum) / (members - 1);
    EXPECT_NEAR(out.mean[i], sum, 1e-13);
    EXPECT_NEAR(out.variance[i], squares, 1e-13);
  }
}

// Joseph's form by hand: mean - K r and diag((I - K G) Sigma (I - K G)') for K = Sigma_p G' S_p^-1.
void expect_powered(const LinearConstraints& rows, double power) {
  const FieldLayout layout = test::small_layout();
  const Prediction p = test::random_prediction(layout, count, members, 8);
  Projected out(p);
  Projector(rows, layout, {Covariance::diagonal(power), 1}).project(p.view(), out.view());
  const Eigen::MatrixXd g = test::dense_rows(rows);
  const Index points = layout.points();
  for (Index i = 0; i < count; ++i) {
    const Eigen::MatrixXd sigma = test::field_of(p.variance, i, points).asDiagonal();
    const Eigen::MatrixXd used =
        test::field_of(p.variance, i, points).array().pow(power / 2).matrix().asDiagonal();
    const Eigen::MatrixXd gain = used * g.transpose() * (g * used * g.transpose()).inverse();
    const Eigen::MatrixXd rest = Eigen::MatrixXd::Identity(points, points) - gain * g;
    const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(rows.right_hand_side(i).data(), rows.rows());
    const Eigen::VectorXd mean = test::field_of(p.mean, i, points);
    const Eigen::VectorXd moved = mean - gain * (g * mean - b);
    const Eigen::VectorXd variance = (rest * sigma * rest.transpose()).diagonal();
    for (Index j = 0; j < points; ++j) {
      EXPECT_NEAR(out.mean[i * points + j], moved[j], 1e-10);
      EXPECT_NEAR(out.variance[i * points + j], variance[j], 1e-10);
    }
  }
}

TEST(Projection, SigmaPowerUsesAnotherGainAndKeepsAnHonestVariance) {
  for (const double power : {0.0, 1.0}) {
    expect_powered(mass_rows(test::small_layout()), power);
    expect_powered(test::random_rows(15, 4, count, 3), power);
  }
}

TEST(Projection, SaysWhatIsWrong) {
  const FieldLayout layout = test::small_layout();
  const LinearConstraints rows = mass_rows(layout);
  const auto attempt = [&](const Prediction& p, const Covariance& covariance, const LinearConstraints& g) {
    return message_of([&] {
      Projected out(p);
      Projector(g, layout, {covariance, 1}).project(p.view(), out.view());
    });
  };
  const Prediction good = test::random_prediction(layout, count, members, 1);
  EXPECT_EQ(attempt(good, Covariance::diagonal(), rows), "");
  Prediction bad = good;
  bad.mean[17] = std::nan("");
  EXPECT_EQ(attempt(bad, Covariance::diagonal(), rows),
            "mean is nan in sample 1, element 2: expected a finite number");
  bad = good;
  bad.variance[3] = -1e-9;
  EXPECT_NE(attempt(bad, Covariance::diagonal(), rows).find("variance is -1e-09 in sample 0, element 3"),
            std::string::npos);
  bad = good;
  bad.variance = Array<double>({3, 5, 3, 2});
  EXPECT_EQ(attempt(bad, Covariance::diagonal(), rows),
            "variance has shape [3, 5, 3, 2], expected [3, 5, 3, 1]");
  bad = good;
  std::fill(bad.variance.begin(), bad.variance.end(), 0.0);
  EXPECT_NE(attempt(bad, Covariance::diagonal(), rows).find("variance of all values it could move is zero"),
            std::string::npos);
  std::fill(bad.variance.begin(), bad.variance.end(), 1e-310);
  EXPECT_NE(attempt(bad, Covariance::diagonal(), rows)
                .find("sample 0 cannot be projected in double precision: its variances are 1e-310 to 1e-310"),
            std::string::npos)
      << attempt(bad, Covariance::diagonal(), rows);
  const std::string rank = attempt(good, Covariance::low_rank(""), test::random_rows(15, 6, count, 1));
  EXPECT_NE(rank.find("6 joint constraints"), std::string::npos) << rank;
  EXPECT_NE(rank.find("6 samples has rank 5"), std::string::npos) << rank;
  EXPECT_NE(attempt(good, Covariance::low_rank("time"), rows).find("unknown axis 'time'"), std::string::npos);
}

// Two coupled rows on values without variance: the mean may meet them, but samples that differ cannot.
TEST(Projection, SamplesThatCannotMeetARowAreNamed) {
  const FieldLayout layout = test::small_layout(3, 1);
  Prediction p{Array<double>({1, 3, 1, 1}, 1.0), Array<double>({1, 3, 1, 1}, 0.0),
               Array<double>({1, 2, 3, 1, 1}, std::vector<double>{1, 1, 1, 1, 1.5, 1})};
  LinearConstraints rows;
  rows.points = 3;
  rows.add_row("left", {{0, 1.0}, {1, 1.0}});
  rows.add_row("right", {{1, 1.0}, {2, 1.0}});
  rows.set_right_hand_sides(Array<double>({1, 2}, 2.0));
  Projected out(p, true);
  const std::string message = message_of([&] {
    Projector(rows, layout, {Covariance::diagonal(), 1}).project(p.view(), out.view());
  });
  EXPECT_NE(message.find("'left' cannot be met by member 1 of sample 0: g.u - b stays at 0.5"),
            std::string::npos)
      << message;
}

// However small the numbers are.
TEST(Projection, UnmetRowsAreJudgedByTheirOwnSize) {
  const FieldLayout layout = test::small_layout(3, 1);
  Prediction p{Array<double>({1, 3, 1, 1}, 1e-14), Array<double>({1, 3, 1, 1}, 0.0), {}};
  const auto rows = integral_constraints(layout, {"x"}, Quadrature::trapezoid, Array<double>({1, 1}, 9e-13));
  Projected out(p);
  EXPECT_NE(message_of([&] { Projector(rows, layout, {}).project(p.view(), out.view()); }), "");
}

TEST(Projection, RoundingAtZeroIsNoContradiction) {
  const FieldLayout layout = test::small_layout(3, 2);
  const auto rows_with = [&](double total) {
    const LinearConstraints parts[] = {
        integral_constraints(layout, {"x"}, Quadrature::trapezoid,
                             Array<double>({2, 2}, std::vector<double>{1, 1, 0, 0})),
        integral_constraints(layout, {"x", "t"}, Quadrature::trapezoid,
                             Array<double>({2}, std::vector<double>{1, total}))};
    return stack(parts);
  };
  EXPECT_EQ(message_of([&] { Projector(rows_with(1e-17), layout, {}); }), "");
  EXPECT_NE(message_of([&] { Projector(rows_with(1e-9), layout, {}); }), "");
}

TEST(Projection, ContradictoryRowsAreNamed) {
  LinearConstraints rows = with_redundant(test::random_rows(15, 4, count, 2));
  rows.right_hand_sides[1 * 6 + 5] += 0.01;
  const std::string message = message_of([&] { Projector(rows, test::small_layout(), {}); });
  EXPECT_NE(message.find("'sum' contradicts 'random 0', 'random 1' in sample 1"), std::string::npos)
      << message;
  rows.set_noise_variance(1e-4);  // 0.01 is within the noise variance's six deviations
  EXPECT_EQ(message_of([&] { Projector(rows, test::small_layout(), {}); }), "");
}

}  // namespace
}  // namespace nouq
