#include "paper/trained_networks.h"

namespace nouq::paper {
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

std::optional<std::vector<TrainedNetwork>> trained_networks(const std::vector<TrainOptions>& trainings,
                                                            const FitData& seen, const StudyPlaces& places) {
  if (!missing_networks(trainings, seen, places.models).empty()) return std::nullopt;
  NoTraining observer;
  return run_trainings(trainings, seen.train(), seen.validation(),
                       {.threads = places.threads, .folder = places.models}, &observer);
}

}  // namespace nouq::paper
