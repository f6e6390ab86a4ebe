// Results computed anew, and the networks they are computed from (run_study.h).
#include <algorithm>
#include <optional>

#include <fmt/ranges.h>

#include "core/error.h"
#include "paper/case_evaluation.h"
#include "paper/run_study.h"

namespace nouq::paper {
namespace {

// Per trial: why it takes no part; empty when it does.
using LeftOut = std::vector<std::string>;

// Trials that failed when the result was made.
LeftOut failures_of(const ResultJson& trials) {
  LeftOut failures;
  for (const ResultJson& trial : trials) {
    const bool failed = trial.value("validation_mse", ResultJson()).is_null();
    const ResultJson reason = trial.value("error", ResultJson());
    const std::string words = reason.is_string() ? reason.get<std::string>() : "no finite validation error";
    failures.push_back(failed ? words : "");
  }
  return failures;
}

// Trials that were not chosen, those that failed among them.
LeftOut unchosen_of(const ResultJson& trials) {
  LeftOut unchosen;
  for (const ResultJson& trial : trials)
    unchosen.push_back(trial.at("chosen").get<bool>() ? "" : "not chosen when the result was made");
  return unchosen;
}

std::vector<TrainerOptions> taking_part(const std::vector<TrainerOptions>& trainings,
                                        const LeftOut& left_out) {
  const std::size_t per_trial = trainings.size() / left_out.size();
  std::vector<TrainerOptions> wanted;
  for (std::size_t i = 0; i < trainings.size(); ++i) {
    if (left_out[i / per_trial].empty()) wanted.push_back(trainings[i]);
  }
  return wanted;
}

// The choice is made anew where the networks of all trials are there, and stands where only those of the
// chosen one are.
LeftOut left_out_of(const std::vector<TrainerOptions>& trainings, const ResultJson& trials,
                    const FitData& seen, const StudyPlaces& places) {
  const LeftOut failures = failures_of(trials), unchosen = unchosen_of(trials);
  const auto all = taking_part(trainings, failures), chosen = taking_part(trainings, unchosen);
  const auto missing = missing_networks(all, seen, places.models);
  if (missing.empty()) return failures;
  require(!chosen.empty() && missing_networks(chosen, seen, places.models).empty(),
          "{} of {} trained networks are not in {}: {}", missing.size(), all.size(), places.models.string(),
          fmt::join(missing, ", "));
  return unchosen;
}

// The networks of all trials, equally many of each; of those that take no part only the reason is left.
std::vector<TrainedNetwork> networks_of(const std::vector<TrainerOptions>& trainings,
                                        const ResultJson& result, std::size_t count, const FitData& seen,
                                        const StudyPlaces& places) {
  const ResultJson trials = result.value("trials", ResultJson());
  require(trials.is_array(), "the result does not say what was tried");
  require(count > 0 && trials.size() == count, "{} trials recorded, expected {}", trials.size(), count);
  const LeftOut left_out = left_out_of(trainings, trials, seen, places);
  const auto found = trained_networks(taking_part(trainings, left_out), seen, places);
  require(found.has_value(), "a network in {} is not trained to its end", places.models.string());
  std::vector<TrainedNetwork> networks(trainings.size());
  auto next = found->begin();
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const std::string& reason = left_out[i * count / networks.size()];
    if (reason.empty()) {
      networks[i] = *next++;
    } else {
      networks[i].error = reason;
    }
  }
  return networks;
}

// Seconds were taken where the networks were trained; and of trials left out only the record is there.
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

namespace {

// Stops as soon as a network would have to be trained.
class NoTraining final : public FitObserver {
 public:
  void on_start(std::span<const double> /*costs*/, Index epochs) override { epochs_ = epochs; }
  void on_resume(Index /*network*/, Index next_epoch) override { unfinished_ |= next_epoch < epochs_; }
  bool should_stop() override { return unfinished_; }

 private:
  Index epochs_ = 0;
  bool unfinished_ = false;
};

}  // namespace

StudyCase case_of(const ResultJson& result) {
  const ResultJson& settings = result.at("settings");
  return {settings.at("problem").get<std::string>(),
          settings.at("seed").get<std::uint64_t>(),
          {settings.at("method").get<std::string>()}};
}

std::optional<std::vector<TrainedNetwork>> trained_networks(const std::vector<TrainerOptions>& trainings,
                                                            const FitData& seen, const StudyPlaces& places) {
  if (!missing_networks(trainings, seen, places.models).empty()) return std::nullopt;
  NoTraining observer;
  return run_trainings(trainings, seen.train(), seen.validation(),
                       {.threads = places.threads, .folder = places.models}, &observer);
}

}  // namespace nouq::paper
