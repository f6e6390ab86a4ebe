// The law of a data set, made into rows for the projection inside training (train/training_law.h).
#pragma once

#include <memory>

#include "train/training_law.h"

namespace nouq {

// All laws that the data have values for, as exactly as the data meet them (law_noise). Throws where there is
// none, and where two laws sum over the same points.
std::shared_ptr<const TrainingLaw> training_law(const DataSet& training);

}  // namespace nouq
