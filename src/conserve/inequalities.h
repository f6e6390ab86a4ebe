// Inequalities a field must obey: lower and upper bounds, and profiles that only rise or only fall.
//
// Why: a conservation law says how much there is, bounds say where it cannot be: no negative density, nothing
// above the maximum principle. At a front they do most of the work. Contract: bounds are [n, points] or
// [1, points] for all samples (points flattened as in linear_constraints.h); an empty array means none,
// infinite values mean none at that point. Along a monotone axis the bounds must be constant on each line.
#pragma once

#include <optional>
#include <string>

#include <nouq/array.h>

#include "conserve/field_layout.h"

namespace nouq {

enum class Direction { increasing, decreasing };

struct Monotone {
  std::string axis;
  Direction direction = Direction::increasing;
  friend bool operator==(const Monotone&, const Monotone&) = default;
};

struct Inequalities {
  Array<double> lower, upper;
  std::optional<Monotone> monotone;  // all channels

  [[nodiscard]] bool empty() const { return lower.empty() && upper.empty() && !monotone; }
};

// Throws unless the contract holds; a lower bound above the upper one is named with both values.
void validate(const Inequalities& inequalities, const FieldLayout& layout, Index samples);

// Values as bounds, [n or 1, points]: one for all, one per point of the field, or that for every sample, as
// [n, axes..., channels] or [n, points].
Array<double> as_bounds(const Array<double>& values, const FieldLayout& layout, const std::string& name);

// Adds bounds: [n or 1, points] each, or empty. The tighter one wins.
void tighten(Inequalities& inequalities, const Array<double>& lower, const Array<double>& upper);
// Adds a monotone axis; a second, different one is an Error.
void add_monotone(Inequalities& inequalities, const Monotone& monotone);

// The bounds of one sample, one value per point; null where there are none.
const double* lower_of(const Inequalities& inequalities, Index sample);
const double* upper_of(const Inequalities& inequalities, Index sample);

}  // namespace nouq
