// A Progress (nouq/progress.h) as the observer of a fit.
#pragma once

#include <atomic>
#include <exception>

#include <nouq/progress.h>

#include "uq/trainings.h"

namespace nouq {

class FitProgress final : public FitObserver {
 public:
  explicit FitProgress(const Progress& progress) : progress_(progress) {}

  void on_start(std::span<const double> costs, Index epochs) override {
    networks_ = std::ssize(costs);
    epochs_ = epochs;
    guarded([&] {
      if (progress_.on_start) progress_.on_start({networks_, epochs, costs, calibrating_});
    });
  }
  void on_resume(Index network, Index next_epoch) override {
    guarded([&] {
      if (progress_.on_resume) progress_.on_resume(network, next_epoch);
    });
  }
  void on_epoch(Index network, const EpochRecord& record, Index best_epoch) override {
    guarded([&] {
      const EpochReport report{network,
                               networks_,
                               record.epoch,
                               epochs_,
                               record.train_loss,
                               record.validation_loss,
                               record.learning_rate,
                               best_epoch};
      if (progress_.on_epoch && !progress_.on_epoch(report)) stop_ = true;
    });
  }
  void on_finish(Index network) override {
    guarded([&] {
      if (progress_.on_finish) progress_.on_finish(network);
    });
  }
  bool should_stop() override {
    guarded([&] {
      if (progress_.stop.stop_requested() || (progress_.should_stop && progress_.should_stop())) stop_ = true;
    });
    return stop_;
  }
  // What starts next serves the calibration.
  void calibrating() { calibrating_ = true; }
  // What a function of the caller threw.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  template <class Body>
  void guarded(Body&& body) {
    try {
      body();
    } catch (...) {
      if (!error_) error_ = std::current_exception();
      stop_ = true;
    }
  }

  const Progress& progress_;
  Index networks_ = 0;
  Index epochs_ = 0;
  bool calibrating_ = false;
  std::atomic<bool> stop_ = false;
  std::exception_ptr error_;
};

}  // namespace nouq
