// Kind "bounds": lower <= u <= upper, each a number or an array of one value per point (and sample).
#include "conserve/constraint_registry.h"
#include "core/error.h"

namespace nouq::constraint_kinds {
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

}  // namespace nouq::constraint_kinds
