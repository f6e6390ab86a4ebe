// The folder of checkpoints beside an output file: what makes an interrupted `train` or `select` go on.
//
// Contract: one run at a time uses it; it goes away with the run that ends well.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/lock_file.h"

namespace nouq::cli {

std::filesystem::path work_folder(const std::filesystem::path& output_file);

// Makes the folder, with `fresh` empties it, and keeps other runs out for as long as the lock lives. Throws
// when another run is at it, or when it has checkpoints of other trainings than these (names of files): they
// are somebody's interrupted run.
[[nodiscard]] LockFile prepare_work_folder(const std::filesystem::path& folder, bool fresh,
                                           const std::vector<std::string>& checkpoints);

// Removes checkpoints, and the folder when nothing else is in it.
void remove_work_folder(const std::filesystem::path& folder);

}  // namespace nouq::cli
