#include "physics/physics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "conserve/constraint_kinds.h"
#include "core/error.h"
#include "data/laws.h"
#include "data/recorded_problem.h"
#include "problems/sampler.h"

namespace nouq {
namespace {

LinearConstraints rows_of(const FieldLayout& layout, const std::string& name, const Law& law,
                          const Array<double>& values) {
  return with_source(fmt::format("constraint values '{}'", name), [&] {
    return integral_constraints(layout, law.axes, Quadrature::automatic, values, law.channel);
  });
}

LinearConstraints law_rows(const FieldLayout& layout, const Laws& laws,
                           const std::map<std::string, Array<double>>& values) {
  std::vector<LinearConstraints> parts(1);
  parts[0].points = layout.points();
  for (const auto& [name, law] : laws) {
    const auto found = values.find(name);
    if (found != values.end()) parts.push_back(rows_of(layout, name, law, found->second));
  }
  return stack(parts);
}

Array<double> spread(const std::vector<Bounds>& bounds, double Bounds::*side, Index points) {
  Array<double> values({1, points});
  const auto channels = std::ssize(bounds);
  for (Index i = 0; i < points; ++i) values[i] = bounds[i % channels].*side;
  return values;
}

// Tightens inequalities by a problem's bounds, for fields of one channel: a pair for each parameter and time.
void add_bounds_of(const Problem& problem, const FieldLayout& layout, std::span<const double> parameters,
                   Inequalities& inequalities) {
  const auto time = problem.time_axis();
  const std::vector<double> times = time ? layout.grid[*time].coordinates : std::vector<double>{0.0};
  const Shape shape = {std::ssize(parameters), layout.points()};
  Array<double> lower(shape), upper(shape);
  for (Index i = 0; i < lower.size(); ++i) {
    const Bounds bounds = problem.bounds(parameters[i / shape[1]], times[i % std::ssize(times)]);
    lower[i] = bounds.lower;
    upper[i] = bounds.upper;
  }
  tighten(inequalities, lower, upper);
}

bool any_finite(const Inequalities& bounds) {
  const auto finite = [](double v) { return std::isfinite(v); };
  return std::any_of(bounds.lower.begin(), bounds.lower.end(), finite) ||
         std::any_of(bounds.upper.begin(), bounds.upper.end(), finite);
}

// Of data without solutions, too: the fields themselves are not looked at.
FieldLayout layout_of(const DataSet& data) { return {data.grid, std::ssize(data.output_channels)}; }

KnownPhysics known_of(const DataSet& data, const Problem* problem) {
  KnownPhysics known{layout_of(data), laws_of(data), data.constraint_values, data.bounds, nullptr, {}};
  if (problem == nullptr || data.parameters.size() != data.size() || known.layout.channels != 1) return known;
  known.problem = problem;
  known.parameters.assign(data.parameters.begin(), data.parameters.end());
  return known;
}

double length_of(const Axis& axis) {
  if (axis.kind == AxisKind::points) return axis.coordinates.back() - axis.coordinates.front();
  const std::vector<double> cells = quadrature_weights(Quadrature::automatic, axis);
  return std::accumulate(cells.begin(), cells.end(), 0.0);
}

// Scales an axis to length one; gives back the length it had.
double scale_to_one(Axis& axis) {
  const double start = axis.coordinates.front(), length = length_of(axis);
  for (double& place : axis.coordinates) place = (place - start) / length;
  return length;
}

LinearConstraints unit_rows(const DataSet& data, const std::string& name, const Law& law) {
  FieldLayout layout = layout_of(data);
  double volume = 1;
  for (const std::string& axis : law.axes) volume *= scale_to_one(layout.grid[layout.axis(axis)]);
  Array<double> values = data.constraint_values.at(name);
  for (double& value : values) value /= volume;
  return rows_of(layout, name, law, values);
}

}  // namespace

Physics physics_of(const KnownPhysics& known) {
  const Index points = known.layout.points();
  Physics physics{law_rows(known.layout, known.laws, known.values), {}};
  Inequalities bounds;
  if (!known.bounds.empty())
    bounds = {spread(known.bounds, &Bounds::lower, points), spread(known.bounds, &Bounds::upper, points), {}};
  if (known.problem != nullptr) add_bounds_of(*known.problem, known.layout, known.parameters, bounds);
  if (any_finite(bounds)) physics.bounds = std::move(bounds);
  return physics;
}

Physics physics_of(const DataSet& data) {
  const auto problem = problem_of(data.provenance);
  return physics_of(known_of(data, problem.get()));
}

Physics physics_of(const Problem& problem, const Grid& grid, const std::vector<double>& parameters,
                   bool bounds) {
  require(!parameters.empty(), "the law of problem {} needs at least one parameter", problem.name());
  problem.check_grid(grid);
  KnownPhysics known{{grid, 1}, {}, {}, {}, bounds ? &problem : nullptr, parameters};
  if (problem.has_mass_law()) {
    known.laws[mass_name] = mass_law(grid);
    known.values[mass_name] = masses_of(problem, parameters, grid);
  }
  return physics_of(known);
}

void check_physics(const DataSet& data) {
  (void)law_rows(layout_of(data), laws_of(data), data.constraint_values);
  (void)problem_of(data.provenance);
}

bool has_law_at_every_time(const DataSet& data) {
  const Axis& last = data.grid.back();
  return last.name == "t" && physics_of(data).constraints.rows() == last.size();
}

Physics physics_of(const Surrogate& surrogate, const DataSet& data) {
  const auto problem = problem_of(data.provenance);
  KnownPhysics known = known_of(data, problem.get());
  known.laws = laws_of(surrogate, data);
  if (known.bounds.empty()) known.bounds = surrogate.bounds;
  return physics_of(known);
}

std::map<std::string, LinearConstraints> law_rows_of(const Surrogate& surrogate, const DataSet& data) {
  std::map<std::string, LinearConstraints> rows;
  for (const auto& [name, law] : laws_of(surrogate, data)) {
    const auto values = data.constraint_values.find(name);
    if (values != data.constraint_values.end())
      rows[name] = rows_of(layout_of(data), name, law, values->second);
  }
  return rows;
}

Laws laws_of(const Surrogate& surrogate, const DataSet& data) {
  Laws laws = data.laws;
  for (const auto& [name, law] : surrogate.laws) {
    if (data.constraint_values.contains(name)) laws.emplace(name, law);
  }
  const auto mass = data.constraint_values.find(mass_name);
  return mass == data.constraint_values.end()
             ? laws
             : with_mass_law(std::move(laws), data.grid, mass->second,
                             mass->second.rank() == 0 ? 1 : mass->second.extent(0));
}

Laws laws_of(const Surrogate& surrogate) {
  Laws named = surrogate.laws;
  Laws laws = with_mass_law(named, surrogate.grid);
  Index rows = 0;
  for (const auto& [name, law] : laws) rows += places_of(law, surrogate.grid);
  return law_noise_of(surrogate).size() == rows ? laws : named;
}

Array<double> law_noise_of(const Surrogate& surrogate) {
  const auto found = surrogate.state.find("law.noise");
  return found == surrogate.state.end() ? Array<double>{} : found->second;
}

Array<double> law_noise(const DataSet& training) {
  const LinearConstraints law = law_rows(layout_of(training), laws_of(training), training.constraint_values);
  if (law.rows() == 0) return {};
  return Array<double>(Shape{law.rows()}, noise_from_fields(law, training.outputs.view()));
}

LinearConstraints unit_law_of(const Laws& laws, const DataSet& data) {
  std::vector<LinearConstraints> parts(1);
  parts[0].points = layout_of(data).points();
  for (const auto& [name, law] : laws) parts.push_back(unit_rows(data, name, law));
  return stack(parts);
}

}  // namespace nouq
