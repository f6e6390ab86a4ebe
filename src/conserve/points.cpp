// Kind "points": u = b at given points of the grid, such as sensors.
#include <algorithm>
#include <cmath>

#include "conserve/constraint_kinds.h"
#include "conserve/constraint_registry.h"
#include "core/error.h"

namespace nouq {
namespace {

// The index of the axis' point at a coordinate, which must be one up to rounding.
Index index_at(const Axis& axis, double coordinate) {
  const auto& points = axis.coordinates;
  const auto nearest = std::min_element(points.begin(), points.end(), [&](double a, double b) {
    return std::abs(a - coordinate) < std::abs(b - coordinate);
  });
  const double tolerance = 1e-6 * (points.back() - points.front());
  require(std::abs(*nearest - coordinate) <= tolerance,
          "known point at {} = {} is not on the grid; the nearest grid point is at {}", axis.name, coordinate,
          *nearest);
  return nearest - points.begin();
}

}  // namespace

LinearConstraints point_constraints(const FieldLayout& layout, const ArrayView<const double>& coordinates,
                                    const Array<double>& values, Index channel) {
  layout.check_channel(channel);
  const std::size_t axes = layout.grid.size();
  require(coordinates.rank() == 2 && coordinates.extent(1) == static_cast<Index>(axes),
          "known points have coordinates of shape {}, expected [points, {}]", to_string(coordinates.shape()),
          axes);
  LinearConstraints constraints;
  constraints.points = layout.points();
  for (Index i = 0; i < coordinates.extent(0); ++i) {
    Index point = channel;
    std::string name = "value at";
    for (std::size_t a = 0; a < axes; ++a) {
      const double at = coordinates[i * static_cast<Index>(axes) + static_cast<Index>(a)];
      point += index_at(layout.grid[a], at) * layout.stride(a);
      name += fmt::format("{} {} = {:.6g}", a == 0 ? "" : ",", layout.grid[a].name, at);
    }
    constraints.add_row(std::move(name), {{point, 1.0}});
  }
  constraints.set_right_hand_sides(as_right_hand_sides(values, Shape{constraints.rows()}, "known points"));
  return constraints;
}

namespace constraint_kinds {

void add_points(const Settings& given, const ConstraintContext& context, ConstraintSet& set) {
  add_rows(point_constraints(context.layout, given.array("at", context).view(), given.array("value", context),
                             given.index("channel", 0)),
           given, context, set);
}

}  // namespace constraint_kinds

}  // namespace nouq
