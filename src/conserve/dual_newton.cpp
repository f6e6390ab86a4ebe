#include "conserve/dual_newton.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace nouq {

using Eigen::MatrixXd;
using Eigen::VectorXd;

DualNewton::DualNewton(const LinearConstraints& constraints, const CoupledGroup& group,
                       std::optional<Direction> direction, const BoundedField& field)
    : constraints_(constraints),
      group_(group),
      direction_(direction),
      field_(field),
      size_(static_cast<Eigen::Index>(group.rows.size())),
      pieces_(direction ? static_cast<std::size_t>(group.blocks) : group.points.size()),
      value_(group.points.size()),
      sum_(size_),
      right_hand_side_(size_),
      slack_(size_),
      full_curvature_(VectorXd::Zero(size_)) {
  for (std::size_t i = 0; i < group.points.size(); ++i) {
    pieces_[direction ? static_cast<std::size_t>(group.points[i].block) : i].points.push_back(i);
    diagonal_.push_back(field.diagonal[group.points[i].point]);
  }
  for (const Piece& line : pieces_) {
    // A value without variance in a line would have infinite weight; one part in 10^12 is as good.
    double largest = 0;
    for (const std::size_t i : line.points) largest = std::max(largest, diagonal_[i]);
    for (const std::size_t i : line.points) diagonal_[i] = std::max(diagonal_[i], 1e-12 * largest);
  }
  for (Eigen::Index r = 0; r < size_; ++r) {
    const auto row = static_cast<std::size_t>(group.rows[static_cast<std::size_t>(r)]);
    right_hand_side_[r] = constraints.right_hand_side(field.sample)[row];
    slack_[r] = constraints.slack[row];
  }
  for (std::size_t i = 0; i < group.points.size(); ++i) {
    for (const RowEntry& entry : entries(i))
      full_curvature_[entry.point] += diagonal_[i] * entry.weight * entry.weight;
  }
  full_curvature_ += slack_;
}

std::span<const RowEntry> DualNewton::entries(std::size_t i) const {
  const auto& point = group_.points[i];
  return std::span(group_.entries).subspan(point.begin, point.end - point.begin);
}

// mu - Sigma G' lambda at one point.
double DualNewton::free_value(std::size_t i, const State& state) const {
  double pull = 0;
  for (const RowEntry& entry : entries(i)) pull += entry.weight * state.lambda[entry.point];
  return field_.mean[group_.points[i].point] - diagonal_[i] * pull;
}

// Points that move as one contribute (sum of their weights)^2 times the variance of their common value.
void DualNewton::add_curvature(std::span<const std::size_t> points, double variance, State& state) {
  if (points.size() == 1) {
    for (const RowEntry& a : entries(points[0])) {
      for (const RowEntry& b : entries(points[0]))
        state.curvature(a.point, b.point) += variance * a.weight * b.weight;
    }
    return;
  }
  sum_.setZero();
  for (const std::size_t i : points) {
    for (const RowEntry& entry : entries(i)) sum_[entry.point] += entry.weight;
  }
  state.curvature.noalias() += variance * sum_ * sum_.transpose();
}

void DualNewton::clip_piece(const Piece& piece, State& state) {
  const std::size_t i = piece.points[0];
  const Index point = group_.points[i].point;
  const double free = free_value(i, state);
  value_[i] = std::min(std::max(free, field_.lower[point]), field_.upper[point]);
  if (value_[i] == free) add_curvature(piece.points, diagonal_[i], state);
}

// With bounds that are constant along the line, the nearest bounded monotone line is the nearest monotone
// line, clipped.
void DualNewton::fit_line(const Piece& piece, State& state) {
  const double sign = direction_ == Direction::increasing ? 1 : -1;
  line_.clear();
  weight_.clear();
  for (const std::size_t i : piece.points) {
    line_.push_back(sign * free_value(i, state));
    weight_.push_back(diagonal_[i] > 0 ? 1 / diagonal_[i] : 1.0);
  }
  isotonic_regression(line_, weight_, blocks_);
  const Index first = group_.points[piece.points[0]].point;
  for (const IsotonicBlock& block : blocks_) {
    const double free = sign * block.value;
    const double value = std::min(std::max(free, field_.lower[first]), field_.upper[first]);
    const auto points = std::span(piece.points).subspan(block.begin, block.end - block.begin);
    for (const std::size_t i : points) value_[i] = value;
    if (value == free && diagonal_[points[0]] > 0) add_curvature(points, 1 / block.weight, state);
  }
}

// u(lambda), the gradient F, and the curvature.
void DualNewton::evaluate(State& state) {
  state.curvature = slack_.asDiagonal();
  for (const Piece& piece : pieces_) direction_ ? fit_line(piece, state) : clip_piece(piece, state);
  state.gradient = -right_hand_side_ - slack_.cwiseProduct(state.lambda);
  state.size = right_hand_side_.cwiseAbs();
  for (std::size_t i = 0; i < value_.size(); ++i) {
    for (const RowEntry& entry : entries(i)) {
      state.gradient[entry.point] += entry.weight * value_[i];
      state.size[entry.point] += std::abs(entry.weight * value_[i]);
    }
  }
}

bool DualNewton::converged(const State& state, double tolerance) const {
  return (state.gradient.cwiseAbs().array() <= tolerance * state.size.array()).all();
}

// A little of the full curvature keeps the system regular where everything sits on a bound.
VectorXd DualNewton::newton_step(const State& state) const {
  const VectorXd scale = full_curvature_.unaryExpr([](double c) { return c > 0 ? 1 / std::sqrt(c) : 0.0; });
  MatrixXd scaled = scale.asDiagonal() * state.curvature * scale.asDiagonal();
  scaled.diagonal().array() += 1e-13;
  const VectorXd right = scale.cwiseProduct(state.gradient);
  return scale.cwiseProduct(scaled.ldlt().solve(right));
}

// Moves along the step to where the derivative is no longer clearly positive: doubling, then halving. False
// when the dual rises without end, i.e. the constraints cannot be met.
bool DualNewton::search(State& state, const VectorXd& step) {
  const double start = state.gradient.dot(step);
  if (!(start > 0)) return false;
  const VectorXd origin = state.lambda;
  const auto slope_at = [&](double length) {
    state.lambda = origin + length * step;
    evaluate(state);
    return state.gradient.dot(step);
  };
  double length = 1, slope = slope_at(length);
  for (int doublings = 0; slope > 0.5 * start; ++doublings) {
    if (doublings == 60) return false;
    slope = slope_at(length *= 2);
  }
  double low = 0;
  for (int halvings = 0; slope < -1e-3 * start && halvings < 200; ++halvings) {
    const double middle = 0.5 * (low + length);
    slope = slope_at(middle);
    (slope > 0.5 * start ? low : length) = middle;
    if (slope > 0.5 * start) slope = -start;  // too short: go on between middle and length
  }
  return true;
}

void DualNewton::fail_infeasible(const State& state) const {
  Eigen::Index worst = 0;
  state.gradient.cwiseAbs().cwiseQuotient(state.size.cwiseMax(1e-300)).maxCoeff(&worst);
  const auto row = static_cast<std::size_t>(group_.rows[static_cast<std::size_t>(worst)]);
  fail(
      "constraint '{}' cannot be met within the bounds in sample {}: g.u - b = {} remains; give it slack or "
      "widen the bounds",
      constraints_.names[row], field_.sample, state.gradient[worst]);
}

void DualNewton::solve(double* projected, double* multipliers) {
  State state;
  state.lambda = VectorXd::Zero(size_);
  evaluate(state);
  constexpr double goal = 1e-13, good_enough = 1e-11;
  for (int step = 0; step < 200 && !converged(state, goal); ++step) {
    State next = state;
    const bool progress = search(next, newton_step(state));
    if (!progress && converged(state, good_enough)) break;
    if (!progress) fail_infeasible(next);
    state = std::move(next);
  }
  evaluate(state);
  if (!converged(state, good_enough)) fail_infeasible(state);
  for (std::size_t i = 0; i < value_.size(); ++i) projected[group_.points[i].point] = value_[i];
  for (Eigen::Index r = 0; r < size_; ++r)
    multipliers[group_.rows[static_cast<std::size_t>(r)]] = state.lambda[r];
}

}  // namespace nouq
