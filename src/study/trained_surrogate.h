// The surrogate behind a result of a study, from its trained networks.
//
// Why: figures of predictions, weights and features need the network, of which the store keeps the name only.
// Contract: trains nothing; a network that is missing or not trained to its end gives nullopt. Calibrated as
// it was when the result was made.
#pragma once

#include <optional>

#include "study/study.h"

namespace nouq {

// In the order asked for. nullopt: one of them is missing or not trained to its end.
std::optional<std::vector<TrainedNetwork>> trained_networks(const std::vector<TrainOptions>& trainings,
                                                            const StudyData& data, const StudyPlaces& places);

// `result` is a file of the store, `data` that of its case, made with the same options.
std::optional<Surrogate> trained_surrogate(const StudyOptions& options, const ResultJson& result,
                                           const StudyData& data, const StudyPlaces& places);

// The case that a result belongs to.
StudyCase case_of(const ResultJson& result);

}  // namespace nouq
