// What stands behind nouq::Constraints: rows, inequalities and the grid they are on.
#pragma once

#include <nouq/project.h>

#include "conserve/constraint_registry.h"
#include "uq/sizing.h"

namespace nouq {

struct ConstraintData {
  LinearConstraints constraints;
  Inequalities inequalities;
  FieldLayout layout;  // of sparse rows, which know no grid: a line of points
  // Of a model's own: how the preset "bounded" spreads corrections, and the size of sigma after it.
  double sigma_power = 2;
  Sizing after = {};
};

// The library's own grid; throws for coordinates that do not increase and for unknown kinds.
FieldLayout layout_of(const FieldGrid& grid);
FieldGrid grid_of(const FieldLayout& layout);

}  // namespace nouq
