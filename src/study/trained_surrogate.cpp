#include "study/trained_surrogate.h"

#include <algorithm>

namespace nouq {
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

Trial chosen_trial(const ResultJson& result) {
  const ResultJson trials = result.value("trials", ResultJson::array());
  const auto chosen = std::find_if(trials.begin(), trials.end(),
                                   [](const ResultJson& trial) { return trial.value("chosen", false); });
  require(chosen != trials.end(), "a result without a chosen trial");
  Trial trial;
  trial.width = chosen->at("width").get<Index>();
  trial.rate = chosen->at("rate").get<double>();
  trial.dropout = chosen->at("dropout").get<double>();
  trial.strength = chosen->at("strength").get<double>();
  return trial;
}

}  // namespace

StudyCase case_of(const ResultJson& result) {
  const ResultJson& settings = result.at("settings");
  return {settings.at("problem").get<std::string>(),
          settings.at("seed").get<std::uint64_t>(),
          {settings.at("method").get<std::string>()}};
}

std::optional<std::vector<TrainedNetwork>> trained_networks(const std::vector<TrainOptions>& trainings,
                                                            const StudyData& data,
                                                            const StudyPlaces& places) {
  if (!missing_networks(trainings, data, places.models).empty()) return std::nullopt;
  NoTraining observer;
  return run_trainings(trainings, data.train, data.validation,
                       {.threads = places.threads, .folder = places.models}, &observer);
}

std::optional<Surrogate> trained_surrogate(const StudyOptions& options, const ResultJson& result,
                                           const StudyData& data, const StudyPlaces& places) {
  const StudyCase study_case = case_of(result);
  const FitOptions fit =
      options_of(study_fit(options, study_case, study_case.methods.front(), data), chosen_trial(result));
  const auto networks = trained_networks(fit_trainings(fit, data.train), data, places);
  if (!networks) return std::nullopt;
  Surrogate surrogate = assemble(fit, data.train, data.validation, *networks);
  calibrate(data, places.threads, surrogate);
  return surrogate;
}

}  // namespace nouq
