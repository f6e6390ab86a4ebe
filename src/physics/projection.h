// The one function that projects a prediction onto constraints and into bounds.
//
// Why: the tool, C++, C, Fortran and Python all mean the same by a projection; what they differ in is how its
// settings are written. When: fill in ProjectionSettings, or take those of a name (projection_choice.h), and
// call `project` with the constraints (physics.h, conserve/constraint_registry.h). Contract: settings that
// contradict each other are an Error before anything is computed; outputs may be the inputs themselves.
#pragma once

#include <optional>
#include <string>

#include "conserve/bounded_projection.h"
#include "conserve/field_layout.h"
#include "conserve/inequalities.h"
#include "conserve/linear_constraints.h"
#include "conserve/sample_projector.h"

namespace nouq {

// Neighbours along an axis count as correlated so strongly: conserve/smoothing.h.
struct Smoothing {
  std::string axis;
  double correlation = 0;
};

struct ProjectionSettings {
  // The covariance that spreads a correction over the field: 1 is the diagonal of the variances, 0 that of
  // the samples, between them the mixture (conserve/covariance.h). Take the diagonal unless there are samples
  // whose errors are known to move together.
  double diagonal_share = 1;
  // Along which axis samples count as uncorrelated; empty: none. Without a word: "t", where it is one of two
  // or more axes, because samples are few and times are many.
  std::optional<std::string> independent_axis = {};
  // 1 spreads a correction more evenly than the variances do, 0 evenly; for the diagonal covariance.
  double sigma_power = 2;
  // First condition the field on being smooth along an axis; diagonal covariance, no bounds, no samples.
  std::optional<Smoothing> smooth = {};
  // Keep to the bounds, and scale up variances that do not explain the violation. Inequalities imply it.
  bool bounded = false;
  // Of a bounded projection: leave the variances as they are, and how they change (conserve/
  // bounded_projection.h).
  bool fixed_variance = false;
  VarianceUpdate variance_update = VarianceUpdate::automatic;
  // Variance with which every row holds, instead of the rows' own; 0: exactly.
  std::optional<double> noise_variance = {};
  int threads = 0;  // 0: all there are
};

void project(const ProjectionSettings& settings, const LinearConstraints& constraints,
             const Inequalities& inequalities, const FieldLayout& layout, const PredictionView& prediction,
             const ProjectedView& projected, ProjectionReport* report = nullptr);

}  // namespace nouq
