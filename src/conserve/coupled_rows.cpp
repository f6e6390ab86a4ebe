#include "conserve/coupled_rows.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include "core/error.h"

namespace nouq {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// S = G Sigma G' + R, ready to be applied: inverse = root' root.
struct InvertedSystem {
  MatrixXd system, inverse, root;
  bool singular = false;
  explicit InvertedSystem(MatrixXd matrix);
  // S^-1 times each column, with one step of refinement.
  [[nodiscard]] MatrixXd solve(const MatrixXd& columns) const;
};

InvertedSystem::InvertedSystem(MatrixXd matrix) : system(std::move(matrix)) {
  // A unit diagonal makes the result independent of how the rows are scaled.
  const VectorXd scale =
      system.diagonal().unaryExpr([](double entry) { return entry > 0 ? 1 / std::sqrt(entry) : 1.0; });
  const MatrixXd scaled = scale.asDiagonal() * system * scale.asDiagonal();
  const Eigen::LLT<MatrixXd> factor(scaled);
  constexpr double least_pivot = 1e-5;  // its square, 1e-10, is where rounding begins to matter
  if (factor.info() == Eigen::Success && factor.matrixLLT().diagonal().minCoeff() > least_pivot) {
    root = factor.matrixL().solve(MatrixXd(scale.asDiagonal()));
  } else {
    singular = true;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scaled);
    const double cut = 1e-13 * static_cast<double>(scaled.rows()) * eigen.eigenvalues().maxCoeff();
    const VectorXd powers = eigen.eigenvalues().unaryExpr(
        [cut](double value) { return value > cut ? 1 / std::sqrt(value) : 0.0; });
    root = powers.asDiagonal() * eigen.eigenvectors().transpose() * scale.asDiagonal();
  }
  inverse = root.transpose() * root;
}

MatrixXd InvertedSystem::solve(const MatrixXd& columns) const {
  const MatrixXd first = inverse * columns;
  return first + inverse * (columns - system * first);
}

// Everything one sample and one group share.
class GroupProjection {
 public:
  GroupProjection(const LinearConstraints& constraints, const CoupledGroup& group,
                  const Covariance& covariance, const SampleTask& task)
      : constraints_(constraints),
        group_(group),
        share_(covariance.diagonal_share),
        members_(covariance.uses_samples() ? task.members : 0),
        task_(task),
        size_(static_cast<Eigen::Index>(group.rows.size())) {}

  void run() {
    find_factors();
    const InvertedSystem inverted(spread(task_.diagonal));
    if (!best_gain()) true_spread_ = spread(task_.variance);
    MatrixXd multipliers(size_, 0);
    if (task_.out_mean != nullptr) {
      const MatrixXd residuals = find_residuals();
      multipliers = inverted.solve(residuals);
      if (inverted.singular) check_met(residuals - inverted.system * multipliers);
      for (Eigen::Index r = 0; r < size_; ++r) task_.multipliers[group_.rows[r]] = multipliers(r, 0);
    }
    update(inverted, multipliers);
  }

 private:
  [[nodiscard]] std::span<const RowEntry> entries(std::size_t i) const {
    const CoupledGroup::Point& point = group_.points[i];
    return std::span(group_.entries).subspan(point.begin, point.end - point.begin);
  }
  [[nodiscard]] bool best_gain() const { return task_.diagonal == task_.variance; }
  [[nodiscard]] double sample(Index m, Index point) const { return task_.samples[m * task_.points + point]; }
  [[nodiscard]] double noise_variance(Eigen::Index r) const {
    return constraints_.noise_variance[group_.rows[r]];
  }

  // share G diag(values) G' + (1 - share) H H' + R
  [[nodiscard]] MatrixXd spread(const double* values) const {
    MatrixXd system = MatrixXd::Zero(size_, size_);
    for (std::size_t i = 0; i < group_.points.size(); ++i) {
      const double value = share_ * values[group_.points[i].point];
      for (const RowEntry& a : entries(i)) {
        for (const RowEntry& b : entries(i)) system(a.point, b.point) += value * a.weight * b.weight;
      }
    }
    for (const MatrixXd& factor : factors_) system.noalias() += (1 - share_) * factor * factor.transpose();
    for (Eigen::Index r = 0; r < size_; ++r) system(r, r) += noise_variance(r);
    return system;
  }

  // H = G D of each block, [rows, members].
  void find_factors() {
    if (members_ == 0) return;
    factors_.assign(group_.blocks, MatrixXd::Zero(size_, members_));
    for (std::size_t i = 0; i < group_.points.size(); ++i) {
      const Index point = group_.points[i].point;
      MatrixXd& factor = factors_[group_.points[i].block];
      for (const RowEntry& entry : entries(i)) {
        for (Index m = 0; m < members_; ++m)
          factor(entry.point, m) += entry.weight * (sample(m, point) - task_.mean[point]);
      }
    }
    const double root = 1 / std::sqrt(static_cast<double>(members_ - 1));
    for (MatrixXd& factor : factors_) {
      const VectorXd centre = factor.rowwise().mean();
      factor.colwise() -= centre;
      factor *= root;
    }
  }

  // G u - b: the mean in column 0, then the samples that are to be projected.
  [[nodiscard]] MatrixXd find_residuals() const {
    const Index columns = 1 + (task_.out_samples == nullptr ? 0 : task_.members);
    const auto b = constraints_.right_hand_side(task_.sample);
    MatrixXd residuals(size_, columns);
    for (Eigen::Index r = 0; r < size_; ++r) {
      residuals.row(r).setConstant(-b[group_.rows[r]]);
    }
    for (std::size_t i = 0; i < group_.points.size(); ++i) {
      const Index point = group_.points[i].point;
      for (const RowEntry& entry : entries(i)) {
        residuals(entry.point, 0) += entry.weight * task_.mean[point];
        for (Index m = 0; m + 1 < columns; ++m)
          residuals(entry.point, m + 1) += entry.weight * sample(m, point);
      }
    }
    return residuals;
  }

  // Exact rows must be met, by the mean and by the samples that are projected: what is left of the residuals
  // must be rounding.
  void check_met(const MatrixXd& left) const {
    for (Eigen::Index column = 0; column < left.cols(); ++column) {
      const double* field = column == 0 ? task_.mean : task_.samples + (column - 1) * task_.points;
      for (Eigen::Index r = 0; r < size_; ++r) {
        const Index row = group_.rows[r];
        require(
            noise_variance(r) > 0 ||
                std::abs(left(r, column)) <= 1e-10 * size_of_terms(constraints_, row, task_.sample, field),
            "constraint '{}' cannot be met {} sample {}: g.u - b stays at {}, because the covariance of the "
            "values it could move is zero or of too low a rank; give it a noise variance or a diagonal part",
            constraints_.names[row], column == 0 ? "in" : fmt::format("by member {} of", column - 1),
            task_.sample, left(r, column));
      }
    }
  }

  void update(const InvertedSystem& inverted, const MatrixXd& multipliers) const {
    // Per block: what the samples contribute to the corrections [members, columns] and to root Sigma G'.
    std::vector<MatrixXd> corrections, roots;
    for (const MatrixXd& factor : factors_) {
      corrections.emplace_back((1 - share_) * factor.transpose() * multipliers);
      roots.emplace_back((1 - share_) * inverted.root * factor);
    }
    VectorXd deviations(members_), change(multipliers.cols()), reduced(size_);
    for (std::size_t i = 0; i < group_.points.size(); ++i) {
      const auto [point, block, begin, end] = group_.points[i];
      change.setZero();
      reduced.setZero();
      if (members_ > 0) {
        find_deviations(point, deviations);
        change.noalias() = corrections[block].transpose() * deviations;
        reduced.noalias() = roots[block] * deviations;
      }
      const double used = share_ * task_.diagonal[point];
      for (const RowEntry& entry : entries(i)) {
        change += used * entry.weight * multipliers.row(entry.point).transpose();
        reduced += used * entry.weight * inverted.root.col(entry.point);
      }
      const double before = task_.variance[point];
      const double loss = best_gain() ? reduced.squaredNorm() : loss_of_other_gain(inverted, reduced, i);
      task_.out_variance[point] = std::max(0.0, before - loss);
      if (change.size() > 0) task_.out_mean[point] = task_.mean[point] - change[0];
      for (Index m = 0; m + 1 < multipliers.cols(); ++m) {
        task_.out_samples[m * task_.points + point] = sample(m, point) - change[m + 1];
      }
    }
  }

  void find_deviations(Index point, VectorXd& deviations) const {
    const double root = 1 / std::sqrt(static_cast<double>(members_ - 1));
    for (Index m = 0; m < members_; ++m) deviations[m] = (sample(m, point) - task_.mean[point]) * root;
  }

  // 2 K a - K S K' for the gain K = cross' S_used^-1 (Joseph's form); reduced = root cross.
  [[nodiscard]] double loss_of_other_gain(const InvertedSystem& inverted, const VectorXd& reduced,
                                          std::size_t i) const {
    const VectorXd gain = inverted.root.transpose() * reduced;
    double loss = -gain.dot(true_spread_ * gain);
    for (const RowEntry& entry : entries(i))
      loss += 2 * gain[entry.point] * entry.weight * task_.variance[group_.points[i].point];
    return loss;
  }

  const LinearConstraints& constraints_;
  const CoupledGroup& group_;
  double share_;
  Index members_;
  const SampleTask& task_;
  Eigen::Index size_;
  MatrixXd true_spread_;
  std::vector<MatrixXd> factors_;  // per block
};

}  // namespace

CoupledRows::CoupledRows(const LinearConstraints& constraints, std::span<const Index> labels,
                         const Covariance& covariance)
    : constraints_(constraints),
      covariance_(covariance),
      groups_(make_groups(constraints, labels, covariance.uses_samples())) {}

void CoupledRows::prepare(int /*threads*/, Index members) {
  if (covariance_.diagonal_share > 0) return;
  for (const CoupledGroup& group : groups_) {
    const auto wanted = std::ssize(group.rows);
    const Index rank = (members - 1) * group.blocks;
    require(wanted <= rank,
            "{} joint constraints, from '{}' to '{}', but the covariance of {} samples has rank {}: make the "
            "samples independent along an axis (per time), or add a diagonal part",
            wanted, constraints_.names[group.rows.front()], constraints_.names[group.rows.back()], members,
            rank);
  }
}

void CoupledRows::project(const SampleTask& task, int /*thread*/) {
  if (task.out_mean != nullptr && task.out_mean != task.mean)
    std::copy_n(task.mean, task.points, task.out_mean);
  if (task.out_variance != task.variance) std::copy_n(task.variance, task.points, task.out_variance);
  if (task.out_samples != nullptr && task.out_samples != task.samples)
    std::copy_n(task.samples, task.points * task.members, task.out_samples);
  for (const CoupledGroup& group : groups_) GroupProjection(constraints_, group, covariance_, task).run();
}

}  // namespace nouq
