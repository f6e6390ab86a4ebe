// The two ways of solving a bounded projection of one field: row by row, and group by group.
#pragma once

#include <memory>
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

}  // namespace nouq
