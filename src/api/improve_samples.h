// Runs as samples: an answer of the solver becomes a data set of one sample, and samples are put behind those
// of the beginning.
#pragma once

#include <vector>

#include <nouq/improve.h>

namespace nouq {

// Checked; `like` says what the data are: grid, channels, laws, bounds.
DataSet sample_of(const DataSet& like, const DataSet& question, const SolverAnswer& answer);

// Samples of the first, and then all of the others.
DataSet joined(const DataSet& first, const std::vector<Index>& of_first, const std::vector<DataSet>& others);

}  // namespace nouq
