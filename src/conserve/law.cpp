#include "conserve/law.h"

#include "conserve/constraint_kinds.h"
#include "core/error.h"

namespace nouq {
namespace {

// The times of the grid; a problem without time has one, which it ignores.
std::vector<double> times_of(const Problem& problem, const Grid& grid) {
  const auto axis = problem.time_axis();
  return axis ? grid[*axis].coordinates : std::vector<double>{0.0};
}

LinearConstraints mass_rows(const Problem& problem, const FieldLayout& layout,
                            std::span<const double> parameters, Quadrature rule) {
  const auto times = times_of(problem, layout.grid);
  std::vector<std::string> space;
  for (const Axis& axis : layout.grid) {
    if (axis.name != "t") space.push_back(axis.name);
  }
  Array<double> masses({std::ssize(parameters), std::ssize(times)});
  Index at = 0;
  for (const double parameter : parameters) {
    for (const double mass : problem.mass(parameter, times)) masses[at++] = mass;
  }
  return integral_constraints(layout, space, rule, masses);
}

// The rows of one end of one axis, for the places on the other axes in C order; time, if any, is last.
LinearConstraints end_rows(const Problem& problem, const FieldLayout& layout,
                           std::span<const double> parameters, const std::string& axis, Side side) {
  const auto times = times_of(problem, layout.grid);
  const Index rows = layout.points() / layout.grid[layout.axis(axis)].size();
  Array<double> values({std::ssize(parameters), rows});
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (Index r = 0; r < rows; ++r) {
      const double t = times[static_cast<std::size_t>(r) % times.size()];
      const auto value = problem.boundary_value(parameters[i], side, t);
      if (!value) return {};
      values[static_cast<Index>(i) * rows + r] = *value;
    }
  }
  return boundary_constraints(layout, axis, side, values);
}

}  // namespace

void add_bounds_of(const Problem& problem, const FieldLayout& layout, std::span<const double> parameters,
                   Inequalities& inequalities) {
  const auto times = times_of(problem, layout.grid);
  const Shape shape = {std::ssize(parameters), layout.points()};
  Array<double> lower(shape), upper(shape);
  for (Index i = 0; i < lower.size(); ++i) {
    const double t = times[static_cast<std::size_t>(i) % times.size()];
    const Bounds bounds = problem.bounds(parameters[i / shape[1]], t);
    lower[i] = bounds.lower;
    upper[i] = bounds.upper;
  }
  tighten(inequalities, lower, upper);
}

ConstraintSet law_of(const Problem& problem, const Grid& grid, std::span<const double> parameters,
                     const LawOptions& options) {
  require(!parameters.empty(), "the law of problem {} needs at least one parameter", problem.name());
  problem.check_grid(grid);
  const FieldLayout layout{grid, 1};
  std::vector<LinearConstraints> parts(1);
  parts[0].points = layout.points();
  if (options.mass && problem.has_mass_law())
    parts.push_back(mass_rows(problem, layout, parameters, options.rule));
  for (const Axis& axis : grid) {
    if (!options.boundary || axis.name == "t") continue;
    for (const Side side : {Side::low, Side::high})
      parts.push_back(end_rows(problem, layout, parameters, axis.name, side));
  }
  ConstraintSet set;
  set.equalities = stack(parts);
  if (options.bounds) add_bounds_of(problem, layout, parameters, set.inequalities);
  return set;
}

}  // namespace nouq
