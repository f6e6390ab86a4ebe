// The threads of one rank that perform tasks of a shared work, and what they have to say to rank 0.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "core/shared_work.h"

namespace nouq {

// How every message of a shared work begins.
enum class Say : std::uint8_t {
  begin,     // rank 0: identity and greeting
  hello,     // answer to it
  ask,       // a thread is free
  task,      // rank 0: index, what there is to know
  news,      // index, news
  done,      // index, whole or not, result
  followed,  // a follow-up is done (within rank 0)
  failed,    // kind and text of an error
  stop,      // please come to an end
  end,       // rank 0: this work is over, and whether well
  bye,       // answer to it: nothing follows
  alive
};

class WorkDesk final : public Desk {
 public:
  explicit WorkDesk(SharedWork& work);
  ~WorkDesk() override;  // stops what runs
  WorkDesk(const WorkDesk&) = delete;
  WorkDesk& operator=(const WorkDesk&) = delete;

  void give_task(Index task, Bytes given) { give({task, std::move(given), false}); }
  void give_follow_up(Index task) { give({task, {}, true}); }
  void stop() { stopping_ = true; }
  // The next message for rank 0, if there is one.
  std::optional<Bytes> next_message();
  // Until there is one, or the time is over.
  void wait(std::chrono::milliseconds at_most);

  void tell(Index task, Bytes news) override;
  [[nodiscard]] bool stopping() const override { return stopping_; }

 private:
  struct Job {
    Index task;
    Bytes given;
    bool follow_up;
  };

  void give(Job job);
  void say(Bytes message);
  void run();
  void perform(const Job& job);
  std::optional<Job> next_job();

  SharedWork& work_;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::condition_variable jobs_changed_, messages_changed_;
  std::deque<Job> jobs_;
  std::deque<Bytes> messages_;
  bool closed_ = false;
  std::vector<std::jthread> threads_;  // last: they use the rest
};

}  // namespace nouq
