// A Progress for a fit, which knows only when it begins how many networks it trains.
#pragma once

#include <optional>

#include "progress.h"
#include "uq/trainings.h"

namespace nouq::cli {

class FitProgress final : public FitObserver {
 public:
  explicit FitProgress(bool quiet) : quiet_(quiet) {}
  void on_start(std::span<const double> costs, Index epochs) override {
    progress_.emplace(ProgressPlan{epochs, {costs.begin(), costs.end()}, quiet_});
  }
  void on_resume(Index network, Index next_epoch) override {
    progress_->network(network).on_resume(next_epoch);
  }
  void on_epoch(Index network, const EpochRecord& record, Index best_epoch) override {
    progress_->network(network).on_epoch(record, best_epoch);
  }
  void on_finish(Index network) override { progress_->finish(network); }
  bool should_stop() override { return interrupted(); }

 private:
  bool quiet_;
  InterruptGuard guard_;
  std::optional<Progress> progress_;
};

}  // namespace nouq::cli
