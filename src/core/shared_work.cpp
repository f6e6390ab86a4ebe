#include "core/shared_work.h"

#include <deque>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/work_desk.h"

namespace nouq {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds nap{2};

// When a rank was last heard of, and when this one last spoke.
class Pulse {
 public:
  Pulse(const Communicator& communicator, const Patience& patience)
      : communicator_(communicator), patience_(patience) {}

  void heard(int rank) { heard_[rank] = Clock::now(); }
  void forget(int rank) { heard_.erase(rank); }
  // Whether it is time to show that this rank is there.
  bool is_due() {
    if (Clock::now() - spoke_ < patience_.alive) return false;
    spoke_ = Clock::now();
    return true;
  }
  // After all that has arrived was read: a process that was itself asleep finds the others' messages first.
  void require_all_alive() const {
    for (const auto& [rank, when] : heard_) {
      if (Clock::now() - when > patience_.silence)
        throw_failure("{} has not been heard of for {} s; it hangs, or its machine does",
                      communicator_.name_of(rank),
                      std::chrono::duration_cast<std::chrono::seconds>(patience_.silence).count());
    }
  }

 private:
  const Communicator& communicator_;
  Patience patience_;
  Clock::time_point spoke_ = Clock::now();
  std::map<int, Clock::time_point> heard_;  // only of ranks that have said something
};

// What rank 0 does.
class Leader {
 public:
  Leader(Communicator& communicator, SharedWork& work, const Patience& patience)
      : communicator_(communicator), work_(work), pulse_(communicator, patience), desk_(work) {
    for (Index task = 0; task < work.count(); ++task) open_.push_back(task);
  }

  bool run() {
    to_all(Packer().add(Say::begin).add(work_.greeting()).take());
    try {
      while (!is_over()) turn();
      end_all(true);
      while (std::ssize(gone_) < communicator_.size() - 1) turn();
    } catch (...) {
      end_all(false);
      throw;
    }
    return !stopped_;
  }

 private:
  [[nodiscard]] bool is_over() const {
    return running_ == 0 && (stopped_ || (open_.empty() && follow_ups_.empty()));
  }

  void to_all(const Bytes& message) {
    for (int rank = 1; rank < communicator_.size(); ++rank) communicator_.post(rank, message);
  }

  void end_all(bool well) { to_all(Packer().add(Say::end).add(well).take()); }

  void turn() {
    bool quiet = true;
    while (const auto mail = communicator_.poll()) {
      pulse_.heard(mail->from);
      handle(mail->from, mail->bytes);
      quiet = false;
    }
    while (const auto message = desk_.next_message()) {
      handle(0, *message);
      quiet = false;
    }
    if (work_.should_stop()) stop();
    serve();
    if (pulse_.is_due()) to_all(Packer().add(Say::alive).take());
    pulse_.require_all_alive();
    if (quiet) desk_.wait(nap);
  }

  void handle(int from, const Bytes& bytes) {
    Unpacker message(bytes);
    switch (message.number<Say>()) {
      case Say::hello:
        return meet(from, message);
      case Say::ask:
        return asking_.push_back(from);
      case Say::news: {
        const auto task = message.number<Index>();
        return work_.hear(task, message.bytes());
      }
      case Say::done:
        return take_back(message);
      case Say::followed:
        --running_;
        return;
      case Say::failed:
        return fail_of(from, message);
      case Say::stop:
        return stop();
      case Say::bye:
        pulse_.forget(from);
        gone_.insert(from);
        return;
      default:
        return;
    }
  }

  void meet(int from, Unpacker& message) {
    require(message.text() == work_.identity(),
            "{} was about to do other work than rank 0; do all machines have the same data, the same "
            "settings and the same nouq?",
            communicator_.name_of(from));
    work_.hear_answer(from, message.text());
  }

  void take_back(Unpacker& message) {
    const auto task = message.number<Index>();
    const bool whole = message.number<bool>();
    --running_;
    work_.receive(task, message.bytes(), whole);
    if (whole) follow_ups_.push_back(task);
  }

  [[noreturn]] void fail_of(int from, Unpacker& message) const {
    const auto kind = message.number<Error::Kind>();
    throw Error(kind, fmt::format("{}: {}", communicator_.name_of(from), message.text()));
  }

  void stop() {
    if (stopped_) return;
    stopped_ = true;
    to_all(Packer().add(Say::stop).take());
    desk_.stop();
  }

  // Brings those that ask and what there is to do together.
  void serve() {
    if (stopped_) return;
    std::deque<int> unserved;
    for (const int rank : std::exchange(asking_, {})) {
      if (!serve(rank)) unserved.push_back(rank);
    }
    asking_ = std::move(unserved);
  }

  bool serve(int rank) {
    if (rank == 0 && !follow_ups_.empty()) {
      desk_.give_follow_up(follow_ups_.front());
      follow_ups_.pop_front();
      ++running_;
      return true;
    }
    for (auto task = open_.begin(); task != open_.end(); ++task) {
      auto given = work_.hand_out(*task, rank);
      if (!given) continue;
      if (rank == 0)
        desk_.give_task(*task, std::move(*given));
      else
        communicator_.post(rank, Packer().add(Say::task).add(*task).add(*given).take());
      open_.erase(task);
      ++running_;
      return true;
    }
    return false;
  }

  Communicator& communicator_;
  SharedWork& work_;
  Pulse pulse_;
  std::deque<Index> open_;        // tasks that nobody is at
  std::deque<int> asking_;        // ranks, once per free thread
  std::deque<Index> follow_ups_;  // tasks that were received
  Index running_ = 0;             // tasks and follow-ups
  std::set<int> gone_;            // ranks that have said goodbye
  bool stopped_ = false;
  WorkDesk desk_;  // last: its threads use the work
};

// What the other ranks do.
class Helper {
 public:
  Helper(Communicator& communicator, SharedWork& work, const Patience& patience)
      : communicator_(communicator), work_(work), pulse_(communicator, patience) {}

  // A rank may have to wait for rank 0 for as long as that works alone.
  bool run() {
    while (!over_) {
      if (communicator_.dismissed()) throw Released("");
      turn();
    }
    return !stopped_;
  }

 private:
  void turn() {
    bool quiet = true;
    while (!over_) {
      const auto mail = communicator_.poll();
      if (!mail) break;
      handle(mail->bytes);
      quiet = false;
    }
    if (!desk_) {
      if (quiet) std::this_thread::sleep_for(nap);
      return;
    }
    while (auto message = desk_->next_message()) {
      communicator_.post(0, std::move(*message));
      quiet = false;
    }
    if (work_.should_stop()) ask_to_stop();
    if (pulse_.is_due()) communicator_.post(0, Packer().add(Say::alive).take());
    pulse_.require_all_alive();
    if (quiet) desk_->wait(nap);
  }

  void handle(const Bytes& bytes) {
    Unpacker message(bytes);
    const Say what = message.number<Say>();
    if (what == Say::begin) return begin(message);
    pulse_.heard(0);
    if (what == Say::task) {
      const auto task = message.number<Index>();
      const auto given = message.bytes();
      desk_->give_task(task, {given.begin(), given.end()});
    } else if (what == Say::stop) {
      stopped_ = true;
      desk_->stop();
    } else if (what == Say::end) {
      end(message.number<bool>());
    }
  }

  void begin(Unpacker& message) {
    pulse_.heard(0);
    const std::string answer = work_.answer(message.text());
    communicator_.post(0, Packer().add(Say::hello).add(work_.identity()).add(answer).take());
    desk_.emplace(work_);
  }

  // Not well: rank 0 has failed and ends the job.
  void end(bool well) {
    desk_.reset();
    if (!well) throw Released("");
    communicator_.post(0, Packer().add(Say::bye).take());
    over_ = true;
  }

  void ask_to_stop() {
    if (!std::exchange(has_asked_, true)) communicator_.post(0, Packer().add(Say::stop).take());
  }

  Communicator& communicator_;
  SharedWork& work_;
  Pulse pulse_;
  bool over_ = false, stopped_ = false, has_asked_ = false;
  std::optional<WorkDesk> desk_;
};

}  // namespace

bool share(Communicator& communicator, SharedWork& work, const Patience& patience) {
  if (communicator.rank() == 0) return Leader(communicator, work, patience).run();
  return Helper(communicator, work, patience).run();
}

}  // namespace nouq
