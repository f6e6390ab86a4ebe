// What changes with one setting, and what quality costs: figures of everything in a store that belongs
// together, whatever settings the study's tables are about.
//
// Why: how many heads, how wide, how strong, which kind of diversity are asked with cheaper runs than those
// of the tables. Contract: results that differ in the setting alone (and in seeds) are one curve; curves of
// one problem with the same data and epochs are one figure, whose caption says which. Fewer than three such
// results are no curve.
#pragma once

#include "paper/plot.h"
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

}  // namespace nouq::paper
