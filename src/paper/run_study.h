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

#include <optional>

#include <nouq/progress.h>

#include "paper/study.h"

namespace nouq::paper {

// False: the observer asked to stop.
bool run_study(const StudyOptions& options, const std::vector<StudyCase>& cases, const StudyPlaces& places,
               FitObserver& observer);
bool run_study(const StudyOptions& options, const std::vector<StudyCase>& cases, const StudyPlaces& places,
               const Progress& progress);

// ---- Results computed anew from trained networks (evaluate_again.cpp) ----
//
// When: after a metric, a projection or a calibration has changed.
//
// Contract: trains nothing. Only what the store has is evaluated, each method by itself: a result whose
// networks are missing or not trained to their end stays as it is, and the reason is returned. Trials that
// failed when the result was made count as failed again. The networks of the chosen trial are enough: then
// the choice and the record of the other trials stand.

// Why some results stayed as they were; empty when all were computed anew.
std::vector<std::string> evaluate_again(const StudyOptions& options, const StudyCase& study_case,
                                        const StudyPlaces& places);

// The same for all results of these problems and methods, whatever their seeds and settings.
std::vector<std::string> evaluate_store_again(const std::vector<std::string>& problems,
                                              const std::vector<std::string>& methods,
                                              const StudyPlaces& places);

// The networks behind a result, from the folder where they were trained, in the order asked for; nullopt
// where one is missing or not trained to its end.
std::optional<std::vector<TrainedNetwork>> trained_networks(const std::vector<TrainerOptions>& trainings,
                                                            const FitData& seen, const StudyPlaces& places);

// The case that a result belongs to.
StudyCase case_of(const ResultJson& result);

}  // namespace nouq::paper
