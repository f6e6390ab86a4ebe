#include "paper/trials.h"

#include <algorithm>

#include <fmt/format.h>

#include "paper/study_results.h"

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

}  // namespace nouq::paper
