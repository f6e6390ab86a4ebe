// Which diversity strength was chosen (study_figures.h).
#include <algorithm>

#include <fmt/format.h>

#include "report/study_figures.h"

namespace nouq::report {
namespace {

// Trials of other widths and rates than the chosen ones would make the curve a zigzag.
bool on_the_curve(const ResultJson& trial, const ResultJson& chosen) {
  const std::vector<std::string> others = {"width", "rate"};
  return trial.at("validation_mse").is_number() &&
         std::all_of(others.begin(), others.end(), [&](const std::string& key) {
           return trial.value(key, ResultJson()) == chosen.value(key, ResultJson());
         });
}

double strength_of(const ResultJson& trial) { return trial.at("strength").get<double>(); }

void add_trial(const ResultJson& trial, Points& points) {
  points.x.push_back(strength_of(trial));
  points.y.push_back(trial.at("validation_mse").get<double>());
}

// Trials in the order of their strengths, whatever the order they were given in.
std::vector<ResultJson> trials_of(const ResultJson& run) {
  const ResultJson list = run.value("trials", ResultJson::array());
  std::vector<ResultJson> trials(list.begin(), list.end());
  std::stable_sort(trials.begin(), trials.end(),
                   [](const ResultJson& a, const ResultJson& b) { return strength_of(a) < strength_of(b); });
  return trials;
}

// No strength at all has no place on a logarithmic axis: a dotted line over the others.
Line zero_line(const ResultJson& trial, const Points& curve, bool is_chosen) {
  const auto error = trial.at("validation_mse").get<double>();
  return {.name = is_chosen ? "strength 0 (chosen)" : "strength 0",
          .x = {curve.x.front(), curve.x.back()},
          .y = {error, error},
          .colour = Colour::ink,
          .stroke = Stroke::dotted};
}

void add_run(const ResultJson& run, Points& chosen, Panel& panel) {
  const std::vector<ResultJson> trials = trials_of(run);
  const auto best = std::find_if(trials.begin(), trials.end(),
                                 [](const ResultJson& trial) { return trial.value("chosen", false); });
  if (best == trials.end()) return;
  Points curve{.name = fmt::format("seed {}", seed_of(run)), .joined = true};
  const ResultJson* zero = nullptr;
  for (const ResultJson& trial : trials) {
    if (!on_the_curve(trial, *best)) continue;
    if (strength_of(trial) > 0)
      add_trial(trial, curve);
    else
      zero = &trial;
  }
  if (curve.x.size() < 2) return;
  if (zero != nullptr) panel.series.emplace_back(zero_line(*zero, curve, zero == &*best));
  if (on_the_curve(*best, *best) && zero != &*best) add_trial(*best, chosen);
  panel.series.emplace_back(std::move(curve));
}

}  // namespace

Figure trials_figure(const StudyResults& results) {
  Figure figure{.title = "Which diversity strength?",
                .caption = fmt::format(
                    "Validation error of every strength that was tried with the chosen width and learning "
                    "rate, a line per seed. The largest strength whose error is within {:g} % of the best is "
                    "chosen.",
                    100 * results.options().grid.tolerance)};
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

}  // namespace nouq::report
