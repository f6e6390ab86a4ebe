// Ranks that are threads of one program: what MPI does between processes, for tests of what is above it.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/communicator.h"

namespace nouq::test {

class ThreadRank final : public Communicator {
 public:
  struct Box {
    std::mutex mutex;
    std::deque<Mail> mail;
  };

  ThreadRank(int rank, std::vector<Box>& boxes) : rank_(rank), boxes_(boxes) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return static_cast<int>(boxes_.size()); }
  void post(int to, Bytes message) override {
    const std::lock_guard guard(boxes_[to].mutex);
    boxes_[to].mail.push_back({rank_, std::move(message)});
  }
  std::optional<Mail> poll() override {
    Box& own = boxes_[rank_];
    const std::lock_guard guard(own.mutex);
    if (own.mail.empty()) return std::nullopt;
    Mail mail = std::move(own.mail.front());
    own.mail.pop_front();
    return mail;
  }

 private:
  int rank_;
  std::vector<Box>& boxes_;
};

// Runs the body on every rank; rank 0 in the calling thread, whose exceptions come out. Those of the others
// are kept: the text of each, empty where there was none.
inline std::vector<std::string> run_ranks(int count, const std::function<void(Communicator&)>& body) {
  std::vector<ThreadRank::Box> boxes(count);
  std::vector<std::string> errors(count);
  std::vector<std::jthread> threads;
  for (int rank = 1; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadRank own(rank, boxes);
      try {
        body(own);
      } catch (const Released&) {
        errors[rank] = "released";
      } catch (const std::exception& error) {
        errors[rank] = error.what();
      }
    });
  }
  ThreadRank first(0, boxes);
  body(first);
  threads.clear();
  return errors;
}

}  // namespace nouq::test
