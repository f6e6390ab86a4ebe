#include "conserve/coupling.h"

#include <map>
#include <numeric>

namespace nouq {
namespace {

// The root of a row's group; shortens the path it walks.
Index root_of(std::vector<Index>& parent, Index row) {
  while (parent[row] != row) {
    Index& up = parent[row];
    up = parent[up];
    row = up;
  }
  return row;
}

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

std::vector<Index> own_labels(Index points) {
  std::vector<Index> labels(points);
  std::iota(labels.begin(), labels.end(), Index{0});
  return labels;
}

std::vector<std::vector<Index>> coupled_groups(const LinearConstraints& constraints,
                                               std::span<const Index> labels) {
  std::vector<Index> parent = own_labels(constraints.rows());
  std::map<Index, Index> first_row;  // of each label
  for (Index r = 0; r < constraints.rows(); ++r) {
    for (const RowEntry& entry : constraints.row(r)) {
      if (entry.weight == 0) continue;
      const Index other = first_row.try_emplace(labels[entry.point], r).first->second;
      const Index a = root_of(parent, r), b = root_of(parent, other);
      // The smaller index stays root, so that a group is found at its first row.
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::map<Index, std::vector<Index>> by_root;
  for (Index r = 0; r < constraints.rows(); ++r) by_root[root_of(parent, r)].push_back(r);
  std::vector<std::vector<Index>> groups;
  groups.reserve(by_root.size());
  for (auto& [root, rows] : by_root) groups.push_back(std::move(rows));
  return groups;
}

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

}  // namespace nouq
