// How a prediction is projected, as one says it on a command line, and what that did: how far the constraints
// were off before and after.
#pragma once

#include <optional>
#include <string>

#include <nouq/project.h>

#include "config/option_table.h"
#include "constraint_options.h"
#include "output.h"
#include "prediction_files.h"

namespace nouq::cli {

struct ProjectionArguments {
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

void add_projection_options(OptionTable& table, ProjectionArguments& words);

// Throws where the words contradict each other; `bounded` is whether there are bounds, or --bounded.
ProjectOptions settings_of(const ProjectionArguments& words, bool bounded);

struct Projected {
  Array<double> mean, variance, samples;  // the samples are empty when the prediction has none
  ProjectReport report;
};

// Bounds and monotone profiles, or --bounded, take the bounded projection, --smooth the smoothing one;
// otherwise the linear one.
Projected project(const ProjectionArguments& words, const Constraints& constraints,
                  const LoadedPrediction& prediction);

Json summarise(const GivenConstraints& given, const LoadedPrediction& prediction, const Projected& projected);
void print_summary(const Json& summary, const Output& output);

}  // namespace nouq::cli
