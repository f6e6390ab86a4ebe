// The folder of checkpoints beside an output file: what makes an interrupted `train` or `select` go on.
//
// Contract: one run at a time uses it; it goes away with the run that ends well.
#pragma once

#include <filesystem>

#include "core/file.h"
#include "training_options.h"

namespace nouq::cli {

std::filesystem::path work_folder(const std::filesystem::path& output_file);

// Makes the folder, with `fresh` empties it, and keeps other runs out for as long as the lock lives. Throws
// when another run is at it, or when it has checkpoints of other trainings than these: they are somebody's
// interrupted run.
[[nodiscard]] LockFile prepare_work_folder(const std::filesystem::path& folder, bool fresh,
                                           const std::vector<TrainerOptions>& trainings, const FitData& data);

// Removes checkpoints, and the folder when nothing else is in it.
void remove_work_folder(const std::filesystem::path& folder);

}  // namespace nouq::cli
