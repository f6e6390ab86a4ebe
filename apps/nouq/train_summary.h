// What a fitted surrogate is worth on its validation samples, and how to keep it: shared by `train` and
// `select`.
#pragma once

#include <filesystem>

#include "output.h"
#include "training_options.h"

namespace nouq::cli {

struct Quality {
  std::optional<double> relative_error;  // of the mean, in the L2 norm; not defined for a field of zeros
  double mse = 0;
  double coverage = 0;  // share of points inside mean +- 1.96 sigma
};

// Predicts the validation samples, calibrates on them, saves the model and says what it is worth on them.
// `slack` is that of the training data (law_slack).
Quality finish_model(const TrainSettings& settings, const CalibrationOptions& calibration,
                     const Array<double>& slack, const DataSet& validation, const std::filesystem::path& path,
                     Surrogate& surrogate);

// For people: what came out and what to do with it.
void print_summary(const std::filesystem::path& path, const Surrogate& surrogate, const Quality& quality,
                   double seconds, const Output& output);
Json summary_json(const std::filesystem::path& path, const Surrogate& surrogate, const Quality& quality);

}  // namespace nouq::cli
