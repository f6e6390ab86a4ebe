// Bounded rows side by side against their plain twin, one row at a time, on every target.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nouq/random.h>

#include "conserve/bounded_rows.h"
#include "kernels/bounded_rows.h"
#include "kernels/rows.h"
#include "kernels/target.h"

namespace nouq {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Random {
  Stream stream;
  std::uint64_t drawn = 0;
  double normal() { return stream.normal(drawn++); }
  double uniform() { return stream.uniform(drawn++); }
  std::size_t below(std::size_t count) { return stream.below(count, drawn++); }
};

// Rows on points of a field in some order: consecutive rows on consecutive points, or shuffled rows of
// different lengths, with points that no row touches.
LinearConstraints random_rows(Random& random, Index rows, Index entries, bool regular) {
  LinearConstraints constraints;
  const Index points = rows * entries + (regular ? 0 : 5);
  constraints.points = points;
  std::vector<Index> order;
  for (Index p = 0; p < points; ++p) order.push_back(p);
  for (std::size_t i = order.size(); !regular && i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  for (Index r = 0; r < rows; ++r) {
    const Index length = regular ? entries : 1 + static_cast<Index>(random.below(std::size_t(entries)));
    std::vector<RowEntry> row;
    for (Index e = 0; e < length; ++e)
      row.push_back({order[e * rows + r], regular ? random.uniform() : random.normal()});
    constraints.add_row("row", row, r % 3 == 0 ? 1e-6 : 0);
  }
  return constraints;
}

// A field within the bounds supplies right-hand sides that can be met.
struct Case {
  LinearConstraints constraints;
  std::vector<double> mean, diagonal, lower, upper;

  Case(Random& random, Index rows, Index entries, bool regular)
      : constraints(random_rows(random, rows, entries, regular)) {
    std::vector<double> inside;
    for (Index p = 0; p < constraints.points; ++p) {
      mean.push_back(random.normal());
      diagonal.push_back(std::pow(10.0, -12 * random.uniform()));
      lower.push_back(random.uniform() < 0.2 ? -infinity : -random.uniform());
      upper.push_back(random.uniform() < 0.2 ? infinity : random.uniform());
      inside.push_back(std::max(-0.1, lower.back()) * random.uniform());
    }
    Array<double> sums({1, rows}, 0.0);
    for (Index r = 0; r < rows; ++r)
      for (const auto& [point, weight] : constraints.row(r)) sums[r] += weight * inside[std::size_t(point)];
    constraints.set_right_hand_sides(sums);
  }

  [[nodiscard]] BoundedField field() const {
    return {0, mean.data(), diagonal.data(), lower.data(), upper.data()};
  }
};

void expect_the_twin(const Case& c, const std::vector<double>& projected, const std::vector<double>& lambda) {
  std::vector<double> expected;
  for (Index p = 0; p < c.constraints.points; ++p) {
    const std::size_t at = p;
    expected.push_back(std::min(std::max(c.mean[at], c.lower[at]), c.upper[at]));
  }
  for (Index r = 0; r < c.constraints.rows(); ++r) {
    std::vector<double> value, step, weight, lower, upper;
    for (const auto& [point, w] : c.constraints.row(r)) {
      const std::size_t at = point;
      value.push_back(c.mean[at]);
      step.push_back(w * c.diagonal[at]);
      weight.push_back(w);
      lower.push_back(c.lower[at]);
      upper.push_back(c.upper[at]);
    }
    const std::size_t at = r;
    const double target = c.constraints.right_hand_side(0)[at],
                 noise_variance = c.constraints.noise_variance[at];
    const RowMultiplier twin = solve_row({value, step, weight, lower, upper, target, noise_variance});
    ASSERT_EQ(twin.shortfall, 0);
    double sum = -target - noise_variance * lambda[at], size = std::abs(target);
    std::size_t i = 0;
    for (const auto& [point, w] : c.constraints.row(r)) {
      const std::size_t p = point;
      expected[p] = std::min(std::max(value[i] - twin.lambda * step[i], lower[i]), upper[i]);
      sum += w * projected[p];
      size += std::abs(w * projected[p]);
      ++i;
    }
    EXPECT_LE(std::abs(sum), 1e-12 * size) << "row " << r;
  }
  for (std::size_t p = 0; p < expected.size(); ++p)
    EXPECT_NEAR(projected[p], expected[p], 1e-10) << "point " << p;
}

TEST(SeparateRows, EqualTheirTwinOnEveryTarget) {
  const Target best = current_target();
  for (const Target target : supported_targets()) {
    force_target(target);
    Random random{Stream(5, Purpose::tests, 0)};
    for (int round = 0; round < 120; ++round) {
      const Case c(random, 1 + static_cast<Index>(random.below(21)), 1 + static_cast<Index>(random.below(30)),
                   round % 2 == 0);
      const auto solver = make_separate_rows(c.constraints);
      std::vector<double> projected(c.mean.size()), lambda(static_cast<std::size_t>(c.constraints.rows()));
      solver->prepare(1);
      solver->begin(c.field(), 0);
      solver->solve(c.mean.data(), projected.data(), lambda.data(), 0);
      expect_the_twin(c, projected, lambda);
      std::vector<double> in_place = c.mean;
      solver->solve(in_place.data(), in_place.data(), lambda.data(), 0);
      EXPECT_EQ(in_place, projected) << name(target) << ", round " << round;
    }
  }
  force_target(best);
}

// All values start on their lower bounds, where nothing tells how far to go: the kernel gives such a row up.
TEST(SeparateRows, RowsWithoutASlopeAreSolvedByThemselves) {
  LinearConstraints rows;
  rows.points = 4;
  rows.add_row("first", {{0, 0.5}, {2, 0.5}});
  rows.add_row("second", {{1, 0.5}, {3, 0.5}});
  rows.set_right_hand_sides(Array<double>({1, 2}, std::vector<double>{0.5, 0.25}));
  const std::vector<double> mean = {-1, 0.5, -3, 0.5}, diagonal(4, 1.0), lower(4, 0.0), upper(4, infinity);
  std::vector<double> projected(4), lambda(2);
  std::vector<unsigned char> solved(2);
  const std::vector<double> half(16, 0.5), zero(16, 0.0), open(16, infinity), target = {0.5, 0.25},
                                                                              noise_variance(2, 0.0);
  std::vector<double> scratch(16);
  solve_bounded_rows({2, 2, half.data(), half.data(), zero.data(), open.data(), target.data(),
                      noise_variance.data(), 2, mean.data(), scratch.data()},
                     projected.data(), lambda.data(), solved.data());
  EXPECT_EQ(solved, (std::vector<unsigned char>{0, 1}));
  const auto solver = make_separate_rows(rows);
  solver->prepare(1);
  solver->begin({0, nullptr, diagonal.data(), lower.data(), upper.data()}, 0);
  solver->solve(mean.data(), projected.data(), lambda.data(), 0);
  EXPECT_NEAR(0.5 * (projected[0] + projected[2]), 0.5, 1e-14);
  EXPECT_NEAR(0.5 * (projected[1] + projected[3]), 0.25, 1e-14);
  EXPECT_NEAR(projected[0], 1.0, 1e-14);  // from -1 past its bound, while -3 has not reached it
}

TEST(AddDeviations, SumsAndSquares) {
  const Target best = current_target();
  for (const Target target : supported_targets()) {
    force_target(target);
    for (const std::size_t count : {1UL, 7UL, 8UL, 19UL}) {
      std::vector<double> value, centre(count, 0.5), sum(count, 1.0), squares(count, 2.0);
      for (std::size_t i = 0; i < count; ++i) value.push_back(static_cast<double>(i));
      add_deviations(value.data(), centre.data(), static_cast<Index>(count), sum.data(), squares.data());
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(sum[i], 1.0 + value[i] - 0.5);
        EXPECT_EQ(squares[i], 2.0 + (value[i] - 0.5) * (value[i] - 0.5));
      }
    }
  }
  force_target(best);
}

}  // namespace
}  // namespace nouq
