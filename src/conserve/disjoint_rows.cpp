#include "conserve/disjoint_rows.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace nouq {
namespace {

// body(point, row) for every point that a row moves; bodies must not depend on each other.
template <class Body>
void for_each_owned(const std::vector<Run>& runs, Body&& body) {
  for (const Run& run : runs) {
    if (run.row < 0) continue;
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

// The row of every point: that which touches the point's label.
std::vector<Index> rows_of_points(const LinearConstraints& constraints, std::span<const Index> labels) {
  const Index label_count = labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()) + 1;
  std::vector<Index> row_of_label(static_cast<std::size_t>(label_count), -1);
  for (Index r = 0; r < constraints.rows(); ++r) {
    for (const RowEntry& entry : constraints.row(r)) {
      row_of_label[static_cast<std::size_t>(labels[static_cast<std::size_t>(entry.point)])] = r;
    }
  }
  std::vector<Index> rows;
  for (const Index label : labels) rows.push_back(row_of_label[static_cast<std::size_t>(label)]);
  return rows;
}

}  // namespace

std::vector<Run> runs_of(std::span<const Index> row_of_point) {
  const auto count = static_cast<Index>(row_of_point.size());
  const auto row = [&](Index p) { return row_of_point[static_cast<std::size_t>(p)]; };
  std::vector<Run> runs;
  for (Index p = 0; p < count;) {
    const bool rising = p + 1 < count && row(p) >= 0 && row(p + 1) == row(p) + 1;
    Index end = p + 1;
    while (end < count && row(end) == row(p) + (rising ? end - p : 0)) ++end;
    runs.push_back({p, row(p), end - p, !rising});
    p = end;
  }
  return runs;
}

bool DisjointRows::applies(const LinearConstraints& constraints, std::span<const Index> labels,
                           const Covariance& covariance) {
  std::vector<Index> seen(labels.size(), -1);  // the row that touches a label
  for (Index r = 0; r < constraints.rows(); ++r) {
    const auto row = constraints.row(r);
    for (const RowEntry& entry : row) {
      const Index label = labels[static_cast<std::size_t>(entry.point)];
      Index& owner = seen[static_cast<std::size_t>(label)];
      if (owner >= 0 && owner != r) return false;
      owner = r;
      const Index first = labels[static_cast<std::size_t>(row[0].point)];
      if (covariance.uses_samples() && label != first) return false;
    }
  }
  return true;
}

DisjointRows::DisjointRows(const LinearConstraints& constraints, std::span<const Index> labels,
                           const Covariance& covariance)
    : constraints_(constraints),
      covariance_(covariance),
      runs_(runs_of(rows_of_points(constraints, labels))),
      weight_(labels.size(), 0.0) {
  for (const RowEntry& entry : constraints.entries)
    weight_[static_cast<std::size_t>(entry.point)] += entry.weight;
}

void DisjointRows::prepare(int threads, Index members) {
  if (scratch_.size() < static_cast<std::size_t>(threads)) scratch_.resize(static_cast<std::size_t>(threads));
  const auto rows = static_cast<std::size_t>(constraints_.rows());
  for (Scratch& scratch : scratch_) {
    for (auto* of_rows : {&scratch.residual, &scratch.spread, &scratch.true_spread, &scratch.gain})
      of_rows->resize(rows);
    scratch.cross.resize(weight_.size());
    if (covariance_.uses_samples()) scratch.factors.resize(rows * static_cast<std::size_t>(members));
  }
}

void DisjointRows::add_weighted(const double* field, double* sums) const {
  sum_by_row(runs_, sums, [w = weight_.data(), field](Index p) { return w[p] * field[p]; });
}

void DisjointRows::add_weighted_squares(const double* variance, double* sums) const {
  sum_by_row(runs_, sums, [w = weight_.data(), variance](Index p) { return w[p] * w[p] * variance[p]; });
}

// g diag g' + R of each row, for the diagonal in use and for the true variances.
void DisjointRows::find_spread(const SampleTask& task, Scratch& scratch) const {
  const auto& slack = constraints_.slack;
  std::copy(slack.begin(), slack.end(), scratch.spread.begin());
  add_weighted_squares(task.diagonal, scratch.spread.data());
  if (task.diagonal == task.variance) return;
  std::copy(slack.begin(), slack.end(), scratch.true_spread.begin());
  add_weighted_squares(task.variance, scratch.true_spread.data());
}

// H = G D per row and member, and its part of the spread.
void DisjointRows::add_factors(const SampleTask& task, Scratch& scratch) const {
  const std::size_t rows = scratch.spread.size();
  const auto members = static_cast<std::size_t>(task.members);
  std::fill(scratch.factors.begin(), scratch.factors.end(), 0.0);
  for (std::size_t m = 0; m < members; ++m) {
    const double* sample = task.samples + static_cast<Index>(m) * task.points;
    sum_by_row(
        runs_, scratch.factors.data() + m * rows,
        [w = weight_.data(), sample, mean = task.mean](Index p) { return w[p] * (sample[p] - mean[p]); });
  }
  const double share = covariance_.diagonal_share, root = 1 / std::sqrt(static_cast<double>(members - 1));
  for (std::size_t r = 0; r < rows; ++r) {
    double centre = 0, squares = 0;
    for (std::size_t m = 0; m < members; ++m) centre += scratch.factors[m * rows + r];
    for (std::size_t m = 0; m < members; ++m) {
      double& factor = scratch.factors[m * rows + r];
      factor = (factor - centre / static_cast<double>(members)) * root;
      squares += factor * factor;
    }
    const double slack = constraints_.slack[r];
    scratch.spread[r] = slack + share * (scratch.spread[r] - slack) + (1 - share) * squares;
  }
}

// Sigma G' at every point. H is centred over the members, so the samples need not be.
void DisjointRows::find_cross(const SampleTask& task, Scratch& scratch) const {
  const double share = covariance_.diagonal_share;
  double* cross = scratch.cross.data();
  const double* w = weight_.data();
  for_each_owned(runs_,
                 [=, diagonal = task.diagonal](Index p, Index) { cross[p] = share * diagonal[p] * w[p]; });
  if (!covariance_.uses_samples()) return;
  const double root = (1 - share) / std::sqrt(static_cast<double>(task.members - 1));
  for (Index m = 0; m < task.members; ++m) {
    const double* sample = task.samples + m * task.points;
    const double* factor = scratch.factors.data() + m * constraints_.rows();
    for_each_owned(runs_, [=, mean = task.mean](Index p, Index r) {
      cross[p] += root * factor[r] * (sample[p] - mean[p]);
    });
  }
}

// gain = (g.u - b) / (g Sigma g' + R), the multiplier of each row.
void DisjointRows::find_multipliers(const SampleTask& task, const double* field, Scratch& scratch) const {
  const auto b = constraints_.right_hand_side(task.sample);
  for (std::size_t r = 0; r < b.size(); ++r) scratch.residual[r] = -b[r];
  add_weighted(field, scratch.residual.data());
  for (std::size_t r = 0; r < b.size(); ++r) {
    const double residual = scratch.residual[r], spread = scratch.spread[r];
    scratch.gain[r] = spread > 0 ? residual / spread : 0;
    if (spread > 0) continue;
    require(
        std::abs(residual) <= 1e-12 * (1 + std::abs(b[r])),
        "constraint '{}' cannot be met in sample {}: g.u - b = {}, but the variance of all values it could "
        "move is zero; give it slack",
        constraints_.names[r], task.sample, residual);
  }
}

void DisjointRows::update_mean(const double* field, const Scratch& scratch, double* out) const {
  const double *cross = scratch.cross.data(), *gain = scratch.gain.data();
  for_each_owned(runs_, [=](Index p, Index r) { out[p] = field[p] - cross[p] * gain[r]; });
  for (const Run& run : runs_) {
    if (run.row < 0 && out != field) std::copy_n(field + run.point, run.length, out + run.point);
  }
}

// v - 2 K a + K^2 S with the gain K = cross / spread, the true covariance a of point and row, and the true
// spread S: right for any gain; for the best one it is v - cross^2 / spread.
void DisjointRows::update_variance(const SampleTask& task, const Scratch& scratch) const {
  const bool best = task.diagonal == task.variance;
  const double *cross = scratch.cross.data(), *spread = scratch.spread.data(), *w = weight_.data();
  const double *variance = task.variance, *true_spread = scratch.true_spread.data();
  double* out = task.out_variance;
  if (best) {
    for_each_owned(runs_, [=](Index p, Index r) {
      const double loss = spread[r] > 0 ? cross[p] * cross[p] / spread[r] : 0;
      out[p] = std::max(0.0, variance[p] - loss);
    });
  } else {
    for_each_owned(runs_, [=](Index p, Index r) {
      const double gain = spread[r] > 0 ? cross[p] / spread[r] : 0;
      out[p] = std::max(0.0, variance[p] - gain * (2 * w[p] * variance[p] - gain * true_spread[r]));
    });
  }
  for (const Run& run : runs_) {
    if (run.row < 0 && out != variance) std::copy_n(variance + run.point, run.length, out + run.point);
  }
}

void DisjointRows::project(const SampleTask& task, int thread) {
  Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
  find_spread(task, scratch);
  if (covariance_.uses_samples()) add_factors(task, scratch);
  find_cross(task, scratch);
  update_variance(task, scratch);
  if (task.out_mean == nullptr) return;
  find_multipliers(task, task.mean, scratch);
  std::copy(scratch.gain.begin(), scratch.gain.end(), task.multipliers);
  update_mean(task.mean, scratch, task.out_mean);
  if (task.out_samples == nullptr) return;
  for (Index m = 0; m < task.members; ++m) {
    find_multipliers(task, task.samples + m * task.points, scratch);
    update_mean(task.samples + m * task.points, scratch, task.out_samples + m * task.points);
  }
}

}  // namespace nouq
