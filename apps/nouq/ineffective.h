// Options that were given and do nothing: named before a training, so that nobody believes they did
// something.
#pragma once

#include "output.h"
#include "training_options.h"

namespace nouq::cli {

// Those that are for other methods, of `train` and of `select`.
void note_ineffective(const TrainingOptions& options, const FitOptions& fit, const Output& output);
// Those that a model to go on from decides instead.
void note_kept_by_model(const TrainingOptions& options, const Output& output);

}  // namespace nouq::cli
