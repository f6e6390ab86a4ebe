#include "study/evaluate_again.h"

#include <algorithm>
#include <optional>

#include <fmt/ranges.h>

#include "study/case_evaluation.h"
#include "study/trained_networks.h"

namespace nouq {
namespace {

// Per trial: why it failed when the result was made; empty when it did not.
std::vector<std::string> failures_of(const ResultJson& result) {
  const ResultJson trials = result.value("trials", ResultJson());
  require(trials.is_array(), "the result does not say what was tried");
  std::vector<std::string> failures;
  for (const ResultJson& trial : trials) {
    const bool failed = trial.value("validation_mse", ResultJson()).is_null();
    const ResultJson reason = trial.value("error", ResultJson());
    const std::string words = reason.is_string() ? reason.get<std::string>() : "no finite validation error";
    failures.push_back(failed ? words : "");
  }
  return failures;
}

// The networks of all trials, equally many of each; of failed ones only the reason is left.
std::vector<TrainedNetwork> networks_of(const std::vector<TrainOptions>& trainings, const ResultJson& result,
                                        std::size_t trials, const FitData& seen, const StudyPlaces& places) {
  const std::vector<std::string> failures = failures_of(result);
  require(trials > 0 && failures.size() == trials, "{} trials recorded, expected {}", failures.size(),
          trials);
  const std::size_t per_trial = trainings.size() / failures.size();
  std::vector<TrainOptions> wanted;
  for (std::size_t i = 0; i < trainings.size(); ++i) {
    if (failures[i / per_trial].empty()) wanted.push_back(trainings[i]);
  }
  const auto missing = missing_networks(wanted, seen, places.models);
  require(missing.empty(), "{} of {} trained networks are not in {}: {}", missing.size(), wanted.size(),
          places.models.string(), fmt::join(missing, ", "));
  const auto found = trained_networks(wanted, seen, places);
  require(found.has_value(), "a network in {} is not trained to its end", places.models.string());
  std::vector<TrainedNetwork> networks(trainings.size());
  auto next = found->begin();
  for (std::size_t i = 0; i < networks.size(); ++i) {
    if (failures[i / per_trial].empty()) {
      networks[i] = *next++;
    } else {
      networks[i].error = failures[i / per_trial];
    }
  }
  return networks;
}

// Seconds were taken where the networks were trained; and of trials that failed only the record is left.
ResultJson with_origin(ResultJson fresh, const ResultJson& old) {
  if (old.contains("machine")) fresh["machine"] = old.at("machine");
  for (std::size_t t = 0; t < fresh.at("trials").size(); ++t) {
    if (fresh.at("trials")[t].contains("error")) fresh["trials"][t] = old.at("trials")[t];
  }
  return fresh;
}

}  // namespace

std::vector<std::string> evaluate_again(const StudyOptions& o, const StudyCase& c,
                                        const StudyPlaces& places) {
  const ResultStore store(places.results);
  std::optional<StudyData> data;
  std::optional<FitData> seen;
  std::optional<CaseEvaluation> evaluation;
  std::vector<std::string> reasons;
  for (const std::string& method : c.methods) {
    const ResultJson settings = result_settings(o, c, method);
    if (!store.has(settings)) continue;
    try {
      if (!data) data = study_data(o, c);
      if (!seen) seen.emplace(seen_data(o, c, *data));
      const auto trainings = method_trainings(o, c, method, *data, *seen);
      const ResultJson old = store.get(settings);
      const std::size_t trials = trials_of(study_fit(o, c, method, *data), o.grid).size();
      const auto networks = networks_of(trainings, old, trials, *seen, places);
      if (!evaluation) evaluation.emplace(o, c, *data, places.threads);
      store.put(settings, with_origin(evaluation->result(method, networks), old));
    } catch (const Error& error) {
      reasons.push_back(words_of(c, method) + ": " + error.what());
    }
  }
  return reasons;
}

std::vector<std::string> evaluate_store_again(const std::vector<std::string>& problems,
                                              const std::vector<std::string>& methods,
                                              const StudyPlaces& places) {
  const auto holds = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<std::string> reasons;
  for (const ResultJson& result : ResultStore(places.results).all()) {
    const ResultJson& settings = result.at("settings");
    const std::string method = settings.value("method", "");
    if (!holds(problems, settings.value("problem", "")) || !holds(methods, method)) continue;
    const std::optional<StudyOptions> options = options_behind(settings);
    if (!options) {
      reasons.push_back(fmt::format("{}, {} ({}.json): made with other settings than this version knows",
                                    settings.value("problem", ""), method, ResultStore::name_of(settings)));
      continue;
    }
    for (std::string& reason : evaluate_again(*options, case_of(result), places))
      reasons.push_back(std::move(reason));
  }
  return reasons;
}

}  // namespace nouq
