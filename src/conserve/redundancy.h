// Finds constraints that say what others already say, and those that contradict them.
//
// Why: stacked constraints overlap (the blocks' balances add up to the whole one); a system with a row twice
// is singular, one with a row twice and two right-hand sides has no solution. Contract: exact rows (no noise
// variance) are looked at first, in their order, then the others; a row is dependent when what the kept rows
// leave of it is below 1e-10 of its length. Right-hand sides may then disagree by 1e-6 of their size
// (rounding to single precision), by 1e-12 of their largest size in any sample (rounding where they should be
// zero), plus six standard deviations of the noise variances; more is an Error that names the rows.
#pragma once

#include <vector>

#include "conserve/linear_constraints.h"

namespace nouq {

struct DependentRow {
  Index row = 0;
  std::vector<RowEntry> combination;  // row = sum of weight * row `point`
};

// All dependent rows.
std::vector<DependentRow> find_dependent_rows(const LinearConstraints& constraints);

// Throws when the right-hand sides of dependent rows contradict each other.
void check_consistent(const LinearConstraints& constraints, const std::vector<DependentRow>& dependent);

// The system without the exact rows that others imply, after check_consistent. Dependent rows with noise
// variance stay: a second measurement of the same quantity adds information.
LinearConstraints without_redundant_rows(const LinearConstraints& constraints);

}  // namespace nouq
