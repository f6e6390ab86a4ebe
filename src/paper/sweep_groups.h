// Results of a store sorted into what can stand in one picture (sweep_figures.h).
#pragma once

#include <map>

#include "paper/study_results.h"

namespace nouq::paper {

// Results of one problem with the same data and epochs.
struct Group {
  std::string problem;
  ResultJson settings;  // those they share
  Runs results;

  [[nodiscard]] std::string words() const;  // the shared settings in a sentence
  [[nodiscard]] std::string title() const;  // "heat", or "heat, 100 epochs" where they are not the paper's
};
std::vector<Group> groups_of(const std::vector<ResultJson>& all);

// Results that differ in one setting alone, and in seeds.
struct Curve {
  ResultJson settings;  // of one of them
  std::map<double, Runs> at;
};
// Those with at least three values of the setting: two are no curve.
std::vector<Curve> curves_of(const Group& group, const std::string& key);

// The choice of strengths that stands for diverse: the preferred one where there is a result of it, else the
// most frequent, as JSON.
std::string shown_strengths(const Group& group, const std::vector<double>& preferred);

// For each method the results of equal settings: of diverse only those with this choice of strengths and the
// usual kind of diversity. A count that means nothing to a method does not tell its results apart.
using ByMethod = std::vector<std::pair<std::string, std::vector<Runs>>>;
ByMethod by_method(const Group& group, const std::string& strengths);

// Whether a number of members means something to the method.
bool has_count(const std::string& method);

// What most of the results that have something at a place have there, as JSON; empty when none has.
std::string usual_value(const Runs& results, const std::string& place);

// The setting at a place, a list of one counting as its only entry; null when it is not there.
ResultJson single_value(const ResultJson& settings, const std::string& key);

}  // namespace nouq::paper
