// Computes results anew from trained networks: after a metric, a projection or a calibration has changed.
//
// Contract: trains nothing. Only what the store has is evaluated, each method by itself: a result whose
// networks are missing or not trained to their end stays as it is, and the reason is returned. Trials that
// failed when the result was made count as failed again. The networks of the chosen trial are enough: then
// the choice and the record of the other trials stand.
#pragma once

#include "paper/study.h"

namespace nouq::paper {

// Why some results stayed as they were; empty when all were computed anew.
std::vector<std::string> evaluate_again(const StudyOptions& options, const StudyCase& study_case,
                                        const StudyPlaces& places);

// The same for all results of these problems and methods, whatever their seeds and settings.
std::vector<std::string> evaluate_store_again(const std::vector<std::string>& problems,
                                              const std::vector<std::string>& methods,
                                              const StudyPlaces& places);

}  // namespace nouq::paper
