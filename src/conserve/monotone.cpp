// Kind "monotone": the field only increases, or only decreases, along an axis.
#include "conserve/constraint_registry.h"
#include "core/names.h"

namespace nouq::constraint_kinds {

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
