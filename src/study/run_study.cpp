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

// One method of a case that the store does not have. Why each by itself: hours may lie between the first and
// the last network of a case, and what is finished should be written down.
struct OpenMethod {
  OpenMethod(const StudyCase& owner, const std::string& method)
      : study_case{owner.problem, owner.seed, {method}} {}

  StudyCase study_case;
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

// Passes news on, and evaluates a method when its last network is there.
class Finisher final : public FitObserver {
 public:
  Finisher(const StudyOptions& options, const StudyPlaces& places, FitObserver& listener)
      : options_(options), places_(places), listener_(listener) {
    places_.threads = 1;  // the other threads go on training
  }

  void add(OpenMethod& owner, const std::string& fingerprint) {
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
    for (OpenMethod* owner : owners_.at(fingerprint)) {
      if (--owner->left == 0) finish(owner->study_case);
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
  std::map<std::string, std::vector<OpenMethod*>> owners_;  // of every network, once for each mention
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::vector<std::string> failures_;
};

}  // namespace

bool run_study(const StudyOptions& o, const std::vector<StudyCase>& cases, const StudyPlaces& places,
               FitObserver& observer) {
  const ResultStore store(places.results);
  make_folder(places.models, "trained networks");
  std::deque<StudyData> data;  // of the cases that are to be run
  std::deque<OpenMethod> open;
  std::vector<Training> wanted;
  Finisher finisher(o, places, observer);
  for (const StudyCase& c : cases) {
    const std::vector<std::string> methods = open_methods(o, c, store);
    if (methods.empty()) continue;
    const StudyData& own = data.emplace_back(study_data(o, c));
    for (const std::string& method : methods) {
      OpenMethod& one = open.emplace_back(c, method);
      for (const TrainOptions& training : method_trainings(o, c, method, own)) {
        wanted.push_back({training, &own.train, &own.validation});
        finisher.add(one, training_fingerprint(training, own.train, own.validation));
      }
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
