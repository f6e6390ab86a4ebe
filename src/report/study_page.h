// The page of a study: its tables beside the paper's, its figures, and the exact settings behind them.
//
// When: `nouq report` on a folder of results. Contract: everything is computed from the results given and,
// for pictures of predictions and weights, from the trained networks that are in the folder of models;
// sections without a subject are left out, and missing networks are named. Trains nothing. Throws when there
// is no result with the study's settings.
#pragma once

#include "report/page.h"
#include "report/study_results.h"
#include "study/study.h"

namespace nouq::report {

struct StudyPageOptions {
  StudyPlaces places;
  Index samples = 20;   // of each range, from which pictured ones are taken
  std::string command;  // that makes these results, for the reader; may be empty
};

Page study_page(const StudyResults& results, const StudyPageOptions& options);

}  // namespace nouq::report
