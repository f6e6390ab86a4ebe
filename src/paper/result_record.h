// How a result came about: what a file of the store says besides the metrics.
//
// Why: a number is worth little without the version, the machine, the networks and the time behind it.
// Contract: seconds are wall time of the epochs, summed over all processes that worked on a network, as its
// checkpoint kept them; null when some epoch's time is not known. Epochs are counted from 1.
#pragma once

#include <span>

#include "paper/result_store.h"
#include "uq/selection.h"

namespace nouq::paper {

// `networks` are those of all trials, in the order of selection_trainings().
ResultJson record_of(const Selection& selection, std::span<const TrainedNetwork> networks);

// Floating-point operations of predicting one sample: products only (nn/cost.h).
double prediction_flops(const Surrogate& surrogate);

}  // namespace nouq::paper
