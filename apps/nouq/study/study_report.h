// The page of a study and its companions, for `nouq report FOLDER` and `nouq reproduce --page`; and the
// settings of a study as options.
#pragma once

#include "commands.h"
#include "paper/study.h"
#include "paper/study_results.h"

namespace nouq::cli {

// The options that a preset gives.
void add_study_settings(OptionTable& table, paper::StudyOptions& study);
paper::StudyOptions study_preset(const std::string& name);

// The paper's own figures, or those of a file.
Json paper_figures(const std::filesystem::path& path);

struct StudyReport {
  paper::StudyOptions study;
  std::filesystem::path results;   // the store
  std::filesystem::path paper;     // figures to show instead of the paper's own
  std::filesystem::path page;      // what to write; empty paths are passed over
  std::filesystem::path markdown;  // tables and captions
  std::filesystem::path figures;   // a folder of SVG and PNG files
  std::string command;             // that makes the results, for the reader
  bool tables_on_output = false;   // then what was written is said elsewhere
};
// Says how many results count no longer.
void note_outdated(const paper::StudyResults& results, const Output& output);
// What it wrote, as the command's result.
Json write_study_report(const StudyReport& report, const Output& output);

}  // namespace nouq::cli
