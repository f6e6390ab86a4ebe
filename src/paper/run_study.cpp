#include "paper/run_study.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>

#include <fmt/ranges.h>

#include "core/communicator.h"
#include "core/error.h"
#include "core/file.h"
#include "paper/case_evaluation.h"
#include "train/fingerprint.h"
#include "uq/fit_progress.h"

namespace nouq::paper {
namespace {

// One method of a case that the store does not have. Why each by itself: hours may lie between the first and
// the last network of a case, and what is finished should be written down.
struct OpenMethod {
  OpenMethod(const StudyCase& owner, const StudyData& own, const FitData& of_networks, std::string one)
      : study_case(owner), data(own), seen(of_networks), method(std::move(one)) {}

  const StudyCase& study_case;
  const StudyData& data;
  const FitData& seen;
  std::string method;
  std::atomic<Index> left = 0;  // networks
};

// Chooses among the trained networks of a method and writes its result down. False: it was asked to stop.
bool finish_method(const StudyOptions& o, const OpenMethod& one, const StudyPlaces& places,
                   FitObserver& observer) {
  const StudyCase& c = one.study_case;
  const auto networks =
      run_trainings(method_trainings(o, c, one.method, one.data, one.seen), one.seen.train(),
                    one.seen.validation(), study_trainings(places), &observer);
  if (!networks || observer.should_stop()) return false;
  const ResultStore store(places.results);
  const ResultJson settings = result_settings(o, c, one.method);
  // Another process that worked on the same method may have been faster.
  if (!store.has(settings))
    store.put(settings, CaseEvaluation(o, c, one.data, places.threads).result(one.method, *networks));
  return true;
}

// Hears nothing, and asks another whether to stop.
class Stopper final : public FitObserver {
 public:
  explicit Stopper(FitObserver& listener) : listener_(listener) {}
  bool should_stop() override { return listener_.should_stop(); }

 private:
  FitObserver& listener_;
};

// Passes news on, and evaluates a method when its last network is there. Evaluations ask whether to stop
// while other networks report: the listener is told one thing at a time.
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

  void on_start(std::span<const double> costs, Index epochs) override {
    const std::lock_guard guard(mutex_);
    listener_.on_start(costs, epochs);
  }
  void on_resume(Index network, Index next_epoch) override {
    const std::lock_guard guard(mutex_);
    listener_.on_resume(network, next_epoch);
  }
  void on_epoch(Index network, const EpochRecord& record, Index best_epoch) override {
    const std::lock_guard guard(mutex_);
    listener_.on_epoch(network, record, best_epoch);
  }
  void on_finish(Index network) override {
    const std::lock_guard guard(mutex_);
    listener_.on_finish(network);
  }
  bool should_stop() override {
    const std::lock_guard guard(mutex_);
    return listener_.should_stop();
  }
  void on_released(const std::string& fingerprint) override {
    for (OpenMethod* owner : owners_.at(fingerprint)) {
      if (--owner->left == 0) finish(*owner);
    }
  }
  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }

 private:
  // One method that fails is no reason to leave the others untrained.
  void finish(const OpenMethod& one) {
    Stopper stopper(*this);
    try {
      if (!finish_method(options_, one, places_, stopper)) stopped_ = true;
    } catch (const Error& error) {
      const std::lock_guard guard(mutex_);
      failures_.push_back(words_of(one.study_case, one.method) + ": " + error.what());
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

// What is to be run of each case: ranks with a folder of their own do not know what the store has.
std::vector<std::vector<std::string>> agreed_methods(const StudyOptions& o,
                                                     const std::vector<StudyCase>& cases,
                                                     const ResultStore& store) {
  ResultJson own = ResultJson::array();
  for (const StudyCase& c : cases) own.push_back(open_methods(o, c, store));
  return ResultJson::parse(agreed(ranks(), own.dump())).get<std::vector<std::vector<std::string>>>();
}

}  // namespace

bool run_study(const StudyOptions& o, const std::vector<StudyCase>& cases, const StudyPlaces& places,
               FitObserver& observer) {
  const ResultStore store(places.results);
  make_folder(places.results, "results");  // not to find out after hours that it cannot be made
  make_folder(places.models, "trained networks");
  std::deque<StudyData> data;  // of the cases that are to be run
  std::deque<FitData> seen;    // the same, as the networks see them
  std::deque<OpenMethod> open;
  std::vector<Training> wanted;
  Finisher finisher(o, places, observer);
  const std::vector<std::vector<std::string>> to_do = agreed_methods(o, cases, store);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const StudyCase& c = cases[i];
    const std::vector<std::string>& methods = to_do[i];
    if (methods.empty()) continue;
    const StudyData& own = data.emplace_back(study_data(o, c));
    const FitData& of_networks = seen.emplace_back(seen_data(o, c, own));
    for (const std::string& method : methods) {
      OpenMethod& one = open.emplace_back(c, own, of_networks, method);
      for (const TrainerOptions& training : method_trainings(o, c, method, own, of_networks)) {
        wanted.push_back({training, &of_networks.train(), &of_networks.validation()});
        finisher.add(one, training_fingerprint(training, of_networks.train(), of_networks.validation()));
      }
    }
  }
  TrainingsOptions pool = study_trainings(places);
  pool.weights_back = false;
  pool.ranks = &ranks();
  const bool finished =
      wanted.empty() || (run_trainings(wanted, pool, &finisher).has_value() && !finisher.stopped());
  if (finished && !finisher.failures().empty())
    throw_failure("all else is done; no result of {}", fmt::join(finisher.failures(), "; "));
  if (finished) release_others(ranks());
  return finished;
}

bool run_study(const StudyOptions& o, const std::vector<StudyCase>& cases, const StudyPlaces& places,
               const Progress& progress) {
  FitProgress observer(progress);
  const bool finished = run_study(o, cases, places, observer);
  observer.rethrow();
  return finished;
}

}  // namespace nouq::paper
