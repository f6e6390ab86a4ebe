// Kind "integral": sum over the points of some axes of w_i u_i = b, with the weights of a quadrature rule.
#include <algorithm>

#include "conserve/axis_rows.h"
#include "conserve/constraint_kinds.h"
#include "conserve/constraint_registry.h"
#include "core/error.h"

namespace nouq {

LinearConstraints integral_constraints(const FieldLayout& layout, const std::vector<std::string>& axes,
                                       Quadrature rule, const Array<double>& values, Index channel) {
  require(!axes.empty(), "an integral constraint needs at least one axis to integrate over");
  std::vector<std::optional<std::vector<double>>> weights(layout.grid.size());
  std::string what = "integral over ";
  for (const std::string& name : axes) {
    const std::size_t a = layout.axis(name);
    require(!weights[a].has_value(), "integral constraint: axis {} is named twice", name);
    weights[a] = quadrature_weights(rule, layout.grid[a]);
    what += (name == axes.front() ? "" : ", ") + name;
  }
  LinearConstraints constraints = axis_rows(layout, channel, weights, what);
  constraints.set_right_hand_sides(as_right_hand_sides(values, kept_extents(layout.grid, weights), what));
  return constraints;
}

namespace constraint_kinds {

void add_integral(const Settings& given, const ConstraintContext& context, ConstraintSet& set) {
  const Quadrature rule = quadrature_from_name(given.text("rule", "automatic"));
  add_rows(integral_constraints(context.layout, given.texts("axis"), rule, given.array("value", context),
                                given.index("channel", 0)),
           given, context, set);
}

}  // namespace constraint_kinds

}  // namespace nouq
