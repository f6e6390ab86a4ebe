// What the figures of sweeps say in words (sweep_figures.h): names of curves, and captions counted from them.
#pragma once

#include "paper/study_figures.h"
#include "paper/sweep_figures.h"
#include "paper/sweep_groups.h"

namespace nouq::paper {

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
