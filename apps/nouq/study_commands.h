// The paper's study in the tool: `nouq reproduce`, and `nouq report` of a folder of results.
//
// The folder study has both where the build has the paper (the CMake option NOUQ_PAPER); without_study.cpp
// refuses them by name where it has not. Nothing else in the tool knows of the paper.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "output.h"

namespace nouq::cli {

// The names that --preset takes.
std::vector<std::string> preset_names();

struct StudyPage {
  std::string preset;              // of the results to show
  std::filesystem::path results;   // the store
  std::filesystem::path page;      // what to write; empty paths are passed over
  std::filesystem::path markdown;  // tables and captions
  std::filesystem::path figures;   // a folder of SVG and PNG files
};
// What it wrote, as the command's result.
Json write_study_page(const StudyPage& page, const Output& output);

}  // namespace nouq::cli
