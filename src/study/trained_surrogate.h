// The surrogate behind a result of a study, from its trained networks.
//
// Why: figures of predictions, weights and features need the network, of which the store keeps the name only.
// Contract: trains nothing; a network that is missing or not trained to its end gives nullopt. Calibrated as
// it was when the result was made.
#pragma once

#include <optional>

#include "study/study.h"

namespace nouq {

// `result` is a file of the store, `data` that of its case, made with the same options.
std::optional<Surrogate> trained_surrogate(const StudyOptions& options, const ResultJson& result,
                                           const StudyData& data, const StudyPlaces& places);

// The case that a result belongs to.
StudyCase case_of(const ResultJson& result);

}  // namespace nouq
