// Where the loop with the solver may do its runs: candidates, and places for check runs that are spread
// evenly over what is asked.
//
// Contract: a function of the settings and of what the model knows of its parameters; the same in every
// round.
#pragma once

#include <nouq/improve.h>

namespace nouq {

struct ImprovePool {
  DataSet candidates;  // in the order in which a design without a look at the model takes them
  DataSet checks;
};

// Without solutions.
ImprovePool improve_pool(const Model& model, const ImproveSettings& settings);

// Candidates that are to be run next, the best first; `taken` are those that are planned already, and `runs`
// what is known or will be.
std::vector<Index> next_candidates(const Model& model, const ImprovePool& pool,
                                   const std::vector<bool>& taken, const DataSet& runs, Index count,
                                   const ImproveSettings& settings);

}  // namespace nouq
