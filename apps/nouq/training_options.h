// The options of a training, shared by `train` and `select`: its settings (nouq/settings.h) and its files.
#pragma once

#include <nouq/data.h>
#include <nouq/settings.h>

#include "config/option_table.h"
#include "output.h"
#include "uq/train_settings.h"

namespace nouq::cli {

struct TrainingOptions {
  std::filesystem::path data;
  std::filesystem::path validation;
  TrainSettings settings;
  GivenOptions given;
};

// Who chooses width, rate, dropout and strength; a selection has options of its own for them.
enum class Chosen { by_hand, by_selection };
void add_training_options(OptionTable& table, TrainingOptions& options, Chosen chosen = Chosen::by_hand);

// Training and validation samples; the second from its own file or split off.
struct TrainingData {
  DataSet train;
  DataSet validation;
  Array<float> unlabelled;  // inputs; empty unless asked for
};
// What would fail after a training is found out here: fields of zeros, a conservation law that does not fit.
TrainingData load_training_data(const TrainingOptions& options);

// All files that the options name to read.
std::vector<std::filesystem::path> input_files(const TrainingOptions& options);

// Throws on settings the data do not allow, e.g. more modes than an axis has. `from`: a surrogate to go on
// from.
FitOptions fit_options(const TrainingOptions& options, const TrainingData& data,
                       const Surrogate* from = nullptr);

void tell(const std::vector<SettingsNote>& notes, const Output& output);
// Options that were given and do nothing, calibrations that are left out: a line each.
void tell_notes(const TrainingOptions& options, const FitOptions& fit, const CalibrationOptions& planned,
                Index held_out, const Output& output);

}  // namespace nouq::cli
