#include "core/threads.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include <omp.h>
#include <pthread.h>

#include "core/error.h"
#include "core/thread_limit.h"

namespace nouq {

namespace {

std::atomic<int> limit = 0;  // none

}  // namespace

int available_threads() { return limit > 0 ? limit.load() : std::max(1, omp_get_num_procs()); }

void limit_threads(int count) { limit = count; }

int resolve_threads(int wanted) {
  require(wanted >= 0 && wanted <= 1024, "threads = {}: expected 0 (all cores) to 1024", wanted);
  return wanted == 0 ? available_threads() : wanted;
}

namespace {

// OpenMP's own number would be that of an outer loop inside an inner loop that needs no team.
thread_local int current_index = 0;

// A fork copies the calling thread alone. The teams that OpenMP keeps do not exist in the child, and it would
// wait for them without end.
std::atomic<bool> teams_exist = false, teams_are_lost = false;

[[maybe_unused]] const int watching =
    pthread_atfork(nullptr, nullptr, [] { teams_are_lost = teams_are_lost || teams_exist; });

}  // namespace

int thread_index() { return current_index; }

NestedLoops::NestedLoops() : before_(omp_get_max_active_levels()) {
  omp_set_max_active_levels(std::max(2, before_));
}
NestedLoops::~NestedLoops() { omp_set_max_active_levels(before_); }

namespace detail {

IndexScope::IndexScope(int index) : before_(std::exchange(current_index, index)) {}
IndexScope::~IndexScope() { current_index = before_; }

namespace {

// Keeps the exception of the lowest index, so that the error a user sees does not depend on timing.
class FirstException {
 public:
  void capture(std::int64_t i) {
#pragma omp critical(nouq_first_exception)
    if (i < index_) {
      index_ = i;
      exception_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::int64_t index_ = std::numeric_limits<std::int64_t>::max();
  std::exception_ptr exception_;
};

}  // namespace

void parallel_for(int threads, std::int64_t count, void (*call)(void*, std::int64_t), void* context) {
  if (threads <= 1 || count <= 1 || teams_are_lost) {
    const OutsideLoops scope;
    for (std::int64_t i = 0; i < count; ++i) call(context, i);
    return;
  }
  teams_exist = true;
  FirstException first;
  // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): the pragma reads it
  const int team = static_cast<int>(std::min<std::int64_t>(threads, count));
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
  for (std::int64_t i = 0; i < count; ++i) {
    try {
      const IndexScope scope(omp_get_thread_num());
      call(context, i);
    } catch (...) {
      first.capture(i);
    }
  }
  first.rethrow();
}

}  // namespace detail
}  // namespace nouq
