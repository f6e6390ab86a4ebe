#include "uq/trainings.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "core/checksum.h"
#include "core/error.h"
#include "core/file.h"
#include "core/threads.h"
#include "nn/cost.h"
#include "train/fingerprint.h"

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

struct Plan {
  std::vector<Training> different;        // each setting once
  std::vector<std::string> fingerprints;  // of those
  std::vector<std::size_t> position;      // of every wanted training among them
};

// Says in an error which network of several it was.
template <class Action>
decltype(auto) naming(std::size_t i, std::size_t count, Action&& action) {
  if (count == 1) return std::forward<Action>(action)();
  return with_source(fmt::format("network {} of {}", i + 1, count), std::forward<Action>(action));
}

Plan make_plan(std::span<const Training> wanted) {
  Plan plan;
  std::map<std::string, std::size_t> known;
  for (const Training& training : wanted) {
    const std::string fingerprint =
        training_fingerprint(training.options, *training.train, *training.validation);
    const auto [entry, is_new] = known.emplace(fingerprint, plan.different.size());
    if (is_new) {
      plan.different.push_back(training);
      plan.fingerprints.push_back(fingerprint);
    }
    plan.position.push_back(entry->second);
  }
  for (std::size_t i = 0; i < plan.different.size(); ++i) {
    const Training& one = plan.different[i];
    naming(i, plan.different.size(), [&] { validate(one.options, *one.train, *one.validation); });
  }
  return plan;
}

TrainedNetwork run_one(TrainerOptions options, const ScaledData& train, const ScaledData& validation,
                       bool tolerate_divergence, Relay& relay) {
  Trainer trainer(std::move(options), train, validation);
  std::string error;
  try {
    trainer.train(&relay);
  } catch (const Error& e) {
    if (!tolerate_divergence || !trainer.diverged()) throw;
    error = e.what();
  }
  return {{trainer.best_weights().begin(), trainer.best_weights().end()},
          trainer.history(),
          trainer.best_epoch(),
          trainer.fingerprint(),
          error};
}

enum class Patience { none, endless };

// The trainings of a plan, spread over the threads.
class Pool {
 public:
  Pool(const Plan& plan, const TrainingsOptions& options, FitObserver& observer)
      : plan_(plan),
        options_(options),
        observer_(observer),
        threads_(resolve_threads(options.threads)),
        workers_(static_cast<int>(std::min<Index>(threads_, count()))),
        trained_(plan.different.size()) {}

  // nullopt: the observer asked to stop.
  std::optional<std::vector<TrainedNetwork>> run() {
    Index epochs = 0;
    std::vector<double> costs;
    for (const Training& training : plan_.different) {
      epochs = std::max(epochs, training.options.epochs);
      costs.push_back(
          cost_of(training.options.network, shape_of(training.train->data().grid), training.train->size())
              .step_flops);
    }
    observer_.on_start(costs, epochs);
    const NestedLoops own_threads_for_each;
    parallel_for(workers_, count(), [&](Index i) {
      if (!train_or_stop_all(i, Patience::none)) return leave(i);
      take_up_left();
    });
    parallel_for(workers_, std::ssize(left_),
                 [&](Index j) { train_or_stop_all(left_[j], Patience::endless); });
    if (stopping_) return std::nullopt;
    return std::move(trained_);
  }

 private:
  [[nodiscard]] Index count() const { return std::ssize(plan_.different); }

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
      if (!train_or_stop_all(*i, Patience::none)) leave(*i);
    }
  }

  // A failure ends all: the other networks would not be used.
  bool train_or_stop_all(Index i, Patience patience) {
    const OutsideLoops own_memory;
    try {
      return train_one(i, patience);
    } catch (...) {
      stopping_ = true;
      throw;
    }
  }

  // False: another process trains it, and the options say not to wait.
  bool train_one(Index i, Patience patience) {
    const std::size_t at = i;
    Relay relay(observer_, mutex_, stopping_, i);
    if (relay.should_stop()) return true;
    const Training& training = plan_.different[at];
    TrainerOptions own = training.options;
    own.threads = std::max(1, threads_ / workers_);
    own.checkpoint_period = options_.checkpoint_period;
    own.checkpoint_seconds = options_.checkpoint_seconds;
    own.checkpoint = options_.folder.empty() ? "" : training_file(options_.folder, plan_.fingerprints[at]);
    std::optional<LockFile> lock;
    if (options_.shared && !options_.folder.empty()) {
      lock = lock_of(own.checkpoint, patience, relay);
      if (!lock) return stopping_;
    }
    trained_[at] = naming(at, plan_.different.size(), [&] {
      return run_one(std::move(own), *training.train, *training.validation, options_.tolerate_divergence,
                     relay);
    });
    if (stopping_) return true;
    if (!options_.weights_back) trained_[at].weights = {};
    {
      const std::lock_guard guard(mutex_);
      observer_.on_finish(i);
    }
    lock.reset();
    observer_.on_released(plan_.fingerprints[at]);
    return true;
  }

  std::optional<LockFile> lock_of(std::filesystem::path checkpoint, Patience patience, Relay& relay) {
    const std::filesystem::path path = checkpoint.replace_extension(".lock");
    for (;;) {
      auto lock = LockFile::try_lock(path);
      if (lock || patience == Patience::none || relay.should_stop()) return lock;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  }

  const Plan& plan_;
  const TrainingsOptions& options_;
  FitObserver& observer_;
  int threads_, workers_;
  std::vector<TrainedNetwork> trained_;
  std::deque<Index> left_;  // networks that other processes were at
  std::mutex mutex_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace

std::filesystem::path training_file(const std::filesystem::path& folder, const std::string& fingerprint) {
  return folder / fmt::format("{:016x}.training", crc64(std::as_bytes(std::span(fingerprint))));
}

std::optional<std::vector<TrainedNetwork>> run_trainings(std::span<const Training> wanted,
                                                         const TrainingsOptions& options,
                                                         FitObserver* observer) {
  require(!wanted.empty(), "no network to train");
  FitObserver silent;
  const Plan plan = make_plan(wanted);
  auto trained = Pool(plan, options, observer != nullptr ? *observer : silent).run();
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
