// What a fitted surrogate is worth on its validation samples, and how to keep it: shared by `train` and
// `select`.
#pragma once

#include <filesystem>

#include "output.h"
#include "training_options.h"

namespace nouq::cli {

struct Quality {
  double relative_error = 0;  // of the mean, in the L2 norm
  double mse = 0;
  double coverage = 0;  // share of points inside mean +- 1.96 sigma
};
Quality quality_on(const Surrogate& surrogate, const DataSet& data, int threads);

// Calibrates on the validation samples, says what could not be, and saves the model.
void finish_model(const TrainingOptions& options, const TrainingData& data, const std::filesystem::path& path,
                  Surrogate& surrogate, const Output& output);

// The folder of checkpoints that belongs to an output file.
std::filesystem::path work_folder(const std::filesystem::path& output_file);
// Makes the folder, or throws; with `fresh` empties it first. Checkpoints of other trainings than these are
// refused: they are somebody's interrupted run.
void prepare_work_folder(const std::filesystem::path& folder, bool fresh,
                         const std::vector<TrainOptions>& trainings, const TrainingData& data,
                         const FitOptions& fit);

// Says which of the given options do nothing for the method.
void note_ineffective(const TrainingOptions& options, const FitOptions& fit, const Output& output);
// Removes checkpoints, and the folder when nothing else is in it.
void remove_work_folder(const std::filesystem::path& folder);

// For people: what came out and what to do with it.
void print_summary(const std::filesystem::path& path, const Surrogate& surrogate, const Quality& quality,
                   double seconds, const Output& output);
Json summary_json(const std::filesystem::path& path, const Surrogate& surrogate, const Quality& quality);

}  // namespace nouq::cli
