// What a training run's result depends on, as one line of JSON text with a fixed order of keys.
//
// Why: a checkpoint may only be continued by the run that wrote it. Threads and checkpoint places are left
// out: they do not change the result.
#pragma once

#include <string>

#include "core/json_types.h"
#include "data/normalisation.h"
#include "nn/network_options.h"

namespace nouq {

struct TrainerOptions;

std::string training_fingerprint(const TrainerOptions& options, const ScaledData& train,
                                 const ScaledData& validation);

// The same without the data: the settings alone. Of a diversity only where it has a strength.
OrderedJson describe(const TrainerOptions& options);

// A network's options by name; of a padding only what counts: points, or the fraction.
OrderedJson describe(const NetworkOptions& options);

}  // namespace nouq
