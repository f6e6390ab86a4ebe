// Kind "boundary": u = b at one end of an axis, for every place on the other axes.
#include "conserve/axis_rows.h"
#include "conserve/constraint_kinds.h"
#include "conserve/constraint_registry.h"
#include "core/names.h"

namespace nouq {

LinearConstraints boundary_constraints(const FieldLayout& layout, const std::string& axis, Side side,
                                       const Array<double>& values, Index channel) {
  const std::size_t a = layout.axis(axis);
  const auto& coordinates = layout.grid[a].coordinates;
  const std::size_t end = side == Side::low ? 0 : coordinates.size() - 1;
  std::vector<std::optional<std::vector<double>>> weights(layout.grid.size());
  weights[a] = std::vector<double>(coordinates.size(), 0.0);
  (*weights[a])[end] = 1;
  const std::string what = fmt::format("value at {} = {:.6g}", axis, coordinates[end]);
  LinearConstraints constraints = axis_rows(layout, channel, weights, what);
  constraints.set_right_hand_sides(as_right_hand_sides(values, kept_extents(layout.grid, weights), what));
  return constraints;
}

namespace constraint_kinds {

void add_boundary(const Settings& given, const ConstraintContext& context, ConstraintSet& set) {
  const std::vector<std::string> sides = {"low", "high"};
  const std::string side = given.text("side");
  if (side != "low" && side != "high") fail_unknown_name("side", side, sides);
  add_rows(boundary_constraints(context.layout, given.text("axis"), side == "low" ? Side::low : Side::high,
                                given.array("value", context), given.index("channel", 0)),
           given, context, set);
}

}  // namespace constraint_kinds

}  // namespace nouq
