// Independent tasks shared by the ranks of a job: rank 0 hands out indices, whoever is free takes the next.
//
// Why no counter in shared memory (MPI_Fetch_and_op): ranks would wait for one another's communication while
// they compute. Here each rank's calling thread does nothing but listen, and tasks run in threads beside it.
// Contract: every rank calls share() with the same work. What a task gives does not depend on who performs
// it. An error of any task ends the work on all ranks and is thrown on rank 0, naming the rank. A rank that
// is silent for too long (a machine that hangs) ends the work as well.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>

#include <nouq/array.h>

#include "core/communicator.h"

namespace nouq {

// For a task while it runs.
class Desk {
 public:
  virtual ~Desk() = default;
  // Sends news of the task to rank 0, in order.
  virtual void tell(Index task, Bytes news) = 0;
  // Whether to leave the task unfinished and return.
  [[nodiscard]] virtual bool stopping() const = 0;
};

class SharedWork {
 public:
  virtual ~SharedWork() = default;
  [[nodiscard]] virtual Index count() const = 0;
  // Tasks at a time on this rank.
  [[nodiscard]] virtual int workers() const = 0;
  // Must be the same on all ranks: what the tasks are.
  [[nodiscard]] virtual std::string identity() const = 0;

  // Before the first task rank 0 says something to the others, and each answers.
  virtual std::string greeting() { return {}; }
  virtual std::string answer(const std::string& /*greeting*/) { return {}; }
  virtual void hear_answer(int /*rank*/, const std::string& /*answer*/) {}

  // On rank 0: what a rank needs to know for the task; nullopt: it is to be asked for again later.
  virtual std::optional<Bytes> hand_out(Index /*task*/, int /*rank*/) { return Bytes{}; }
  // On any rank, in one of its threads.
  virtual Bytes perform(Index task, std::span<const std::byte> given, Desk& desk) = 0;
  // On rank 0: news of a task, and what it gave. `whole`: it was not left unfinished.
  virtual void hear(Index /*task*/, std::span<const std::byte> /*news*/) {}
  virtual void receive(Index task, std::span<const std::byte> result, bool whole) = 0;
  // On rank 0 once a task was received, in one of its threads: may take its time.
  virtual void follow_up(Index /*task*/) {}

  // Asked all the time, on every rank.
  virtual bool should_stop() { return false; }
  // The threads are about to be waited for: those that wait for another rank wait no longer.
  virtual void abandon() {}
};

struct Patience {
  std::chrono::milliseconds alive{5000};     // a rank with nothing to say says so this often
  std::chrono::milliseconds silence{45000};  // one that says nothing for so long is taken for hung
};

// False: it was asked to stop, on some rank.
bool share(Communicator& communicator, SharedWork& work, const Patience& patience = {});

}  // namespace nouq
