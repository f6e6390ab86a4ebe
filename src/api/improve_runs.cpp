#include "api/improve_runs.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "api/improve_samples.h"
#include "core/error.h"

namespace nouq {
namespace {

class Batch {
 public:
  Batch(const std::function<DataSet(Index)>& question, const DataSet& like, const ImproveSettings& settings,
        const RunSolver& solver, const ImproveProgress& progress, ImproveJournal& journal)
      : question_(question),
        like_(like),
        settings_(settings),
        solver_(solver),
        progress_(progress),
        journal_(journal) {}

  void run(const std::vector<Index>& runs) {
    {
      std::vector<std::jthread> workers;
      const auto count = std::min<std::size_t>(static_cast<std::size_t>(settings_.jobs), runs.size());
      for (std::size_t i = 0; i < count; ++i) workers.emplace_back([this, &runs] { work(runs); });
    }
    if (error_) std::rethrow_exception(error_);
    if (stopping()) throw Cancelled("stopped");
  }

 private:
  [[nodiscard]] bool stopping() const {
    return failed_ || (progress_.should_stop && progress_.should_stop());
  }

  // Until there are no more, or something other than a run goes wrong.
  void work(const std::vector<Index>& runs) {
    try {
      while (!stopping()) {
        const std::size_t next = next_++;
        if (next >= runs.size()) return;
        finish(runs[next]);
      }
    } catch (...) {
      const std::lock_guard held(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_ = true;
    }
  }

  void finish(Index run) {
    Index attempt = attempts(run);
    for (; attempt <= settings_.retries; ++attempt) {
      if (stopping()) return;
      if (tried(run, attempt)) return;
      if (stopping()) return;
    }
    const std::lock_guard held(mutex_);
    journal_.add_set_aside(run);
  }

  Index attempts(Index run) {
    const std::lock_guard held(mutex_);
    return journal_.failed_attempts(run);
  }

  // Whether that was the last attempt that is needed.
  bool tried(Index run, Index attempt) {
    std::string failure;
    DataSet sample;
    try {
      const SolverRun asked{run, attempt, question_(run), [this] { return stopping(); }};
      sample = sample_of(like_, asked.question, solver_(asked));
    } catch (const Cancelled&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      failure = error.what();
    }
    const std::lock_guard held(mutex_);
    if (!failure.empty() && stopping()) return true;  // it was stopped, whatever it says
    if (failure.empty()) {
      journal_.add_done(run, sample);
    } else {
      journal_.add_failure(run, attempt, failure);
    }
    if (progress_.on_run) progress_.on_run(run, attempt, failure);
    return failure.empty();
  }

  const std::function<DataSet(Index)>& question_;
  const DataSet& like_;
  const ImproveSettings& settings_;
  const RunSolver& solver_;
  const ImproveProgress& progress_;
  ImproveJournal& journal_;
  std::mutex mutex_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::exception_ptr error_;
};

}  // namespace

void do_runs(const std::vector<Index>& runs, const std::function<DataSet(Index)>& question,
             const DataSet& like, const ImproveSettings& settings, const RunSolver& solver,
             const ImproveProgress& progress, ImproveJournal& journal) {
  std::vector<Index> missing;
  for (const Index run : runs)
    if (!journal.is_done(run) && !journal.is_set_aside(run)) missing.push_back(run);
  Batch(question, like, settings, solver, progress, journal).run(missing);
}

}  // namespace nouq
