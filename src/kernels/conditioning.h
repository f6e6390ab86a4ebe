// A field's mean and variance conditioned on weighted sums of its values, each point being in one sum or
// none.
//
//   sum(r) += w . mean,  spread(r) += w^2 . variance         over the points of row r
//   mean - w variance gain(r),  max(0, variance - (w variance)^2 inverse(r))
//
// Why: this is the paper's projection, two sums and one update, and a matter of reading and writing memory
// only when done in vectors. When: conserve/disjoint_rows.cpp. Contract: the runs cover the field in memory
// order; outputs may be the inputs.
#pragma once

#include <span>

#include <nouq/array.h>

namespace nouq {

// A stretch of points whose rows are all the same or are consecutive.
struct Run {
  Index point;
  Index row;  // of the first point; -1: no row moves these points
  Index length;
  bool same_row;  // else the j-th point belongs to row + j
};

struct GaussianField {
  const double *mean, *variance, *weight;  // one each per point
};

void add_row_sums(std::span<const Run> runs, const GaussianField& field, double* sums, double* spreads);

void condition_on_rows(std::span<const Run> runs, const GaussianField& field, const double* gain,
                       const double* inverse, double* mean, double* variance);

}  // namespace nouq
