#include "uq/trainings.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <thread>

#include "core/error.h"
#include "core/file.h"
#include "core/threads.h"
#include "uq/training_plan.h"
#include "uq/trainings_over_ranks.h"

namespace nouq {
namespace {

// Passes one network's news on to the common observer, one caller at a time.
class Relay final : public TrainObserver {
 public:
  Relay(FitObserver& observer, std::mutex& mutex, std::atomic<bool>& stopping, Index network)
      : observer_(observer), mutex_(mutex), stopping_(stopping), network_(network) {}

  void on_resume(Index next_epoch) override {
    const std::lock_guard lock(mutex_);
    observer_.on_resume(network_, next_epoch);
  }
  void on_epoch(const EpochRecord& record, Index best_epoch) override {
    const std::lock_guard lock(mutex_);
    observer_.on_epoch(network_, record, best_epoch);
  }
  bool should_stop() override {
    if (stopping_) return true;
    const std::lock_guard lock(mutex_);
    if (observer_.should_stop()) stopping_ = true;
    return stopping_;
  }

 private:
  FitObserver& observer_;
  std::mutex& mutex_;
  std::atomic<bool>& stopping_;
  Index network_;
};

enum class Waiting { none, endless };

// The trainings of a plan, spread over the threads.
class Pool {
 public:
  Pool(const TrainingPlan& plan, const TrainingsOptions& options, FitObserver& observer)
      : plan_(plan),
        options_(options),
        observer_(observer),
        threads_(resolve_threads(options.threads)),
        workers_(static_cast<int>(std::min<Index>(threads_, count()))),
        trained_(plan.different.size()) {}

  // nullopt: the observer asked to stop.
  std::optional<std::vector<TrainedNetwork>> run() {
    observer_.on_start(plan_.costs(), plan_.epochs());
    const NestedLoops own_threads_for_each;
    parallel_for(workers_, count(), [&](Index i) {
      if (!train_or_stop_all(i, Waiting::none)) return leave(i);
      take_up_left();
    });
    parallel_for(workers_, std::ssize(left_),
                 [&](Index j) { train_or_stop_all(left_[j], Waiting::endless); });
    if (stopping_) return std::nullopt;
    return std::move(trained_);
  }

 private:
  [[nodiscard]] Index count() const { return plan_.count(); }

  // What other processes are at is asked for again whenever a network is finished: by and by it is there.
  void leave(Index i) {
    const std::lock_guard guard(mutex_);
    left_.push_back(i);
  }
  std::optional<Index> next_left() {
    const std::lock_guard guard(mutex_);
    if (left_.empty()) return std::nullopt;
    const Index i = left_.front();
    left_.pop_front();
    return i;
  }
  void take_up_left() {
    const std::size_t count = [&] {
      const std::lock_guard guard(mutex_);
      return left_.size();
    }();
    for (std::size_t asked = 0; asked < count; ++asked) {
      const auto i = next_left();
      if (!i) return;
      if (!train_or_stop_all(*i, Waiting::none)) leave(*i);
    }
  }

  // A failure ends all: the other networks would not be used.
  bool train_or_stop_all(Index i, Waiting waiting) {
    const OutsideLoops own_memory;
    try {
      return train_here(i, waiting);
    } catch (...) {
      stopping_ = true;
      throw;
    }
  }

  // False: another process trains it, and the options say not to wait.
  bool train_here(Index i, Waiting waiting) {
    Relay relay(observer_, mutex_, stopping_, i);
    if (relay.should_stop()) return true;
    std::optional<LockFile> lock;
    if (options_.shared && !options_.folder.empty()) {
      lock = lock_of(i, waiting, relay);
      if (!lock) return stopping_;
    }
    TrainedNetwork& own = trained_[i];
    own = train_one(plan_, i, options_, std::max(1, threads_ / workers_), relay);
    if (stopping_) return true;
    if (!options_.weights_back) own.weights = {};
    {
      const std::lock_guard guard(mutex_);
      observer_.on_finish(i);
    }
    lock.reset();
    observer_.on_released(plan_.fingerprints[i]);
    return true;
  }

  std::optional<LockFile> lock_of(Index i, Waiting waiting, Relay& relay) {
    const auto path = training_lock(options_.folder, plan_.fingerprints[i]);
    for (;;) {
      auto lock = LockFile::try_lock(path);
      if (lock || waiting == Waiting::none || relay.should_stop()) return lock;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  }

  const TrainingPlan& plan_;
  const TrainingsOptions& options_;
  FitObserver& observer_;
  int threads_, workers_;
  std::vector<TrainedNetwork> trained_;
  std::deque<Index> left_;  // networks that other processes were at
  std::mutex mutex_;
  std::atomic<bool> stopping_ = false;
};

// Over ranks the networks are trained somewhere and read by whoever leads.
std::optional<std::vector<TrainedNetwork>> train_together(Communicator& communicator,
                                                          const TrainingPlan& plan,
                                                          const TrainingsOptions& options,
                                                          FitObserver& observer) {
  if (!train_over_ranks(communicator, plan, options, observer)) return std::nullopt;
  if (communicator.rank() > 0 || !options.weights_back)
    return std::vector<TrainedNetwork>(plan.different.size());
  FitObserver silent;
  TrainingsOptions to_read = options;
  to_read.shared = false;
  return Pool(plan, to_read, silent).run();
}

// The others are for other processes.
std::optional<std::vector<TrainedNetwork>> train_part(const TrainingPlan& plan, Part part,
                                                      const TrainingsOptions& options,
                                                      FitObserver& observer) {
  const TrainingPlan own = part_of(plan, part);
  if (own.count() > 0 && !Pool(own, options, observer).run()) return std::nullopt;
  return std::vector<TrainedNetwork>(plan.different.size());
}

std::optional<std::vector<TrainedNetwork>> train_plan(const TrainingPlan& plan,
                                                      const TrainingsOptions& options,
                                                      FitObserver& observer) {
  Communicator* const communicator = options.ranks;
  if (communicator != nullptr && !options.folder.empty()) {
    if (communicator->size() > 1) return train_together(*communicator, plan, options, observer);
    if (communicator->part().count > 1) return train_part(plan, communicator->part(), options, observer);
  }
  return Pool(plan, options, observer).run();
}

}  // namespace

std::optional<std::vector<TrainedNetwork>> run_trainings(std::span<const Training> wanted,
                                                         const TrainingsOptions& options,
                                                         FitObserver* observer) {
  require(!wanted.empty(), "no network to train");
  FitObserver silent;
  const TrainingPlan plan = plan_trainings(wanted);
  auto trained = train_plan(plan, options, observer != nullptr ? *observer : silent);
  if (!trained || plan.position.size() == trained->size()) return trained;
  std::vector<TrainedNetwork> result;
  for (const std::size_t position : plan.position) result.push_back((*trained)[position]);
  return result;
}

std::optional<std::vector<TrainedNetwork>> run_trainings(std::span<const TrainerOptions> wanted,
                                                         const ScaledData& train,
                                                         const ScaledData& validation,
                                                         const TrainingsOptions& options,
                                                         FitObserver* observer) {
  std::vector<Training> trainings;
  for (const TrainerOptions& one : wanted) trainings.push_back({one, &train, &validation});
  return run_trainings(trainings, options, observer);
}

}  // namespace nouq
