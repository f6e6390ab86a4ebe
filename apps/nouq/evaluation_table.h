// A model's metrics on several test sets, before and after projections, as one table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nouq/evaluate.h>
#include <nouq/problem_data.h>

#include "output.h"
#include "plot/table.h"

namespace nouq::cli {

struct TestSet {
  std::string label;
  DataSet data;
};

struct EvaluationChoice {
  std::vector<std::string> projections = {"none"};
  std::vector<std::string> metrics = {"mse",   "relative_l2", "nll",      "nmerci",
                                      "rmsce", "crps",        "coverage", "conservation_error"};
  std::optional<double> noise_variance;  // of every projection, instead of its own
  int threads = 0;
  bool insist = false;   // a metric that the data do not allow is an Error, not a dash
  bool nulls = false;    // also with sigmas that look at no prediction (nouq/evaluate.h)
  std::size_t sets = 1;  // with more than one, how well trust tells each from the first
};

// One group of rows per set, one row per projection; for several output channels one more for each of them,
// with `nulls` one more for every null, of all channels. A metric that does not apply shows as a dash; so
// does the coverage of bands that the model has not. With several sets, "trust AUROC" says how well the
// trust score tells the samples of each from those of the first. Errors name the set.
plot::Table evaluation_table(const Model& model, const std::vector<TestSet>& sets,
                             const EvaluationChoice& choice);
// Its rows as objects, a number or text under the name of each column, null where there is a dash.
Json records(const plot::Table& table);

// Where channels are of different orders of magnitude, what they are in one row together is that of the
// largest: a sentence that says so, else empty.
std::string lumped_channels(const DataSet& data);

// Samples of the training range and of the three shifts of a built-in problem, on the model's grid. The
// training range is the one that the model's data were drawn from when they came from this problem, else the
// problem's own.
std::vector<TestSet> shifted_sets(const Model& model, const Problem& problem, Index samples,
                                  std::uint64_t seed, int threads);

}  // namespace nouq::cli
