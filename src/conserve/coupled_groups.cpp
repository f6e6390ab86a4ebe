// Cuts a system into groups of coupled rows and inverts the small matrices.
#include <cmath>
#include <map>

#include "conserve/coupled_rows.h"
#include "conserve/coupling.h"

namespace nouq {
namespace {

// The entries of one group, by point.
std::map<Index, std::vector<RowEntry>> entries_by_point(const LinearConstraints& constraints,
                                                        const std::vector<Index>& rows) {
  std::map<Index, std::vector<RowEntry>> by_point;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const RowEntry& entry : constraints.row(rows[i])) {
      if (entry.weight != 0) by_point[entry.point].push_back({static_cast<Index>(i), entry.weight});
    }
  }
  return by_point;
}

CoupledGroup make_group(const LinearConstraints& constraints, std::vector<Index> rows,
                        std::span<const Index> labels,
                        const std::map<Index, std::vector<Index>>& block_points) {
  auto by_point = entries_by_point(constraints, rows);
  std::map<Index, Index> blocks;
  for (const auto& [point, entries] : by_point) {
    blocks.try_emplace(labels[point], std::ssize(blocks));
  }
  for (const auto& [label, block] : blocks) {
    if (const auto whole = block_points.find(label); whole != block_points.end())
      for (const Index point : whole->second) by_point.try_emplace(point);
  }
  CoupledGroup group{std::move(rows), std::ssize(blocks), {}, {}};
  for (const auto& [point, entries] : by_point) {
    const std::size_t begin = group.entries.size();
    group.entries.insert(group.entries.end(), entries.begin(), entries.end());
    const Index block = blocks.at(labels[point]);
    group.points.push_back({point, block, begin, group.entries.size()});
  }
  return group;
}

}  // namespace

std::vector<CoupledGroup> make_groups(const LinearConstraints& constraints, std::span<const Index> labels,
                                      bool whole_blocks) {
  std::map<Index, std::vector<Index>> block_points;
  for (std::size_t p = 0; whole_blocks && p < labels.size(); ++p) {
    block_points[labels[p]].push_back(p);
  }
  std::vector<CoupledGroup> groups;
  for (auto& rows : coupled_groups(constraints, labels)) {
    groups.push_back(make_group(constraints, std::move(rows), labels, block_points));
  }
  return groups;
}

InvertedSystem::InvertedSystem(Eigen::MatrixXd matrix) : system(std::move(matrix)) {
  // A unit diagonal makes the result independent of how the rows are scaled.
  const Eigen::VectorXd scale =
      system.diagonal().unaryExpr([](double entry) { return entry > 0 ? 1 / std::sqrt(entry) : 1.0; });
  const Eigen::MatrixXd scaled = scale.asDiagonal() * system * scale.asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> factor(scaled);
  constexpr double least_pivot = 1e-5;  // its square, 1e-10, is where rounding begins to matter
  if (factor.info() == Eigen::Success && factor.matrixLLT().diagonal().minCoeff() > least_pivot) {
    root = factor.matrixL().solve(Eigen::MatrixXd(scale.asDiagonal()));
  } else {
    singular = true;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
    const double cut = 1e-13 * static_cast<double>(scaled.rows()) * eigen.eigenvalues().maxCoeff();
    const Eigen::VectorXd powers = eigen.eigenvalues().unaryExpr(
        [cut](double value) { return value > cut ? 1 / std::sqrt(value) : 0.0; });
    root = powers.asDiagonal() * eigen.eigenvectors().transpose() * scale.asDiagonal();
  }
  inverse = root.transpose() * root;
}

Eigen::MatrixXd InvertedSystem::solve(const Eigen::MatrixXd& columns) const {
  const Eigen::MatrixXd first = inverse * columns;
  return first + inverse * (columns - system * first);
}

}  // namespace nouq
