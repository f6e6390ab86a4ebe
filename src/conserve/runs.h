// A field walked in memory order, as stretches of points whose constraint rows are all the same or are
// consecutive: both vectorise.
#pragma once

#include <span>
#include <vector>

#include "kernels/conditioning.h"

namespace nouq {

// The runs of a field in which each point belongs to at most one row.
std::vector<Run> runs_of(std::span<const Index> row_of_point);

// body(point, row) for every point that a row moves; bodies must not depend on each other.
template <class Body>
void for_each_owned(const std::vector<Run>& runs, Body&& body) {
  for (const Run& run : runs) {
    if (run.row < 0) continue;
    // NOLINTNEXTLINE(bugprone-branch-clone): the two differ in the row
    if (run.same_row) {
#pragma omp simd
      for (Index j = 0; j < run.length; ++j) body(run.point + j, run.row);
    } else {
#pragma omp simd
      for (Index j = 0; j < run.length; ++j) body(run.point + j, run.row + j);
    }
  }
}

// sums[row] += term(point) for every point that a row moves.
template <class Term>
void sum_by_row(const std::vector<Run>& runs, double* sums, Term&& term) {
  for (const Run& run : runs) {
    if (run.row < 0) continue;
    if (run.same_row) {
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (Index j = 0; j < run.length; ++j) sum += term(run.point + j);
      sums[run.row] += sum;
    } else {
#pragma omp simd
      for (Index j = 0; j < run.length; ++j) sums[run.row + j] += term(run.point + j);
    }
  }
}

}  // namespace nouq
