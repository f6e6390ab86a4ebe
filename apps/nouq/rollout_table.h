// How good roll-outs of a time-step model are on trajectories with known solutions, at several times.
//
// When: `nouq evaluate` and the report of a model that was trained with --rollout. Contract: a row for each
// set, projection and time: after the first step, at the end of the trained times, and in the middle and at
// the end of the data's. Errors are relative, of that time alone, the mean over trajectories; those of
// persistence are of the initial state itself. "bands hold" is the share of trajectories whose whole field is
// inside its band at that time, "off the law" the largest difference over all times up to the end.
#pragma once

#include "evaluation_table.h"

namespace nouq::cli {

plot::Table rollout_table(const Model& model, const std::vector<TestSet>& sets,
                          const EvaluationChoice& choice);

}  // namespace nouq::cli
