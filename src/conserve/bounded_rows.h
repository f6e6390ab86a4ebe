// The two ways of solving a bounded projection of one field: row by row, and group by group.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "conserve/dual_newton.h"
#include "conserve/field_layout.h"
#include "conserve/inequalities.h"
#include "conserve/linear_constraints.h"

namespace nouq {

class BoundedSolver {
 public:
  BoundedSolver() = default;
  virtual ~BoundedSolver() = default;
  BoundedSolver(const BoundedSolver&) = delete;
  BoundedSolver& operator=(const BoundedSolver&) = delete;

  virtual void prepare(int threads) = 0;
  // The variances and bounds for the calls of solve() that follow; they are looked at, not copied.
  virtual void begin(const BoundedField& field, int thread) = 0;
  // Writes every value of `projected`, which may be `mean` itself, and every multiplier.
  virtual void solve(const double* mean, double* projected, double* multipliers, int thread) = 0;
};

std::unique_ptr<BoundedSolver> make_bounded_solver(const LinearConstraints& constraints,
                                                   const Inequalities& inequalities,
                                                   const FieldLayout& layout);

// Rows that share no point, solved side by side (kernels/bounded_rows.h).
std::unique_ptr<BoundedSolver> make_separate_rows(const LinearConstraints& constraints);

// The multiplier of one constraint under bounds: the root of a monotone, piecewise linear function.
//
//   F(lambda) = w . clip(value - lambda step, lower, upper) - target - noise_variance lambda
//
// Why: this is the inner loop of the bounded projection, so it is Newton's method, exact as soon as it stands
// on the right linear piece, kept inside a bracket so that it cannot fail. Contract: w_i step_i >= 0, so F
// falls. When F does not reach zero, `shortfall` is what remains of it where it comes nearest.
struct RowEquation {
  std::span<const double> value, step, weight, lower, upper;
  double target = 0;
  double noise_variance = 0;
};

struct RowMultiplier {
  double lambda = 0;
  double shortfall = 0;
};

RowMultiplier solve_row(const RowEquation& equation);

}  // namespace nouq
