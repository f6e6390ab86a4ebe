// The networks behind a result of a study, from the folder where they were trained.
//
// Why: after a change of a metric or a projection a result is computed anew from them. Contract: trains
// nothing; a network that is missing or not trained to its end gives nullopt.
#pragma once

#include <optional>

#include "paper/study.h"

namespace nouq::paper {

// In the order asked for.
std::optional<std::vector<TrainedNetwork>> trained_networks(const std::vector<TrainOptions>& trainings,
                                                            const FitData& seen, const StudyPlaces& places);

// The case that a result belongs to.
StudyCase case_of(const ResultJson& result);

}  // namespace nouq::paper
