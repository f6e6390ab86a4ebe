// Which diversity strength was chosen (study_figures.h).
#include <cmath>

#include <fmt/format.h>

#include "paper/study_figures.h"
#include "paper/trials.h"

namespace nouq::paper {
namespace {

void add_trial(const TriedStrength& trial, Points& points) {
  points.x.push_back(trial.strength);
  points.y.push_back(trial.validation_mse);
}

void add_run(const ResultJson& run, Points& chosen, Panel& panel) {
  Points curve{.name = fmt::format("seed {}", seed_of(run)), .joined = true};
  std::vector<TriedStrength> trials = tried_strengths(run);
  std::erase_if(trials, [](const TriedStrength& trial) { return !std::isfinite(trial.validation_mse); });
  for (const TriedStrength& trial : trials) {
    if (trial.strength > 0) add_trial(trial, curve);
  }
  if (curve.x.size() < 2) return;
  for (const TriedStrength& trial : trials) {
    if (trial.strength <= 0)
      panel.series.emplace_back(zero_line(curve, trial.validation_mse,
                                          trial.chosen ? "strength 0 (chosen)" : "strength 0", Colour::ink));
    else if (trial.chosen)
      add_trial(trial, chosen);
  }
  panel.series.emplace_back(std::move(curve));
}

}  // namespace

Figure trials_figure(const StudyResults& results) {
  Figure figure{.title = "Which diversity strength?",
                .caption = fmt::format(
                    "Validation error of every strength that was tried with the chosen width and learning "
                    "rate, a line per seed. Chosen is {}.",
                    choice_words(results.options().grid.tolerance))};
  for (const std::string& problem : results.problems()) {
    Panel panel{.title = problem,
                .x = {.label = "strength", .scale = Scale::log},
                .y = {.label = "validation MSE", .scale = Scale::log}};
    Points chosen{.name = "chosen", .colour = Colour::ink};
    for (const ResultJson* run : results.runs(problem, "diverse")) add_run(*run, chosen, panel);
    if (panel.series.empty()) continue;
    if (!chosen.x.empty()) panel.series.emplace_back(std::move(chosen));
    fit_axes(panel);
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace nouq::paper
