#include "core/work_desk.h"

#include <utility>

#include "core/error.h"

namespace nouq {

WorkDesk::WorkDesk(SharedWork& work) : work_(work) {
  for (int i = 0; i < work.workers(); ++i) threads_.emplace_back([this] { run(); });
}

WorkDesk::~WorkDesk() {
  stop();
  work_.abandon();
  {
    const std::lock_guard guard(mutex_);
    closed_ = true;
  }
  jobs_changed_.notify_all();
}

std::optional<Bytes> WorkDesk::next_message() {
  const std::lock_guard guard(mutex_);
  if (messages_.empty()) return std::nullopt;
  Bytes message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

void WorkDesk::wait(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  messages_changed_.wait_for(lock, at_most, [this] { return !messages_.empty(); });
}

void WorkDesk::tell(Index task, Bytes news) { say(Packer().add(Say::news).add(task).add(news).take()); }

void WorkDesk::give(Job job) {
  {
    const std::lock_guard guard(mutex_);
    jobs_.push_back(std::move(job));
  }
  jobs_changed_.notify_one();
}

void WorkDesk::say(Bytes message) {
  {
    const std::lock_guard guard(mutex_);
    messages_.push_back(std::move(message));
  }
  messages_changed_.notify_one();
}

std::optional<WorkDesk::Job> WorkDesk::next_job() {
  say(Packer().add(Say::ask).take());
  std::unique_lock lock(mutex_);
  jobs_changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
  if (jobs_.empty()) return std::nullopt;
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  return job;
}

void WorkDesk::perform(const Job& job) {
  if (job.follow_up) {
    work_.follow_up(job.task);
    return say(Packer().add(Say::followed).take());
  }
  const Bytes result = work_.perform(job.task, job.given, *this);
  say(Packer().add(Say::done).add(job.task).add(!stopping_).add(result).take());
}

void WorkDesk::run() {
  Error::Kind kind = Error::Kind::failure;
  std::string reason;
  try {
    while (const auto job = next_job()) perform(*job);
    return;
  } catch (const Error& error) {
    kind = error.kind();
    reason = error.what();
  } catch (const std::bad_alloc&) {
    reason = "out of memory";
  } catch (const std::exception& error) {
    reason = error.what();
  }
  say(Packer().add(Say::failed).add(kind).add(reason).take());
}

}  // namespace nouq
