// The results of a study as its tables and figures ask for them: by problem and method, over seeds, with the
// paper's numbers beside them.
//
// Contract: results of unknown problems and methods are passed over, and so are those that were
// made with other defaults than today's (options_behind). Results count as those of the study when their
// settings are its own in everything but the seed (fixed_diverse() is the one exception); the others stay
// reachable through all(), for figures of what changes with a setting. Whatever is missing is an empty list
// or a cell without a value, never an error.
#pragma once

#include <string>
#include <vector>

#include <nouq/problem.h>

#include "paper/plot.h"
#include "paper/result_store.h"
#include "paper/study.h"

namespace nouq::paper {

using Runs = std::vector<const ResultJson*>;  // results that differ in their seed alone

class StudyResults {
 public:
  // `paper` holds the paper's numbers (presets/paper-figures.json), or is empty.
  StudyResults(std::vector<ResultJson> all, StudyOptions options, ResultJson paper);

  [[nodiscard]] const std::vector<ResultJson>& all() const { return all_; }
  [[nodiscard]] const StudyOptions& options() const { return options_; }
  [[nodiscard]] std::vector<std::string> problems() const;  // with at least one result of these settings
  [[nodiscard]] std::vector<std::string> methods(const std::string& problem) const;
  // The methods, and fixed_diverse() where it has runs.
  [[nodiscard]] std::vector<std::string> contenders(const std::string& problem) const;
  // Seeds ascending. The method may be fixed_diverse().
  [[nodiscard]] Runs runs(const std::string& problem, const std::string& method) const;
  // Whether all methods of a problem have the same seeds: only then are their means comparable.
  [[nodiscard]] bool same_seeds(const std::string& problem) const;
  // How many were left out because a default has changed since.
  [[nodiscard]] std::size_t outdated() const { return outdated_; }
  // `part` is "uq" or "probconserv".
  [[nodiscard]] Cell paper(const std::string& part, const std::string& problem, Shift shift,
                           const std::string& method, const std::string& metric) const;

 private:
  std::vector<ResultJson> all_;
  StudyOptions options_;
  ResultJson paper_;
  std::size_t outdated_ = 0;
};

// "diverse (lambda = 1)": with the strength that `nouq train` uses, where a study chooses from several. Has
// runs where they are of the same seeds as those of diverse: else their means would not be comparable.
const std::string& fixed_diverse();

std::uint64_t seed_of(const ResultJson& result);

inline const std::vector<Shift> shifted = {Shift::small, Shift::medium, Shift::large};

// Where a result keeps something of a range.
std::string range_place(Shift shift, const std::string& entry);
// Where it keeps a metric.
std::string metric_place(Shift shift, const std::string& metric, const std::string& projection = "none");

// The number at a place of every run that has one there.
std::vector<double> values_at(const Runs& runs, const std::string& place);
// Of one result; not a number where it says nothing.
double number_at(const ResultJson& result, const std::string& place);
// Wall time of all its networks together, one after another.
double training_seconds(const ResultJson& result);
// Mean and, from two values on, deviation.
Cell over_seeds(const std::vector<double>& values);
// Of the runs where it is finite; a note says how many these are where they are not all, a dash that there
// are none.
Cell over_seeds(const Runs& runs, double (*value)(const ResultJson& run));
// The same; a note says how many runs it is of where others came out infinite or were not measured, and a
// dash stands where all came out infinite.
Cell over_seeds(const Runs& runs, const std::string& place);
// Not a number where the cell has none, or a mean of some seeds only: that would flatter a method that failed
// with the others.
double complete_mean(const Cell& cell);

}  // namespace nouq::paper
