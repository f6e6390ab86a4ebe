// The multiplier of one constraint under bounds: the root of a monotone, piecewise linear function.
//
//   F(lambda) = w . clip(value - lambda step, lower, upper) - target - slack lambda
//
// Why: this is the inner loop of the bounded projection, so it is Newton's method, exact as soon as it stands
// on the right linear piece, kept inside a bracket so that it cannot fail. Contract: w_i step_i >= 0, so F
// falls. When F does not reach zero, `shortfall` is what remains of it where it comes nearest.
#pragma once

#include <span>

namespace nouq {

struct RowEquation {
  std::span<const double> value, step, weight, lower, upper;
  double target = 0;
  double slack = 0;
};

struct RowMultiplier {
  double lambda = 0;
  double shortfall = 0;
};

RowMultiplier solve_row(const RowEquation& equation);

}  // namespace nouq
