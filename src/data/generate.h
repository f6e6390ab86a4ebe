// A data set from a built-in problem: its samples, with names, units, mass values and the recipe that made
// them.
#pragma once

#include <nouq/data.h>

#include "problems/sampler.h"

namespace nouq {

DataSet generate_data_set(const Problem& problem, const SampleRequest& request);

// The samples with these values of the parameter, on the given grid.
DataSet solve_data_set(const Problem& problem, std::span<const double> parameters, const Grid& grid);

// The same without solutions, for whoever asks a surrogate instead of the solver: outputs stay empty, so that
// it is no data set to train on. With `law`, the values of the conservation law are there, too: by its
// formula where the problem has one, and by running the solver for gpme, which has none.
DataSet unsolved_data_set(const Problem& problem, std::span<const double> parameters, const Grid& grid,
                          bool law);

}  // namespace nouq
