// Figures of a study that need its results alone.
//
// Contract: a figure without anything to show has no panels; whoever shows it leaves it out. Methods keep
// their colours in all figures. Where captions state who is best, that is counted from the results.
#pragma once

#include "paper/plot.h"
#include "paper/study_results.h"

namespace nouq::paper {

Colour method_colour(const std::string& method);

struct ShownMetric {
  std::string name;  // of the registry
  std::string label;
  Scale scale = Scale::linear;
};
inline const std::vector<ShownMetric> shown_metrics = {{"nmerci", "n-MeRCI", Scale::log},
                                                       {"mse", "MSE", Scale::log}};

// For panels of a few points: room on both sides of a logarithmic x axis, and a linear y axis where values
// are of one size, because a logarithmic one would have no number on it. To be called when all is in it.
void fit_axes(Panel& panel);

// Half the length of an error bar over seeds.
double seed_error(const Cell& cell);
// A level over the whole of a curve: for a setting at zero, which has no place on a logarithmic axis.
// The curve has a point.
Line zero_line(const Points& curve, double value, std::string name, Colour colour);

inline constexpr const char* bar_words = "Bars, where there are several seeds: one standard deviation.";

// A panel per problem, a line per method over the four ranges; the paper's numbers dashed.
Figure shift_figure(const StudyResults& results, const ShownMetric& metric);

// How the trust score tells shifted from in-domain samples.
Figure trust_shift_figure(const StudyResults& results);

// The squared error after a projection over the one before.
Figure ratio_figure(const StudyResults& results, const std::string& projection);

// The validation error of every diversity strength that was tried with the chosen width and rate, and the
// chosen one.
Figure trials_figure(const StudyResults& results);

}  // namespace nouq::paper
