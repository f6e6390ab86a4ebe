// Progress of one or several trainings on standard error: one line that redraws itself on a terminal, a line
// now and then elsewhere.
//
// When: one Progress around the work, and `network(i)` as the observer of the i-th training; they may run one
// after the other or in parallel. Contract: Ctrl-C makes every observer ask for a stop.
#pragma once

#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "interrupt.h"
#include "train/trainer.h"

namespace nouq::cli {

struct ProgressPlan {
  Index epochs = 0;           // of each network
  std::vector<double> costs;  // of an epoch, one per network
  bool quiet = false;
};

class Progress {
 public:
  explicit Progress(const ProgressPlan& plan);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // The observer of network i, from 0; lives as long as the Progress.
  TrainObserver& network(Index i);
  // For a training that ended before its last epoch: its remaining epochs no longer count as work.
  void finish(Index network);

 private:
  class Network : public TrainObserver {
   public:
    Network(Progress& all, double cost) : all_(all), cost_(cost) {}
    void on_resume(Index next_epoch) override;
    void on_step(Index epoch, Index step, Index steps_per_epoch, double mean_loss) override;
    void on_epoch(const EpochRecord& record, Index best_epoch) override;
    bool should_stop() override { return interrupted(); }

   private:
    friend class Progress;
    Progress& all_;
    double cost_;
    double done_ = 0;     // epochs
    double skipped_ = 0;  // epochs that took no time: done before a resume, or never to be done
    Index best_epoch_ = -1;
    double best_loss_ = 0;
  };

  void draw(bool force);
  void write(const std::string& line);
  [[nodiscard]] std::string line() const;
  [[nodiscard]] std::string best() const;
  [[nodiscard]] double left_over_worked() const;

  ProgressPlan plan_;
  InterruptGuard guard_;
  bool terminal_;
  bool drawn_something_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point drawn_;
  std::mutex mutex_;
  std::deque<Network> networks_;
  double train_loss_ = 0;       // of the network that reported last
  double validation_loss_ = 0;  // likewise
};

}  // namespace nouq::cli
