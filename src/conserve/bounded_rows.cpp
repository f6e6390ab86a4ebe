#include "conserve/bounded_rows.h"

#include <algorithm>

#include "conserve/coupling.h"
#include "conserve/row_multiplier.h"
#include "core/error.h"

namespace nouq {
namespace {

void clip(const BoundedField& field, Index points, double* projected) {
#pragma omp simd
  for (Index p = 0; p < points; ++p)
    projected[p] = std::min(std::max(field.mean[p], field.lower[p]), field.upper[p]);
}

// Rows that share no point: one scalar equation each, on a compact copy of the row's values.
class SeparateRows final : public BoundedSolver {
 public:
  explicit SeparateRows(const LinearConstraints& constraints) : constraints_(constraints) {
    for (Index r = 0; r < constraints.rows(); ++r) longest_ = std::max(longest_, constraints.row(r).size());
  }

  void prepare(int threads) override {
    scratch_.resize(static_cast<std::size_t>(threads));
    for (Scratch& scratch : scratch_) {
      for (auto* list : {&scratch.value, &scratch.step, &scratch.weight, &scratch.lower, &scratch.upper})
        list->resize(longest_);
      scratch.projected.resize(static_cast<std::size_t>(constraints_.points));
    }
  }

  void solve(const BoundedField& field, double* projected, double* multipliers, int thread) override {
    Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
    clip(field, constraints_.points, scratch.projected.data());
    for (Index r = 0; r < constraints_.rows(); ++r) {
      const double lambda = multipliers[r] = solve_one(field, r, scratch);
      if (lambda == 0) continue;
      std::size_t i = 0;
      for (const RowEntry& entry : constraints_.row(r)) {
        const double free = scratch.value[i] - lambda * scratch.step[i];
        scratch.projected[static_cast<std::size_t>(entry.point)] =
            std::min(std::max(free, scratch.lower[i]), scratch.upper[i]);
        ++i;
      }
    }
    std::copy(scratch.projected.begin(), scratch.projected.end(), projected);
  }

 private:
  struct Scratch {
    std::vector<double> value, step, weight, lower, upper, projected;
  };

  double solve_one(const BoundedField& field, Index r, Scratch& scratch) const {
    const auto row = constraints_.row(r);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto [point, weight] = row[i];
      scratch.value[i] = field.mean[point];
      scratch.step[i] = field.diagonal[point] * weight;
      scratch.weight[i] = weight;
      scratch.lower[i] = field.lower[point];
      scratch.upper[i] = field.upper[point];
    }
    const auto part = [&](const std::vector<double>& list) { return std::span(list).first(row.size()); };
    const auto at = static_cast<std::size_t>(r);
    const RowMultiplier found = solve_row(
        {part(scratch.value), part(scratch.step), part(scratch.weight), part(scratch.lower),
         part(scratch.upper), constraints_.right_hand_side(field.sample)[at], constraints_.slack[at]});
    require(found.shortfall == 0,
            "constraint '{}' cannot be met within the bounds in sample {}: g.u - b = {} remains; give it "
            "slack or "
            "widen the bounds",
            constraints_.names[at], field.sample, found.shortfall);
    return found.lambda;
  }

  const LinearConstraints& constraints_;
  std::size_t longest_ = 0;
  std::vector<Scratch> scratch_;
};

class GroupedRows final : public BoundedSolver {
 public:
  GroupedRows(const LinearConstraints& constraints, const Inequalities& inequalities,
              const FieldLayout& layout)
      : constraints_(constraints) {
    std::vector<Index> labels = own_labels(layout.points());
    if (inequalities.monotone) {
      direction_ = inequalities.monotone->direction;
      labels = lines_along(layout, layout.axis(inequalities.monotone->axis));
    }
    groups_ = make_groups(constraints, labels, direction_.has_value());
    if (direction_) add_free_lines(labels);
  }

  void prepare(int threads) override {
    scratch_.resize(static_cast<std::size_t>(threads),
                    std::vector<double>(static_cast<std::size_t>(constraints_.points)));
  }

  void solve(const BoundedField& field, double* projected, double* multipliers, int thread) override {
    std::vector<double>& scratch = scratch_[static_cast<std::size_t>(thread)];
    clip(field, constraints_.points, scratch.data());
    for (const CoupledGroup& group : groups_)
      DualNewton(constraints_, group, direction_, field).solve(scratch.data(), multipliers);
    std::copy(scratch.begin(), scratch.end(), projected);
  }

 private:
  // The number of the line along the axis that each point lies on.
  static std::vector<Index> lines_along(const FieldLayout& layout, std::size_t axis) {
    const Index stride = layout.stride(axis), length = layout.grid[axis].size();
    std::vector<Index> labels;
    for (Index p = 0; p < layout.points(); ++p) labels.push_back(p / (stride * length) * stride + p % stride);
    return labels;
  }

  // Lines that no row touches are made monotone too: groups without rows.
  void add_free_lines(const std::vector<Index>& labels) {
    std::vector<bool> taken(labels.size(), false);
    for (const CoupledGroup& group : groups_) {
      for (const auto& point : group.points)
        taken[static_cast<std::size_t>(labels[static_cast<std::size_t>(point.point)])] = true;
    }
    std::vector<Index> group_of(labels.size(), -1);
    for (std::size_t p = 0; p < labels.size(); ++p) {
      const auto label = static_cast<std::size_t>(labels[p]);
      if (taken[label]) continue;
      if (group_of[label] < 0) {
        group_of[label] = static_cast<Index>(groups_.size());
        groups_.push_back({{}, 1, {}, {}});
      }
      groups_[static_cast<std::size_t>(group_of[label])].points.push_back({static_cast<Index>(p), 0, 0, 0});
    }
  }

  const LinearConstraints& constraints_;
  std::optional<Direction> direction_;
  std::vector<CoupledGroup> groups_;
  std::vector<std::vector<double>> scratch_;
};

}  // namespace

std::unique_ptr<BoundedSolver> make_bounded_solver(const LinearConstraints& constraints,
                                                   const Inequalities& inequalities,
                                                   const FieldLayout& layout) {
  const auto groups = coupled_groups(constraints, own_labels(constraints.points));
  if (!inequalities.monotone && static_cast<Index>(groups.size()) == constraints.rows())
    return std::make_unique<SeparateRows>(constraints);
  return std::make_unique<GroupedRows>(constraints, inequalities, layout);
}

}  // namespace nouq
