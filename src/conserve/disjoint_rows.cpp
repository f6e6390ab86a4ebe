#include "conserve/disjoint_rows.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace nouq {
namespace {

// The row of every point: that which touches the point's label.
std::vector<Index> rows_of_points(const LinearConstraints& constraints, std::span<const Index> labels) {
  const Index label_count = labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()) + 1;
  std::vector<Index> row_of_label(label_count, -1);
  for (Index r = 0; r < constraints.rows(); ++r) {
    for (const RowEntry& entry : constraints.row(r)) {
      row_of_label[labels[entry.point]] = r;
    }
  }
  std::vector<Index> rows;
  for (const Index label : labels) rows.push_back(row_of_label[label]);
  return rows;
}

}  // namespace

bool DisjointRows::applies(const LinearConstraints& constraints, std::span<const Index> labels,
                           const Covariance& covariance) {
  std::vector<Index> seen(labels.size(), -1);  // the row that touches a label
  for (Index r = 0; r < constraints.rows(); ++r) {
    const auto row = constraints.row(r);
    for (const RowEntry& entry : row) {
      const Index label = labels[entry.point];
      Index& owner = seen[label];
      if (owner >= 0 && owner != r) return false;
      owner = r;
      const Index first = labels[row[0].point];
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
  for (const RowEntry& entry : constraints.entries) weight_[entry.point] += entry.weight;
}

void DisjointRows::prepare(int threads, Index members) {
  if (scratch_.size() < static_cast<std::size_t>(threads)) scratch_.resize(threads);
  const std::size_t rows = constraints_.rows();
  for (Scratch& scratch : scratch_) {
    for (auto* of_rows : {&scratch.spread, &scratch.inverse, &scratch.true_spread, &scratch.gain})
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
  const auto& noise_variance = constraints_.noise_variance;
  std::copy(noise_variance.begin(), noise_variance.end(), scratch.spread.begin());
  add_weighted_squares(task.diagonal, scratch.spread.data());
  if (task.diagonal == task.variance) return;
  std::copy(noise_variance.begin(), noise_variance.end(), scratch.true_spread.begin());
  add_weighted_squares(task.variance, scratch.true_spread.data());
}

void DisjointRows::invert_spread(Scratch& scratch) {
  for (std::size_t r = 0; r < scratch.spread.size(); ++r)
    scratch.inverse[r] = scratch.spread[r] > 0 ? 1 / scratch.spread[r] : 0;
}

// H = G D per row and member, and its part of the spread.
void DisjointRows::add_factors(const SampleTask& task, Scratch& scratch) const {
  const std::size_t rows = scratch.spread.size();
  const std::size_t members = task.members;
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
    const double noise_variance = constraints_.noise_variance[r];
    scratch.spread[r] = noise_variance + share * (scratch.spread[r] - noise_variance) + (1 - share) * squares;
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
  for (std::size_t r = 0; r < b.size(); ++r) scratch.gain[r] = -b[r];
  add_weighted(field, scratch.gain.data());
  finish_multipliers(task, field, scratch);
}

void DisjointRows::finish_multipliers(const SampleTask& task, const double* field, Scratch& scratch) const {
  const auto b = constraints_.right_hand_side(task.sample);
  for (std::size_t r = 0; r < b.size(); ++r) {
    require(
        scratch.spread[r] > 0 ||
            std::abs(scratch.gain[r]) <=
                1e-12 * size_of_terms(constraints_, static_cast<Index>(r), task.sample, field),
        "constraint '{}' cannot be met in sample {}: g.u - b = {}, but the variance of all values it could "
        "move is zero; give it a noise variance",
        constraints_.names[r], task.sample, scratch.gain[r]);
    scratch.gain[r] *= scratch.inverse[r];
  }
}

void DisjointRows::copy_unowned(const double* from, double* to) const {
  if (from == to) return;
  for (const Run& run : runs_) {
    if (run.row < 0) std::copy_n(from + run.point, run.length, to + run.point);
  }
}

void DisjointRows::update_mean(const double* field, const Scratch& scratch, double* out) const {
  const double *cross = scratch.cross.data(), *gain = scratch.gain.data();
  for_each_owned(runs_, [=](Index p, Index r) { out[p] = field[p] - cross[p] * gain[r]; });
  copy_unowned(field, out);
}

// v - 2 K a + K^2 S with the gain K = cross / spread, the true covariance a of point and row, and the true
// spread S: right for any gain; for the best one it is v - cross^2 / spread.
void DisjointRows::update_variance(const SampleTask& task, const Scratch& scratch) const {
  const double *cross = scratch.cross.data(), *inverse = scratch.inverse.data(), *w = weight_.data();
  const double *variance = task.variance, *true_spread = scratch.true_spread.data();
  double* out = task.out_variance;
  if (task.diagonal == task.variance) {
    for_each_owned(runs_, [=](Index p, Index r) {
      out[p] = std::max(0.0, variance[p] - cross[p] * cross[p] * inverse[r]);
    });
  } else {
    for_each_owned(runs_, [=](Index p, Index r) {
      const double gain = cross[p] * inverse[r];
      out[p] = std::max(0.0, variance[p] - gain * (2 * w[p] * variance[p] - gain * true_spread[r]));
    });
  }
  copy_unowned(variance, out);
}

// The paper's case: diagonal covariance, mean and variance only. One pass for the sums, one for the update.
void DisjointRows::project_plain(const SampleTask& task, Scratch& scratch) const {
  const auto b = constraints_.right_hand_side(task.sample);
  const GaussianField field{task.mean, task.variance, weight_.data()};
  std::copy(constraints_.noise_variance.begin(), constraints_.noise_variance.end(), scratch.spread.begin());
  for (std::size_t r = 0; r < b.size(); ++r) scratch.gain[r] = -b[r];
  add_row_sums(runs_, field, scratch.gain.data(), scratch.spread.data());
  invert_spread(scratch);
  finish_multipliers(task, task.mean, scratch);
  condition_on_rows(runs_, field, scratch.gain.data(), scratch.inverse.data(), task.out_mean,
                    task.out_variance);
  std::copy(scratch.gain.begin(), scratch.gain.end(), task.multipliers);
}

void DisjointRows::project_general(const SampleTask& task, Scratch& scratch) const {
  find_spread(task, scratch);
  if (covariance_.uses_samples()) add_factors(task, scratch);
  find_cross(task, scratch);
  invert_spread(scratch);
  update_variance(task, scratch);
  if (task.out_mean == nullptr) return;
  find_multipliers(task, task.mean, scratch);
  std::copy(scratch.gain.begin(), scratch.gain.end(), task.multipliers);
  update_mean(task.mean, scratch, task.out_mean);
  for (Index m = 0; task.out_samples != nullptr && m < task.members; ++m) {
    find_multipliers(task, task.samples + m * task.points, scratch);
    update_mean(task.samples + m * task.points, scratch, task.out_samples + m * task.points);
  }
}

void DisjointRows::project(const SampleTask& task, int thread) {
  const bool plain = !covariance_.uses_samples() && task.diagonal == task.variance &&
                     task.out_mean != nullptr && task.out_samples == nullptr;
  Scratch& scratch = scratch_[thread];
  plain ? project_plain(task, scratch) : project_general(task, scratch);
}

std::vector<Run> runs_of(std::span<const Index> row_of_point) {
  const auto count = std::ssize(row_of_point);
  const auto row = [&](Index p) { return row_of_point[p]; };
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

}  // namespace nouq
