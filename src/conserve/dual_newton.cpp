#include "conserve/dual_newton.h"

#include <cmath>

#include "core/error.h"

namespace nouq {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double goal = 1e-13;         // of the size of a row's terms: what steps aim at
constexpr double good_enough = 1e-11;  // what is accepted where rounding allows no more

bool is_met(const VectorXd& gradient, const VectorXd& size, double tolerance) {
  return (gradient.cwiseAbs().array() <= tolerance * size.array()).all();
}

}  // namespace

void fail_within_bounds(const LinearConstraints& constraints, Index row, Index sample, double left) {
  fail(
      "constraint '{}' cannot be met within the bounds in sample {}: g.u - b = {} remains; give it a noise variance, "
      "widen the bounds, or give values that may move a variance",
      constraints.names[row], sample, left);
}

// In units of each row's own curvature. A little of it keeps the system regular where rows depend on each
// other, and all of it where everything sits on a bound.
VectorXd DualNewton::newton_step(const State& state) const {
  VectorXd scale(size_);
  for (Eigen::Index r = 0; r < size_; ++r) {
    const double own = state.curvature(r, r), curvature = own > 0 ? own : full_curvature_[r];
    scale[r] = curvature > 0 ? 1 / std::sqrt(curvature) : 0;
  }
  MatrixXd scaled = scale.asDiagonal() * state.curvature * scale.asDiagonal();
  scaled.diagonal().array() += 1e-14;
  return scale.cwiseProduct(scaled.ldlt().solve(scale.cwiseProduct(state.gradient)));
}

// Moves along the step to where the derivative is no longer clearly positive: doubling, then halving. False
// when there is no way up any more, or no end to it.
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

// Newton's method with a penalty of the given stiffness on the distance from the present state.
void DualNewton::climb(State& state, double stiffness, double tolerance) {
  constexpr int enough = 100;
  penalty_ = {state.lambda, stiffness * full_curvature_};
  evaluate(state);
  for (int step = 0; step < enough && !is_met(state.gradient, state.size, tolerance); ++step) {
    State next = state;
    if (!search(next, newton_step(state))) break;
    state = std::move(next);
  }
}

// Large multipliers of opposite sign leave rounding in the values; steps of the values do not.
void DualNewton::refine(State& state) {
  for (int pass = 0; pass < 6 && !is_met(state.gradient, state.size, goal); ++pass) {
    move_values(newton_step(state));
    find_residuals(state);
  }
}

DualNewton::State DualNewton::start() {
  State state;
  state.lambda = VectorXd::Zero(size_);
  penalty_ = {state.lambda, state.lambda};
  evaluate(state);
  return state;
}

// True when the rows are met.
bool DualNewton::maximise(State& state) {
  constexpr int loosenings = 13;  // to 1e-14 of the full curvature
  double stiffness = 1e-2;
  for (int stage = 0; stage < loosenings; ++stage, stiffness *= 0.1) {
    climb(state, stiffness, 1e-6);
    const VectorXd unpenalised =
        state.gradient + penalty_.stiffness.cwiseProduct(state.lambda - penalty_.anchor);
    if (is_met(unpenalised, state.size, 1e-7)) break;
  }
  climb(state, 0, goal);
  evaluate(state);
  refine(state);
  return is_met(state.gradient, state.size, good_enough);
}

void DualNewton::fail_unmet() {
  State state = start();
  for (int again = 0; again < 50; ++again) climb(state, 1e-2, goal);
  penalty_.stiffness.setZero();
  find_residuals(state);
  Eigen::Index worst = 0;
  const VectorXd violations = state.gradient.cwiseAbs().cwiseQuotient(state.size.cwiseMax(1e-300));
  const double violation = violations.maxCoeff(&worst);
  const Index row = group_.rows[worst];
  require(
      violation > 1e-9,
      "constraint '{}' was not met to rounding in sample {}: the variances of the values it could move are "
      "too different; give it a noise variance",
      constraints_.names[row], field_.sample);
  fail_within_bounds(constraints_, row, field_.sample, state.gradient[worst]);
}

void DualNewton::solve(double* projected, double* multipliers) {
  State state = start();
  if (!is_met(state.gradient, state.size, goal) && !maximise(state)) {
    raise_variances(1e-9);
    state = start();
    if (!maximise(state)) fail_unmet();
  }
  for (std::size_t i = 0; i < value_.size(); ++i) projected[group_.points[i].point] = value_[i];
  for (Eigen::Index r = 0; r < size_; ++r) multipliers[group_.rows[r]] = state.lambda[r];
}

}  // namespace nouq
