// Kind "bounds": lower <= u <= upper, each a number or an array of one value per point (and sample).
#include "conserve/constraint_registry.h"
#include "core/error.h"

namespace nouq::constraint_kinds {
namespace {

Array<double> bound_of(const Settings& given, const std::string& name, const ConstraintContext& context) {
  if (!given.has(name)) return {};
  const Array<double> values = given.array(name, context);
  const Index points = context.layout.points();
  if (values.size() == 1) return Array<double>({1, points}, values[0]);
  require(!values.empty() && values.size() % points == 0,
          "constraint bounds: {} has shape {}, expected one value, or one per point of the field ({}), or "
          "that for "
          "every sample",
          name, to_string(values.shape()), points);
  return {{values.size() / points, points}, values.begin(), values.end()};
}

}  // namespace

void add_bounds(const Settings& given, const ConstraintContext& context, ConstraintSet& set) {
  require(given.has("lower") || given.has("upper"), "constraint bounds: neither lower nor upper is given");
  tighten(set.inequalities, bound_of(given, "lower", context), bound_of(given, "upper", context));
}

}  // namespace nouq::constraint_kinds
