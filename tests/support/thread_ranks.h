// Ranks that are threads of one program: what MPI does between processes, for tests of what is above it.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/communicator.h"
#include "core/error.h"

namespace nouq::test {

// What is on its way between ranks that work in step.
class Wires {
 public:
  void put(int from, int to, std::span<const std::byte> bytes) {
    const std::lock_guard guard(mutex_);
    under_way_[{from, to}].emplace_back(bytes.begin(), bytes.end());
    changed_.notify_all();
  }
  // False: nothing has come for some milliseconds.
  bool take(int from, int to, std::span<std::byte> bytes) {
    std::unique_lock lock(mutex_);
    auto& queue = under_way_[{from, to}];
    if (!changed_.wait_for(lock, std::chrono::milliseconds(5), [&] { return !queue.empty(); })) return false;
    require(queue.front().size() == bytes.size(), "{} bytes from rank {}, expected {}", queue.front().size(),
            from, bytes.size());
    std::copy(queue.front().begin(), queue.front().end(), bytes.begin());
    queue.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<int, int>, std::deque<Bytes>> under_way_;
};

class ThreadGroup final : public Group {
 public:
  ThreadGroup(std::vector<int> members, int rank, Wires& wires)
      : members_(std::move(members)), rank_(rank), wires_(wires) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return static_cast<int>(members_.size()); }

 protected:
  void move(const Outgoing& outgoing, const Incoming& incoming) override {
    for (int r = 0; r < size(); ++r) {
      if (r != rank_ && !outgoing[r].empty()) wires_.put(members_[rank_], members_[r], outgoing[r]);
    }
    for (int r = 0; r < size(); ++r) {
      if (r == rank_ || incoming[r].empty()) continue;
      while (!wires_.take(members_[r], members_[rank_], incoming[r])) require_not_abandoned();
    }
  }

 private:
  std::vector<int> members_;
  int rank_;
  Wires& wires_;
};

class ThreadRank final : public Communicator {
 public:
  struct Box {
    std::mutex mutex;
    std::deque<Mail> mail;
  };

  ThreadRank(int rank, std::vector<Box>& boxes, Wires& wires) : rank_(rank), boxes_(boxes), wires_(wires) {}
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
  [[nodiscard]] bool has_groups() const override { return true; }
  [[nodiscard]] std::unique_ptr<Group> group(const std::vector<int>& members) override {
    const auto own = std::find(members.begin(), members.end(), rank_) - members.begin();
    return std::make_unique<ThreadGroup>(members, static_cast<int>(own), wires_);
  }

 private:
  int rank_;
  std::vector<Box>& boxes_;
  Wires& wires_;
};

// Runs the body on every rank; rank 0 in the calling thread, whose exceptions come out. Those of the others
// are kept: the text of each, empty where there was none.
inline std::vector<std::string> run_ranks(int count, const std::function<void(Communicator&)>& body) {
  std::vector<ThreadRank::Box> boxes(count);
  Wires wires;
  std::vector<std::string> errors(count);
  std::vector<std::jthread> threads;
  for (int rank = 1; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadRank own(rank, boxes, wires);
      try {
        body(own);
      } catch (const Released&) {
        errors[rank] = "released";
      } catch (const std::exception& error) {
        errors[rank] = error.what();
      }
    });
  }
  ThreadRank first(0, boxes, wires);
  body(first);
  threads.clear();
  return errors;
}

}  // namespace nouq::test
