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

}  // namespace nouq
