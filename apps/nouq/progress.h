// Progress of trainings on standard error: one line that redraws itself on a terminal, a line now and then
// elsewhere.
//
// When: a TrainingDisplay around the work, and `progress()` for nouq::train, nouq::select_model or a study.
// Contract: Ctrl-C asks the training to stop, for as long as the display lives or until it is closed.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <nouq/progress.h>

#include "interrupt.h"

namespace nouq::cli {

class TrainingDisplay {
 public:
  explicit TrainingDisplay(bool quiet);
  ~TrainingDisplay();
  TrainingDisplay(const TrainingDisplay&) = delete;
  TrainingDisplay& operator=(const TrainingDisplay&) = delete;

  // What a training is to tell; the display must outlive it.
  Progress progress();
  // When all networks are trained the line is finished, and Ctrl-C ends the program as usual: for work that
  // cannot be taken up again after them.
  void close_when_trained() { closes_ = true; }

 private:
  struct Network {
    double cost = 0;     // of an epoch
    double done = 0;     // epochs
    double skipped = 0;  // epochs that took no time: done before a resume, or never to be done
    std::int64_t best_epoch = -1;
  };

  void on_start(const TrainStart& plan);
  void on_resume(std::int64_t network, std::int64_t next_epoch);
  void on_epoch(const EpochReport& report);
  void on_finish(std::int64_t network);
  void close();
  void draw(bool force);
  void write(const std::string& line);
  [[nodiscard]] std::string line() const;
  [[nodiscard]] std::string best() const;
  [[nodiscard]] double left_over_worked() const;

  bool quiet_;
  bool closes_ = false;
  bool terminal_;
  bool drawn_something_ = false;
  std::optional<InterruptGuard> guard_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point drawn_;
  std::vector<Network> networks_;
  double epochs_ = 0;  // of each network
  std::size_t finished_ = 0;
  double train_loss_ = 0;       // of the network that reported last
  double validation_loss_ = 0;  // likewise
};

}  // namespace nouq::cli
