// The kinds that sum a channel over some axes of the grid, one row for every place on the other axes:
// "integral" with the weights of a quadrature rule, "boundary" with the weight one at one end.
#include <optional>

#include "conserve/constraint_kinds.h"
#include "conserve/constraint_registry.h"
#include "core/error.h"
#include "core/names.h"

namespace nouq {
namespace {

// A point of the grid: its index along each axis, counted up in C order.
void step(const Grid& grid, std::vector<Index>& index) {
  for (std::size_t a = grid.size(); a-- > 0;) {
    if (++index[a] < grid[a].size()) return;
    index[a] = 0;
  }
}

// Of each axis: one weight per point, to sum over it; nothing, to keep it.
using AxisWeights = std::vector<std::optional<std::vector<double>>>;

// The extents of the axes that are kept.
Shape kept_extents(const Grid& grid, const AxisWeights& weights) {
  Shape extents;
  for (std::size_t a = 0; a < grid.size(); ++a) {
    if (!weights[a]) extents.push_back(grid[a].size());
  }
  return extents;
}

// A row's name is `what` and where on the axes that are kept it is.
LinearConstraints axis_rows(const FieldLayout& layout, Index channel, const AxisWeights& weights,
                            const std::string& what) {
  layout.check_channel(channel);
  const Grid& grid = layout.grid;
  std::vector<std::vector<RowEntry>> entries(element_count(kept_extents(grid, weights)));
  std::vector<std::string> names(entries.size());
  std::vector<Index> index(grid.size(), 0);
  for (Index point = channel; point < layout.points(); point += layout.channels, step(grid, index)) {
    double weight = 1;
    std::size_t row = 0;
    std::string place;
    for (std::size_t a = 0; a < grid.size(); ++a) {
      if (weights[a]) {
        weight *= (*weights[a])[index[a]];
        continue;
      }
      row = row * static_cast<std::size_t>(grid[a].size()) + static_cast<std::size_t>(index[a]);
      place += fmt::format("{} {} = {:.6g}", place.empty() ? " at" : ",", grid[a].name,
                           grid[a].coordinates[index[a]]);
    }
    if (weight != 0) entries[row].push_back({point, weight});
    if (names[row].empty()) names[row] = what + place;
  }
  LinearConstraints constraints;
  constraints.points = layout.points();
  for (std::size_t r = 0; r < entries.size(); ++r) constraints.add_row(names[r], std::move(entries[r]));
  return constraints;
}

}  // namespace

Array<double> as_right_hand_sides(const Array<double>& values, std::span<const Index> places,
                                  const std::string& what) {
  Shape expected(places.begin(), places.end());
  const Index rows = element_count(expected);
  if (values.size() == 1) return Array<double>({1, rows}, values[0]);
  const auto given = std::span(values.shape()).subspan(values.rank() > 0 ? 1 : 0);
  const bool fits = !values.empty() && (same_extents(given, expected) || same_extents(given, Shape{rows}));
  expected.insert(expected.begin(), values.rank() > 0 ? values.extent(0) : 1);
  require(fits, "{}: values of shape {}, expected one for all, or {}, one for each sample and place", what,
          to_string(values.shape()), to_string(expected));
  return {{values.extent(0), rows}, values.begin(), values.end()};
}

namespace {

LinearConstraints axis_constraints(const FieldLayout& layout, Index channel, const AxisWeights& weights,
                                   const std::string& what, const Array<double>& values) {
  LinearConstraints constraints = axis_rows(layout, channel, weights, what);
  constraints.set_right_hand_sides(as_right_hand_sides(values, kept_extents(layout.grid, weights), what));
  return constraints;
}

}  // namespace

LinearConstraints integral_constraints(const FieldLayout& layout, const std::vector<std::string>& axes,
                                       Quadrature rule, const Array<double>& values, Index channel) {
  require(!axes.empty(), "an integral constraint needs at least one axis to integrate over");
  AxisWeights weights(layout.grid.size());
  std::string what = "integral over ";
  for (const std::string& name : axes) {
    const std::size_t a = layout.axis(name);
    require(!weights[a].has_value(), "integral constraint: axis {} is named twice", name);
    weights[a] = quadrature_weights(rule, layout.grid[a]);
    what += (name == axes.front() ? "" : ", ") + name;
  }
  return axis_constraints(layout, channel, weights, what, values);
}

namespace constraint_kinds {

void add_integral(const Settings& given, const ConstraintContext& context, ConstraintSet& set) {
  const Quadrature rule = quadrature_from_name(given.text("rule", "automatic"));
  add_rows(integral_constraints(context.layout, given.texts("axis"), rule, given.array("value", context),
                                given.index("channel", 0)),
           given, context, set);
}

}  // namespace constraint_kinds

LinearConstraints boundary_constraints(const FieldLayout& layout, const std::string& axis, Side side,
                                       const Array<double>& values, Index channel) {
  const std::size_t a = layout.axis(axis);
  const auto& coordinates = layout.grid[a].coordinates;
  const std::size_t end = side == Side::low ? 0 : coordinates.size() - 1;
  AxisWeights weights(layout.grid.size());
  weights[a] = std::vector<double>(coordinates.size(), 0.0);
  (*weights[a])[end] = 1;
  const std::string what = fmt::format("value at {} = {:.6g}", axis, coordinates[end]);
  return axis_constraints(layout, channel, weights, what, values);
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
