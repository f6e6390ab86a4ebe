// What changes with one setting, and what quality costs: figures of everything in a store that belongs
// together, whatever settings the study's tables are about.
//
// Why: how many heads, how wide, how strong, which kind of diversity are asked with cheaper runs than those
// of the tables. Contract: results that differ in the setting alone (and in seeds) are one curve; curves of
// one problem with the same data and epochs are one figure, whose caption says which. Fewer than three such
// results are no curve.
#pragma once

#include <map>

#include "paper/plot.h"
#include "paper/study_figures.h"
#include "paper/study_results.h"

namespace nouq::paper {

struct Sweep {
  std::string key;  // of the settings, as a JSON pointer; a number, or a list of one
  std::string label, words;
};
inline const std::vector<Sweep> sweeps = {
    {"/count", "M", "M is the number of heads, networks or masks."},
    {"/grid/width", "width", "The width is the number of channels of the trunk."},
    {"/grid/strength", "strength",
     "The kinds of diversity beside each other: heads are pushed apart by their weights, their gradients or "
     "their outputs."}};

// A figure per metric; of the number of members also what they cost, of the strength one beside the other
// methods and one that compares kinds of diversity. Which setting is best is counted in the caption.
std::vector<Figure> sweep_figures(const std::vector<ResultJson>& all, const Sweep& sweep);

// Error and n-MeRCI at the medium shift against FLOPs, parameters and seconds, a figure per problem.
// With the number of members that most results have, and the study's choice of strengths; a line joins those
// that differ in width alone.
std::vector<Figure> cost_figures(const std::vector<ResultJson>& all, const std::vector<double>& strengths);

// ---- Results of a store sorted into what can stand in one picture (sweep_groups.cpp) ----

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

// ---- What the figures say in words: names of curves, and captions counted from them ----

// The methods that know nothing of the swept setting.
using Baselines = std::vector<std::pair<std::string, Runs>>;

std::string method_of(const Curve& curve);

// The kind of diversity of a curve; empty for methods that have none.
std::string diversity_of(const Curve& curve);
bool of_several_kinds(const std::vector<Curve>& curves);

// The method, and whatever else is not the same in all curves.
std::string name_of(const Curve& curve, const std::vector<Curve>& curves, const std::string& swept);

// The rest, what is the same in all of them: " All with M = 10, width 32."
std::string fixed_words(const std::vector<Curve>& curves, const std::string& swept);

// Who has the lowest value of all, where, and in how many ranges: "diverse at M = 10 in 3 of 4 ranges".
std::string lowest_words(const std::vector<Curve>& curves, const Baselines& baselines, const Sweep& sweep,
                         const ShownMetric& metric);

// Where the weights that were kept are older than the diversity term, which comes after a warm-up: the term
// spoilt the network at once, and the result is that of a short training without it.
std::string warm_up_words(const std::vector<Curve>& curves, const Sweep& sweep);

}  // namespace nouq::paper
