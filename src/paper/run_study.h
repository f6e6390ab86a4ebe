// A whole study: the networks of all cases through one pool, each method of a case evaluated as soon as its
// last network is there.
//
// Why one pool: a case by itself leaves cores idle while its last networks finish; a network that two methods
// share is trained once; and one pool knows how much there is left to do. Contract: a result that the store
// has is not computed again; a stopped study loses nothing, a killed one the current epoch, or ten seconds of
// shorter ones. Several processes may run the same study at once: each network is trained by one of them. A
// method that fails (none of its trials came to an end, say) does not keep the others from their results;
// what failed is thrown at the end. The observer is told of the different networks of all cases that are to
// be run.
#pragma once

#include "paper/study.h"

namespace nouq::paper {

// False: the observer asked to stop.
bool run_study(const StudyOptions& options, const std::vector<StudyCase>& cases, const StudyPlaces& places,
               FitObserver& observer);

}  // namespace nouq::paper
