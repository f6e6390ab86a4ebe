// Which diversity strength was chosen, in numbers (study_table.h).
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "paper/study_table.h"
#include "paper/trials.h"

namespace nouq::paper {
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
