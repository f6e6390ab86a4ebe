#include "conserve/bounded_rows.h"

#include <algorithm>

#include "conserve/coupling.h"
#include "core/error.h"

namespace nouq {
namespace {

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
    scratch_.resize(threads);
    for (Scratch& scratch : scratch_) scratch.projected.resize(constraints_.points);
  }

  void begin(const BoundedField& field, int thread) override { scratch_[thread].field = field; }

  void solve(const double* mean, double* projected, double* multipliers, int thread) override {
    auto& [field, values] = scratch_[thread];
    field.mean = mean;
    clip(field, constraints_.points, values.data());
    for (const CoupledGroup& group : groups_)
      DualNewton(constraints_, group, direction_, field).solve(values.data(), multipliers);
    std::copy(values.begin(), values.end(), projected);
  }

 private:
  struct Scratch {
    BoundedField field;
    std::vector<double> projected;
  };

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
      for (const auto& point : group.points) taken[labels[point.point]] = true;
    }
    std::vector<Index> group_of(labels.size(), -1);
    for (std::size_t p = 0; p < labels.size(); ++p) {
      const std::size_t label = labels[p];
      if (taken[label]) continue;
      if (group_of[label] < 0) {
        group_of[label] = std::ssize(groups_);
        groups_.push_back({{}, 1, {}, {}});
      }
      groups_[group_of[label]].points.push_back({static_cast<Index>(p), 0, 0, 0});
    }
  }

  const LinearConstraints& constraints_;
  std::optional<Direction> direction_;
  std::vector<CoupledGroup> groups_;
  std::vector<Scratch> scratch_;
};

}  // namespace

std::unique_ptr<BoundedSolver> make_bounded_solver(const LinearConstraints& constraints,
                                                   const Inequalities& inequalities,
                                                   const FieldLayout& layout) {
  const auto groups = coupled_groups(constraints, own_labels(constraints.points));
  if (!inequalities.monotone && std::ssize(groups) == constraints.rows())
    return make_separate_rows(constraints);
  return std::make_unique<GroupedRows>(constraints, inequalities, layout);
}

}  // namespace nouq
