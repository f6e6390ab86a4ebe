// Newton's method on the dual of the bounded projection, for one group of coupled rows.
//
// The dual is concave and piecewise quadratic in the multipliers; its gradient is F = G u(lambda) - b - R
// lambda, where u(lambda) is the field nearest to mu - Sigma G' lambda that obeys the inequalities: clipped
// to the bounds and, along a monotone axis, averaged over the blocks of an isotonic regression. Its curvature
// is that of the values (or blocks) not on a bound. Steps are searched along the line by the sign of the
// derivative, which for a concave function cannot go wrong.
//
// Where variances span many orders the curvature does too. So the dual is first maximised with
// a quadratic penalty on the distance from where the last maximisation ended, which is then reduced step by
// step (the proximal point method); and what rounding in large multipliers leaves of F is taken from the
// values themselves. If that fails, variances below 1e-9 of the largest are raised to it. Rows that cannot be
// met are named with the violation to which short maximisations converge, the smallest there is. Contract: as
// bounded_projection.h.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "conserve/coupling.h"
#include "conserve/inequalities.h"

namespace nouq {

// Isotonic regression: the nearest rising sequence, in a weighted square norm. Pool adjacent violators, O(n):
// minimises sum of w_i (u_i - z_i)^2 over u_0 <= u_1 <= ... The solution is constant on blocks, each the
// weighted mean of its z; the blocks are what Newton's method needs.
struct IsotonicBlock {
  std::size_t begin = 0, end = 0;
  double value = 0;
  double weight = 0;
};

// Blocks of the nearest sequence that does not fall, in order. Weights must be positive.
void isotonic_regression(std::span<const double> values, std::span<const double> weights,
                         std::vector<IsotonicBlock>& blocks);

// One field to be projected; all of the length of a field.
struct BoundedField {
  Index sample = 0;
  const double* mean = nullptr;
  const double* diagonal = nullptr;  // s^2 Sigma
  const double* lower = nullptr;
  const double* upper = nullptr;
};

// mean within the bounds
inline void clip(const BoundedField& field, Index points, double* projected) {
#pragma omp simd
  for (Index p = 0; p < points; ++p)
    projected[p] = std::min(std::max(field.mean[p], field.lower[p]), field.upper[p]);
}

// An exact row that stays unmet.
[[noreturn]] void fail_within_bounds(const LinearConstraints& constraints, Index row, Index sample,
                                     double left);

class DualNewton {
 public:
  // With a direction, the group's blocks are lines along the monotone axis.
  DualNewton(const LinearConstraints& constraints, const CoupledGroup& group,
             std::optional<Direction> direction, const BoundedField& field);

  // Writes the group's values of the projected field and its rows' multipliers.
  void solve(double* projected, double* multipliers);

 private:
  struct State {
    Eigen::VectorXd lambda, gradient, size;  // size: of the terms of each row
    Eigen::MatrixXd curvature;
  };
  // Penalty 1/2 sum stiffness (lambda - anchor)^2.
  struct Penalty {
    Eigen::VectorXd anchor, stiffness;
  };
  // The i-th points of the group that are fitted together: one, or a line.
  struct Piece {
    std::vector<std::size_t> points;
  };

  // u(lambda) and its derivatives (dual_field.cpp)
  void evaluate(State& state);
  void find_residuals(State& state) const;
  void clip_piece(const Piece& piece, State& state);
  void fit_line(const Piece& piece, State& state);
  void add_curvature(std::span<const std::size_t> points, double variance, State& state);
  void move_values(const Eigen::VectorXd& step);
  void find_full_curvature();
  void raise_variances(double share);
  [[nodiscard]] double free_value(std::size_t i, const State& state) const;
  [[nodiscard]] std::span<const RowEntry> entries(std::size_t i) const;

  // The way to the maximum (dual_newton.cpp)
  [[nodiscard]] State start();
  [[nodiscard]] bool maximise(State& state);
  void climb(State& state, double stiffness, double tolerance);
  void refine(State& state);
  [[nodiscard]] Eigen::VectorXd newton_step(const State& state) const;
  bool search(State& state, const Eigen::VectorXd& step);
  [[noreturn]] void fail_unmet();

  const LinearConstraints& constraints_;
  const CoupledGroup& group_;
  std::optional<Direction> direction_;
  BoundedField field_;
  Eigen::Index size_;
  std::vector<Piece> pieces_;
  std::vector<double> diagonal_, value_;  // per point of the group
  std::vector<double> freedom_;           // how far a unit pull moves the point; 0 on a bound
  std::vector<std::size_t> block_;        // the first of the points that move with this one
  std::vector<double> line_, weight_;     // one line
  std::vector<IsotonicBlock> blocks_;
  Eigen::VectorXd sum_, right_hand_side_, noise_, full_curvature_;
  Penalty penalty_;
};

}  // namespace nouq
