// The settings of the paper's study that have a name, and the paper's figures: files of the folder presets,
// built into the tool (apps/nouq/CMakeLists.txt), so that they are there wherever it runs.
//
// Adding a preset is one file in presets, one line in CMakeLists.txt, one here and one in presets.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "commands.h"

namespace nouq::cli::presets {

extern const std::string_view smoke, quick, paper, paper_grid, ablation, recipe, paper_figures;

std::vector<std::string> names();
// The TOML text; throws for an unknown name.
std::string_view text(const std::string& name);

// Gives a command the option --preset, over whose settings the file and the command line go.
void offer(Command& command);

}  // namespace nouq::cli::presets
