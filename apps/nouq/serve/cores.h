// The cores that answers are computed on, given out in the order of asking.
//
// Why not a semaphore: it wakes whom it likes, and under load some requests then wait several times as long
// as others. Contract: at most `count` are held at a time; whoever asked first is served first.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

namespace nouq::cli {

class Cores {
 public:
  explicit Cores(int count) : free_(count) {}

  void acquire() {
    std::unique_lock lock(mutex_);
    if (free_ > 0) {
      --free_;
      return;
    }
    Waiter self;
    waiting_.push_back(&self);
    self.turn.wait(lock, [&] { return self.has_core; });
  }

  void release() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
      ++free_;
      return;
    }
    Waiter& first = *waiting_.front();
    waiting_.pop_front();
    first.has_core = true;
    first.turn
        .notify_one();  // under the lock: the waiter and its condition are gone once it has seen its turn
  }

 private:
  struct Waiter {
    std::condition_variable turn;
    bool has_core = false;
  };

  std::mutex mutex_;
  std::deque<Waiter*> waiting_;
  int free_;
};

// One of them, for as long as it lives.
class Core {
 public:
  explicit Core(Cores& cores) : cores_(cores) { cores_.acquire(); }
  ~Core() { cores_.release(); }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

 private:
  Cores& cores_;
};

}  // namespace nouq::cli
