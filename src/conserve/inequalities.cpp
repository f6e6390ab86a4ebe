#include "conserve/inequalities.h"

#include <algorithm>
#include <cmath>

#include "conserve/constraint_registry.h"
#include "core/error.h"
#include "core/names.h"

namespace nouq {
namespace {

const double* row_of(const Array<double>& bound, Index sample) {
  if (bound.empty()) return nullptr;
  return bound.data() + (bound.extent(0) == 1 ? 0 : sample * bound.extent(1));
}

void validate_bound(const char* name, const Array<double>& bound, Index points, Index samples) {
  if (bound.empty()) return;
  const bool fits =
      bound.rank() == 2 && bound.extent(1) == points && (bound.extent(0) == 1 || bound.extent(0) == samples);
  require(fits, "{} bounds have shape {}, expected [{}, {}] or [1, {}]", name, to_string(bound.shape()),
          samples, points, points);
  for (Index i = 0; i < bound.size(); ++i)
    require(!std::isnan(bound[i]), "{} bound of point {} is not a number", name, i % points);
}

void validate_order(const Inequalities& inequalities, Index points, Index samples) {
  for (Index i = 0; i < samples; ++i) {
    const double *lower = lower_of(inequalities, i), *upper = upper_of(inequalities, i);
    for (Index p = 0; p < points; ++p) {
      require(lower[p] <= upper[p], "sample {}, point {}: the lower bound {} is above the upper bound {}", i,
              p, lower[p], upper[p]);
    }
  }
}

void validate_constant(const Array<double>& bound, const FieldLayout& layout, std::size_t axis) {
  const Index stride = layout.stride(axis), points = layout.points();
  for (Index i = 0; i < bound.size(); ++i) {
    const Index point = i % points;
    require(layout.index_along(axis, point) == 0 || bound[i] == bound[i - stride],
            "bounds change along axis {}, on which the field is monotone: {} follows {} at point {}",
            layout.grid[axis].name, bound[i], bound[i - stride], point);
  }
}

// Elementwise the better of two bounds, either of which may be empty or the same for all samples.
template <class Better>
Array<double> combined(const Array<double>& a, const Array<double>& b, Better better) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const bool fit = a.rank() == 2 && b.rank() == 2 && a.extent(1) == b.extent(1) &&
                   (a.extent(0) == b.extent(0) || a.extent(0) == 1 || b.extent(0) == 1);
  require(fit, "bounds of shapes {} and {} cannot be combined", to_string(a.shape()), to_string(b.shape()));
  const Index points = a.extent(1);
  Array<double> both({std::max(a.extent(0), b.extent(0)), points});
  for (Index i = 0; i < both.extent(0); ++i) {
    for (Index p = 0; p < points; ++p) both[i * points + p] = better(row_of(a, i)[p], row_of(b, i)[p]);
  }
  return both;
}

}  // namespace

const double* lower_of(const Inequalities& inequalities, Index sample) {
  return row_of(inequalities.lower, sample);
}
const double* upper_of(const Inequalities& inequalities, Index sample) {
  return row_of(inequalities.upper, sample);
}

void validate(const Inequalities& inequalities, const FieldLayout& layout, Index samples) {
  const Index points = layout.points();
  validate_bound("lower", inequalities.lower, points, samples);
  validate_bound("upper", inequalities.upper, points, samples);
  if (!inequalities.lower.empty() && !inequalities.upper.empty())
    validate_order(inequalities, points, samples);
  if (!inequalities.monotone) return;
  const std::size_t axis = layout.axis(inequalities.monotone->axis);
  validate_constant(inequalities.lower, layout, axis);
  validate_constant(inequalities.upper, layout, axis);
}

Array<double> as_bounds(const Array<double>& values, const FieldLayout& layout, const std::string& name) {
  const Index points = layout.points();
  if (values.size() == 1) return Array<double>({1, points}, values[0]);
  const Shape field = layout.shape(), flat = {points};
  const auto fits = [&](std::span<const Index> given) {
    return same_extents(given, field) || same_extents(given, flat);
  };
  const std::span<const Index> whole(values.shape());
  const bool of_samples = values.rank() > 1 && fits(whole.subspan(1));
  require(!values.empty() && (of_samples || fits(whole)),
          "{} bound of shape {}, expected one value, or one per point of the field, {}, or that for every "
          "sample",
          name, to_string(values.shape()), to_string(field));
  return {{of_samples ? values.extent(0) : 1, points}, values.begin(), values.end()};
}

void tighten(Inequalities& inequalities, const Array<double>& lower, const Array<double>& upper) {
  inequalities.lower = combined(inequalities.lower, lower, [](double a, double b) { return std::max(a, b); });
  inequalities.upper = combined(inequalities.upper, upper, [](double a, double b) { return std::min(a, b); });
}

void add_monotone(Inequalities& inequalities, const Monotone& monotone) {
  require(!inequalities.monotone || *inequalities.monotone == monotone,
          "the field is already monotone along axis {}: one axis and direction only",
          inequalities.monotone ? inequalities.monotone->axis : "");
  inequalities.monotone = monotone;
}

}  // namespace nouq

namespace nouq::constraint_kinds {

// Kind "bounds": lower <= u <= upper, each a number or an array of one value per point (and sample).

namespace {

Array<double> bound_of(const Settings& given, const std::string& name, const ConstraintContext& context) {
  if (!given.has(name)) return {};
  return as_bounds(given.array(name, context), context.layout, name);
}

}  // namespace

void add_bounds(const Settings& given, const ConstraintContext& context, ConstraintSet& set) {
  require(given.has("lower") || given.has("upper"), "constraint bounds: neither lower nor upper is given");
  tighten(set.inequalities, bound_of(given, "lower", context), bound_of(given, "upper", context));
}

// Kind "monotone": the field only increases, or only decreases, along an axis.

void add_monotone_axis(const Settings& given, const ConstraintContext& context, ConstraintSet& set) {
  const std::vector<std::string> directions = {"increasing", "decreasing"};
  const std::string axis = given.text("axis"), direction = given.text("direction");
  (void)context.layout.axis(axis);  // throws when there is none
  if (direction != "increasing" && direction != "decreasing")
    fail_unknown_name("direction", direction, directions);
  add_monotone(set.inequalities,
               {axis, direction == "increasing" ? Direction::increasing : Direction::decreasing});
}

}  // namespace nouq::constraint_kinds
