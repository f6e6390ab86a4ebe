// The page of a study: its tables beside the paper's, its figures, and the exact settings behind them.
//
// When: `nouq report` on a folder of results. Contract: everything is computed from the results given, which
// keep what pictures of predictions and weights need; sections without a subject are left out, and methods
// whose results are too old to have pictures are named. Throws when there is no result with the study's
// settings.
#pragma once

#include "paper/plot.h"
#include "paper/study_results.h"

namespace nouq::paper {

struct StudyPageOptions {
  std::string folder = {};   // of the results, for messages
  std::string command = {};  // that makes these results, for the reader; may be empty
};

Page study_page(const StudyResults& results, const StudyPageOptions& options);

}  // namespace nouq::paper
