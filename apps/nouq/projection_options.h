// How a prediction is projected, as one says it on a command line.
#pragma once

#include <optional>
#include <string>

#include "config/option_table.h"
#include "conserve/field_layout.h"
#include "conserve/inequalities.h"
#include "conserve/linear_constraints.h"
#include "conserve/prediction.h"
#include "prediction_files.h"

namespace nouq::cli {

struct ProjectionSettings {
  std::string covariance = "diagonal";
  double diagonal_share = 0.5;
  std::string independent_axis = "auto";
  double sigma_power = 2;
  std::string smooth;  // AXIS:CORRELATION
  bool bounded = false;
  bool fixed_variance = false;
  std::string variance_update = "automatic";
  int threads = 0;
};

void add_projection_options(OptionTable& table, ProjectionSettings& settings);

struct Projected {
  Array<double> mean, variance, samples;  // the samples are empty when the prediction has none
  ProjectionReport report;
};

// Bounds and monotone profiles, or --bounded, take the bounded projection, --smooth the smoothing one;
// otherwise the linear one.
Projected project(const ProjectionSettings& settings, const LinearConstraints& constraints,
                  const Inequalities& inequalities, const FieldLayout& layout,
                  const LoadedPrediction& prediction);

}  // namespace nouq::cli
