// The closed form for constraints that do not interact: per-time integrals, known points, boundary values.
//
// Why: with one row per group S = G Sigma G' + R is a number per row, so a projection is two sums over the
// field and one update. The field is walked in memory order, as runs: stretches of points whose rows are all
// the same or are consecutive; both vectorise.
#pragma once

#include <span>
#include <vector>

#include "conserve/covariance.h"
#include "conserve/linear_constraints.h"
#include "conserve/sample_projector.h"
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

class DisjointRows final : public SampleProjector {
 public:
  // Whether each label (coupling.h) is touched by one row, and, when samples carry the covariance, each row
  // touches one label.
  static bool applies(const LinearConstraints& constraints, std::span<const Index> labels,
                      const Covariance& covariance);
  DisjointRows(const LinearConstraints& constraints, std::span<const Index> labels,
               const Covariance& covariance);

  void prepare(int threads, Index members) override;
  void project(const SampleTask& task, int thread) override;

 private:
  struct Scratch {
    std::vector<double> spread, inverse, true_spread, gain;  // per row
    std::vector<double> cross;                               // per point: Sigma G'
    std::vector<double> factors;                             // [members, rows]: H
  };

  void add_weighted(const double* field, double* sums) const;
  void add_weighted_squares(const double* variance, double* sums) const;
  void find_spread(const SampleTask& task, Scratch& scratch) const;
  void add_factors(const SampleTask& task, Scratch& scratch) const;
  void find_cross(const SampleTask& task, Scratch& scratch) const;
  void find_multipliers(const SampleTask& task, const double* field, Scratch& scratch) const;
  // From g.u - b in `gain` to the multipliers.
  void finish_multipliers(const SampleTask& task, const double* field, Scratch& scratch) const;
  static void invert_spread(Scratch& scratch);
  void update_mean(const double* field, const Scratch& scratch, double* out) const;
  void update_variance(const SampleTask& task, const Scratch& scratch) const;
  void copy_unowned(const double* from, double* to) const;
  void project_plain(const SampleTask& task, Scratch& scratch) const;
  void project_general(const SampleTask& task, Scratch& scratch) const;

  const LinearConstraints& constraints_;
  Covariance covariance_;
  std::vector<Run> runs_;
  std::vector<double> weight_;  // per point
  std::vector<Scratch> scratch_;
};

}  // namespace nouq
