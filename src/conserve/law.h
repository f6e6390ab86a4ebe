// A built-in problem's own law, as constraints: its mass, its values at the ends, its bounds.
//
// When: for predictions of a problem of problems.def at known parameters. Contract: one right-hand side and
// one set of bounds per parameter; a problem without a mass law gives none. The space axes are integrated by
// the given rule at every time.
#pragma once

#include <span>

#include <nouq/problem.h>

#include "conserve/constraint_registry.h"
#include "conserve/quadrature.h"

namespace nouq {

struct LawOptions {
  bool mass = true;
  bool boundary = false;  // off: networks are good there, and a front at the end makes it contradict the mass
  bool bounds = true;
  Quadrature rule = Quadrature::automatic;
};

ConstraintSet law_of(const Problem& problem, const Grid& grid, std::span<const double> parameters,
                     const LawOptions& options = {});

// Tightens inequalities by the problem's bounds, for fields of one channel: one pair per parameter and time.
void add_bounds_of(const Problem& problem, const FieldLayout& layout, std::span<const double> parameters,
                   Inequalities& inequalities);

}  // namespace nouq
