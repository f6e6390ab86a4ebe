// The field that belongs to given multipliers, and the derivatives of the dual there.
#include <algorithm>
#include <cmath>

#include "conserve/dual_newton.h"
#include "core/error.h"

namespace nouq {

void isotonic_regression(std::span<const double> values, std::span<const double> weights,
                         std::vector<IsotonicBlock>& blocks) {
  blocks.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    IsotonicBlock block{i, i + 1, values[i], weights[i]};
    while (!blocks.empty() && blocks.back().value >= block.value) {
      const IsotonicBlock& last = blocks.back();
      const double weight = last.weight + block.weight;
      // From the heavier value: its lighter partner may be larger by many orders.
      const bool heavier = block.weight > last.weight;
      const double from = heavier ? block.value : last.value, to = heavier ? last.value : block.value;
      const double share = (heavier ? last.weight : block.weight) / weight;
      block = {last.begin, block.end, from + (to - from) * share, weight};
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
}

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
      freedom_(group.points.size()),
      block_(group.points.size()),
      sum_(size_),
      right_hand_side_(size_),
      noise_(size_) {
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
    const std::size_t row = group.rows[r];
    right_hand_side_[r] = constraints.right_hand_side(field.sample)[row];
    noise_[r] = constraints.noise_variance[row];
  }
  find_full_curvature();
}

// With nothing on a bound: g Sigma g' + R of each row.
void DualNewton::find_full_curvature() {
  full_curvature_ = noise_;
  for (std::size_t i = 0; i < group_.points.size(); ++i) {
    for (const RowEntry& entry : entries(i))
      full_curvature_[entry.point] += diagonal_[i] * entry.weight * entry.weight;
  }
}

void DualNewton::raise_variances(double share) {
  const double least = share * *std::max_element(diagonal_.begin(), diagonal_.end());
  for (double& variance : diagonal_) {
    if (variance > 0) variance = std::max(variance, least);
  }
  find_full_curvature();
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
  block_[i] = i;
  freedom_[i] = value_[i] == free ? diagonal_[i] : 0;
  if (freedom_[i] > 0) add_curvature(piece.points, diagonal_[i], state);
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
    const double freedom = value == free && diagonal_[points[0]] > 0 ? 1 / block.weight : 0;
    for (const std::size_t i : points) {
      value_[i] = value;
      block_[i] = points[0];
      freedom_[i] = freedom;
    }
    if (freedom > 0) add_curvature(points, freedom, state);
  }
}

// u(lambda), the gradient F, and the curvature.
void DualNewton::evaluate(State& state) {
  state.curvature = VectorXd(noise_ + penalty_.stiffness).asDiagonal();
  for (const Piece& piece : pieces_) direction_ ? fit_line(piece, state) : clip_piece(piece, state);
  find_residuals(state);
}

void DualNewton::find_residuals(State& state) const {
  state.gradient = -right_hand_side_ - noise_.cwiseProduct(state.lambda) -
                   penalty_.stiffness.cwiseProduct(state.lambda - penalty_.anchor);
  state.size = right_hand_side_.cwiseAbs();
  for (std::size_t i = 0; i < value_.size(); ++i) {
    for (const RowEntry& entry : entries(i)) {
      state.gradient[entry.point] += entry.weight * value_[i];
      state.size[entry.point] += std::abs(entry.weight * value_[i]);
    }
  }
}

// What a change of the multipliers does to the values that are free, without the multipliers themselves.
void DualNewton::move_values(const VectorXd& step) {
  std::vector<double> pull(value_.size(), 0.0);
  for (std::size_t i = 0; i < value_.size(); ++i) {
    for (const RowEntry& entry : entries(i)) pull[block_[i]] += entry.weight * step[entry.point];
  }
  for (std::size_t i = 0; i < value_.size(); ++i) {
    const Index point = group_.points[i].point;
    const double moved = value_[i] - freedom_[i] * pull[block_[i]];
    value_[i] = std::min(std::max(moved, field_.lower[point]), field_.upper[point]);
  }
}

}  // namespace nouq
