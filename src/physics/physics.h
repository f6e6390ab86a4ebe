// What is known of a data set's fields besides the data: the conservation law as constraints, and bounds.
//
// The law comes from the data's own "mass" values ([n, times]): the integral over all axes but t, by the
// trapezoid rule (on periodic axes once around), is that at every time. Bounds come from the built-in problem
// that made the data, with the options it was made with, when one did. Contract: a data set without a law
// gives no rows, without bounds no inequalities.
#pragma once

#include "conserve/inequalities.h"
#include "conserve/linear_constraints.h"
#include "data/data_set.h"

namespace nouq {

struct Physics {
  LinearConstraints constraints;
  Inequalities bounds;

  [[nodiscard]] bool has_law() const { return constraints.rows() > 0; }
  [[nodiscard]] bool has_bounds() const { return !bounds.lower.empty() || !bounds.upper.empty(); }
};

Physics physics_of(const DataSet& data);

// How well the training fields themselves meet the law: the slack below which it should not be enforced. One
// variance per row; empty when there is no law.
Array<double> law_slack(const DataSet& training);

}  // namespace nouq
