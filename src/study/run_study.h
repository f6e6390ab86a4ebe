// A whole study: the networks of all cases through one pool, each method of a case evaluated as soon as its
// last network is there.
//
// Why: a case by itself leaves cores idle while its last networks finish; and one pool knows how much there
// is left to do. Contract: as run_case() (study.h) for every case; what the store has is not repeated. Cases
// that fail are named at the end, when the others are done. The observer is told of the different networks of
// all cases that are to be run.
#pragma once

#include "study/study.h"

namespace nouq {

// False: the observer asked to stop.
bool run_study(const StudyOptions& options, const std::vector<StudyCase>& cases, const StudyPlaces& places,
               FitObserver& observer);

}  // namespace nouq
