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

}  // namespace nouq
