// The multipliers of many bounded rows at once, one row in each lane of a vector.
//
//   F_r(lambda) = sum over entries of w clip(value - lambda step, lower, upper) - target - noise_variance
//   lambda = 0
//
// Why: a projection under bounds solves such an equation for every row, field and sample; side by side they
// run at the speed of the vectors. When: rows that share no point (conserve/separate_rows.cpp); its plain
// twin, and the judge of rows that this one gives up, is conserve/row_multiplier.cpp. Contract: w step >= 0,
// so every F falls. What all fields of a sample share lies in blocks of eight rows, entry after entry, as the
// vectors read it: entry e of row r at [(r / 8 * entries + e) * 8 + r % 8]. Rows shorter than the others, and
// the last block, are filled up with zeros.
#pragma once

#include <nouq/array.h>

namespace nouq {

inline constexpr Index rows_per_block = 8;

struct BoundedRowsProblem {
  Index rows = 0;
  Index entries = 0;
  const double *step = nullptr, *weight = nullptr, *lower = nullptr, *upper = nullptr;  // in blocks
  const double *target = nullptr, *noise_variance = nullptr;                            // one per row
  Index field_stride = 0;         // of fields: entry e of row r at [e * field_stride + r]
  const double* value = nullptr;  // a field
  double* scratch = nullptr;      // for one block: entries * 8
};

// Writes clip(value - lambda step) to `projected`, a field apart from the others, and every lambda. solved[r]
// is 0 where Newton's method within its bracket found no root: that row is to be solved by itself.
void solve_bounded_rows(const BoundedRowsProblem& problem, double* projected, double* lambda,
                        unsigned char* solved);

}  // namespace nouq
