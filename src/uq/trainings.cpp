#include "uq/trainings.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "core/checksum.h"
#include "core/threads.h"
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
  std::vector<TrainOptions> different;    // each setting once
  std::vector<std::string> fingerprints;  // of those
  std::vector<std::size_t> position;      // of every wanted training among them
};

Plan make_plan(std::span<const TrainOptions> wanted, const DataSet& train, const DataSet& validation) {
  Plan plan;
  std::map<std::string, std::size_t> known;
  for (const TrainOptions& options : wanted) {
    const std::string fingerprint = training_fingerprint(options, train, validation);
    const auto [entry, is_new] = known.emplace(fingerprint, plan.different.size());
    if (is_new) {
      plan.different.push_back(options);
      plan.fingerprints.push_back(fingerprint);
    }
    plan.position.push_back(entry->second);
  }
  return plan;
}

TrainedNetwork run_one(TrainOptions options, const DataSet& train, const DataSet& validation,
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

}  // namespace

std::filesystem::path training_file(const std::filesystem::path& folder, const std::string& fingerprint) {
  return folder / fmt::format("{:016x}.training", crc64(std::as_bytes(std::span(fingerprint))));
}

std::optional<std::vector<TrainedNetwork>> run_trainings(std::span<const TrainOptions> wanted,
                                                         const DataSet& train, const DataSet& validation,
                                                         const TrainingsOptions& options,
                                                         FitObserver* observer) {
  require(!wanted.empty(), "no network to train");
  FitObserver silent;
  FitObserver& listener = observer != nullptr ? *observer : silent;
  const Plan plan = make_plan(wanted, train, validation);
  const auto count = static_cast<Index>(plan.different.size());
  const int threads = resolve_threads(options.threads);
  const int workers = static_cast<int>(std::min<Index>(threads, count));
  Index epochs = 0;
  for (const TrainOptions& o : plan.different) epochs = std::max(epochs, o.epochs);
  listener.on_start(count, epochs);
  std::vector<TrainedNetwork> trained(plan.different.size());
  std::mutex mutex;
  std::atomic<bool> stopping = false;
  parallel_for(workers, count, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    Relay relay(listener, mutex, stopping, i);
    if (relay.should_stop()) return;
    TrainOptions own = plan.different[at];
    own.threads = std::max(1, threads / workers);
    own.checkpoint_period = options.checkpoint_period;
    own.checkpoint = options.folder.empty() ? "" : training_file(options.folder, plan.fingerprints[at]);
    trained[at] = run_one(std::move(own), train, validation, options.tolerate_divergence, relay);
    if (stopping) return;
    const std::lock_guard lock(mutex);
    listener.on_finish(i);
  });
  if (stopping) return std::nullopt;
  std::vector<TrainedNetwork> result;
  for (const std::size_t position : plan.position) result.push_back(trained[position]);
  return result;
}

}  // namespace nouq
