// A data set from a built-in problem: its samples, with names, units, mass values and the recipe that made
// them.
#pragma once

#include "data/data_set.h"
#include "problems/sampler.h"

namespace nouq {

DataSet generate_data_set(const Problem& problem, const SampleRequest& request);

}  // namespace nouq
