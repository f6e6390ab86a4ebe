// Which constraints must be solved together.
//
// Why: rows that share nothing are solved one by one, in time proportional to the field; only those that move
// the same values form a joint system. What "the same" means depends on the covariance: `labels` gives each
// point a number, and points with equal numbers move together (with a diagonal covariance each point has its
// own). Contract: groups are ordered by their first row, rows inside a group by their index.
#pragma once

#include <span>
#include <vector>

#include "conserve/linear_constraints.h"

namespace nouq {

// Each point by itself: 0, 1, 2, ...
std::vector<Index> own_labels(Index points);

std::vector<std::vector<Index>> coupled_groups(const LinearConstraints& constraints,
                                               std::span<const Index> labels);

// A group of rows and the points they can move.
struct CoupledGroup {
  struct Point {
    Index point;
    Index block;        // which of the group's blocks (labels)
    std::size_t begin;  // its entries: (row within the group, weight)
    std::size_t end;
  };
  std::vector<Index> rows;
  Index blocks = 0;
  std::vector<Point> points;
  std::vector<RowEntry> entries;
};

// The groups of a system. `whole_blocks`: a block's points all belong, also those that no row touches.
std::vector<CoupledGroup> make_groups(const LinearConstraints& constraints, std::span<const Index> labels,
                                      bool whole_blocks);

}  // namespace nouq
