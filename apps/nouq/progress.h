// Progress of a training on standard error: one line that redraws itself on a terminal, a line now and then
// elsewhere.
#pragma once

#include <chrono>
#include <csignal>
#include <string>

#include "train/trainer.h"

namespace nouq::cli {

class Progress : public TrainObserver {
 public:
  explicit Progress(Index epochs);
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void on_resume(Index next_epoch) override;
  void on_step(Index epoch, Index step, Index steps_per_epoch, double mean_loss) override;
  void on_epoch(const EpochRecord& record, Index best_epoch) override;
  // True after Ctrl-C; a second Ctrl-C ends the program at once.
  bool should_stop() override;

 private:
  void draw(double epochs_done, bool force);
  [[nodiscard]] std::string remaining(double epochs_done) const;

  Index epochs_;
  Index first_epoch_ = 0;
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point drawn_;
  double train_loss_ = 0;
  double validation_loss_ = 0;
  Index best_epoch_ = -1;
  void (*old_handler_)(int);
};

}  // namespace nouq::cli
