#include "study/run_study.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>

#include <fmt/ranges.h>

#include "core/file.h"
#include "train/fingerprint.h"

namespace nouq {
namespace {

// One case that the store does not have, with its data.
struct OpenCase {
  OpenCase(const StudyOptions& options, const StudyCase& one)
      : study_case(&one), data(study_data(options, one)) {}

  const StudyCase* study_case;
  StudyData data;
  std::atomic<Index> left = 0;  // networks
};

// Hears nothing, and asks another whether to stop.
class Stopper final : public FitObserver {
 public:
  explicit Stopper(FitObserver& listener) : listener_(listener) {}
  bool should_stop() override { return listener_.should_stop(); }

 private:
  FitObserver& listener_;
};

// Passes news on, and evaluates a case when its last network is there.
class Finisher final : public FitObserver {
 public:
  Finisher(const StudyOptions& options, const StudyPlaces& places, FitObserver& listener)
      : options_(options), places_(places), listener_(listener) {
    places_.threads = 1;  // the other threads go on training
  }

  void add(OpenCase& owner, const std::string& fingerprint) {
    ++owner.left;
    owners_[fingerprint].push_back(&owner);
  }

  void on_start(std::span<const double> costs, Index epochs) override { listener_.on_start(costs, epochs); }
  void on_resume(Index network, Index next_epoch) override { listener_.on_resume(network, next_epoch); }
  void on_epoch(Index network, const EpochRecord& record, Index best_epoch) override {
    listener_.on_epoch(network, record, best_epoch);
  }
  void on_finish(Index network) override { listener_.on_finish(network); }
  bool should_stop() override { return listener_.should_stop(); }
  void on_released(const std::string& fingerprint) override {
    for (OpenCase* owner : owners_.at(fingerprint)) {
      if (--owner->left == 0) finish(*owner->study_case);
    }
  }
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }

 private:
  // One case that fails is no reason to leave the others untrained.
  void finish(const StudyCase& study_case) {
    Stopper stopper(listener_);
    try {
      if (!run_case(options_, study_case, places_, &stopper)) stopped_ = true;
    } catch (const Error& error) {
      const std::lock_guard guard(mutex_);
      failures_.emplace_back(error.what());
    }
  }

  const StudyOptions& options_;
  StudyPlaces places_;
  FitObserver& listener_;
  std::map<std::string, std::vector<OpenCase*>> owners_;  // of every network, once for each mention
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::vector<std::string> failures_;
};

bool is_open(const StudyOptions& o, const StudyCase& c, const ResultStore& store) {
  return std::any_of(c.methods.begin(), c.methods.end(),
                     [&](const std::string& method) { return !store.has(result_settings(o, c, method)); });
}

}  // namespace

bool run_study(const StudyOptions& o, const std::vector<StudyCase>& cases, const StudyPlaces& places,
               FitObserver& observer) {
  const ResultStore store(places.results);
  make_folder(places.models, "trained networks");
  std::deque<OpenCase> open;
  std::vector<Training> wanted;
  Finisher finisher(o, places, observer);
  for (const StudyCase& c : cases) {
    if (!is_open(o, c, store)) continue;
    OpenCase& one = open.emplace_back(o, c);
    for (const TrainOptions& training : case_trainings(o, c, one.data, store)) {
      wanted.push_back({training, &one.data.train, &one.data.validation});
      finisher.add(one, training_fingerprint(training, one.data.train, one.data.validation));
    }
  }
  TrainingsOptions pool = study_trainings(places);
  pool.weights_back = false;
  const bool finished =
      wanted.empty() || (run_trainings(wanted, pool, &finisher).has_value() && !finisher.stopped());
  if (finished && !finisher.failures().empty())
    fail_internally("all else is done; no result of {}", fmt::join(finisher.failures(), "; "));
  return finished;
}

}  // namespace nouq
