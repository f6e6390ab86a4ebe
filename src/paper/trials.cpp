#include "paper/trials.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "paper/study_figures.h"
#include "paper/study_results.h"
#include "paper/study_table.h"

namespace nouq::paper {

std::vector<TriedStrength> tried_strengths(const ResultJson& run) {
  const ResultJson list = run.value("trials", ResultJson::array());
  const auto is_chosen = [](const ResultJson& trial) { return trial.value("chosen", false); };
  const auto chosen = std::find_if(list.begin(), list.end(), is_chosen);
  std::vector<TriedStrength> tried;
  for (const ResultJson& trial : list) {
    const auto same = [&](const char* key) {
      return chosen != list.end() && trial.value(key, ResultJson()) == chosen->value(key, ResultJson());
    };
    if (same("width") && same("rate"))
      tried.push_back(
          {trial.at("strength").get<double>(), number_at(trial, "/validation_mse"), is_chosen(trial)});
  }
  std::stable_sort(tried.begin(), tried.end(),
                   [](const TriedStrength& a, const TriedStrength& b) { return a.strength < b.strength; });
  return tried;
}

std::string choice_words(double tolerance) {
  return fmt::format("the largest strength whose error is within {:g} % of the lowest of all trials",
                     100 * tolerance);
}

// ---- Which diversity strength was chosen: the figure (study_figures.h) ----

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

// ---- The same in numbers (study_table.h) ----

namespace {

struct Choice {
  std::string problem, seed;
  std::vector<TriedStrength> tried;
};

std::vector<Choice> choices_of(const StudyResults& results) {
  std::vector<Choice> choices;
  for (const std::string& problem : results.problems()) {
    for (const ResultJson* run : results.runs(problem, "diverse"))
      choices.push_back({problem, fmt::to_string(seed_of(*run)), tried_strengths(*run)});
  }
  std::erase_if(choices, [](const Choice& choice) { return choice.tried.size() < 2; });
  return choices;
}

Row row_of(const Choice& choice, const std::set<double>& strengths) {
  Row row = {choice.problem, choice.seed};
  for (const double strength : strengths) {
    const auto own = std::find_if(choice.tried.begin(), choice.tried.end(),
                                  [&](const TriedStrength& trial) { return trial.strength == strength; });
    row.push_back(own == choice.tried.end() ? Cell() : Cell(own->validation_mse));
    row.back().best = own != choice.tried.end() && own->chosen;
  }
  return row;
}

}  // namespace

Table strength_table(const StudyResults& results) {
  const std::vector<Choice> choices = choices_of(results);
  std::set<double> strengths;
  for (const Choice& choice : choices) {
    for (const TriedStrength& trial : choice.tried) strengths.insert(trial.strength);
  }
  Table table{.title = "Which diversity strength was chosen?",
              .caption = fmt::format("Validation MSE of the strengths lambda that were tried with the chosen "
                                     "width and learning rate; a dash where the training diverged. Marked is "
                                     "the chosen one: {}.",
                                     choice_words(results.options().grid.tolerance)),
              .columns = {{.header = "problem"}, {.header = "seed"}},
              .groups = {{}}};
  for (const double strength : strengths)
    table.columns.push_back({.header = fmt::format("{:g}", strength), .group = "lambda"});
  for (const Choice& choice : choices) table.groups[0].rows.push_back(row_of(choice, strengths));
  return table;
}

}  // namespace nouq::paper
