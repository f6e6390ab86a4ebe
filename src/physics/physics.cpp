#include "physics/physics.h"

#include <algorithm>
#include <cmath>

#include "conserve/constraint_kinds.h"
#include "core/with_source.h"
#include "data/recorded_problem.h"

namespace nouq {
namespace {

LinearConstraints mass_law(const DataSet& data) {
  const auto mass = data.constraint_values.find("mass");
  const FieldLayout layout{data.grid, data.outputs.shape().back()};
  LinearConstraints none;
  none.points = layout.points();
  if (mass == data.constraint_values.end() || data.grid.size() < 2 || data.grid.back().name != "t")
    return none;
  std::vector<std::string> axes;
  for (const Axis& axis : data.grid) {
    if (axis.name != "t") axes.push_back(axis.name);
  }
  return with_source("constraint values 'mass'",
                     [&] { return integral_constraints(layout, axes, Quadrature::automatic, mass->second); });
}

// One pair of bounds per sample and time, spread over the field; the last axis is t, or there is none.
Inequalities bounds_of(const DataSet& data, const Problem& problem) {
  const Index samples = data.size(), points = data.outputs.size() / std::max<Index>(1, samples);
  const bool timed = problem.time_axis().has_value();
  const std::vector<double> times = timed ? data.grid.back().coordinates : std::vector<double>{0.0};
  const auto steps = static_cast<Index>(times.size());
  Inequalities bounds{Array<double>({samples, points}), Array<double>({samples, points}), {}};
  for (Index s = 0; s < samples; ++s) {
    for (Index t = 0; t < steps; ++t) {
      const Bounds b = problem.bounds(data.parameters[s], times[static_cast<std::size_t>(t)]);
      for (Index p = t; p < points; p += steps) {
        bounds.lower[s * points + p] = b.lower;
        bounds.upper[s * points + p] = b.upper;
      }
    }
  }
  return bounds;
}

bool any_finite(const Inequalities& bounds) {
  const auto finite = [](double v) { return std::isfinite(v); };
  return std::any_of(bounds.lower.begin(), bounds.lower.end(), finite) ||
         std::any_of(bounds.upper.begin(), bounds.upper.end(), finite);
}

}  // namespace

Physics physics_of(const DataSet& data) {
  Physics physics{mass_law(data), {}};
  const bool scalar = data.parameters.size() == data.size() && data.outputs.shape().back() == 1;
  const auto problem = problem_of(data.provenance);
  if (!scalar || !problem) return physics;
  Inequalities bounds = bounds_of(data, *problem);
  if (any_finite(bounds)) physics.bounds = std::move(bounds);
  return physics;
}

Array<double> law_slack(const DataSet& training) {
  const LinearConstraints law = mass_law(training);
  if (law.rows() == 0) return {};
  return Array<double>(Shape{law.rows()}, slack_from_fields(law, training.outputs.view()));
}

}  // namespace nouq
