// A model's metrics on several test sets, before and after projections, as one table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nouq/evaluate.h>
#include <nouq/problem_data.h>

#include "plot/table.h"

namespace nouq::cli {

struct TestSet {
  std::string label;
  DataSet data;
};

struct EvaluationChoice {
  std::vector<std::string> projections = {"none"};
  std::vector<std::string> metrics = {
      "mse", "nll", "nmerci", "rmsce", "crps", "coverage", "conservation_error"};
  std::optional<double> slack;  // of every projection, instead of its own
  int threads = 0;
  bool insist = false;  // a metric that the data do not allow is an Error, not a dash
};

// One group of rows per set, one row per projection. A metric that does not apply shows as a dash; so does
// the coverage of the model's bands after a projection, which they are not calibrated for. Errors name the
// set.
plot::Table evaluation_table(const Model& model, const std::vector<TestSet>& sets,
                             const EvaluationChoice& choice);

// Samples of the training range and of the three shifts of a built-in problem, on the model's grid. The
// training range is the one that the model's data were drawn from when they came from this problem, else the
// problem's own.
std::vector<TestSet> shifted_sets(const Model& model, const Problem& problem, Index samples,
                                  std::uint64_t seed, int threads);

}  // namespace nouq::cli
