// Ctrl-C: the first asks the work to stop at the next step, the second ends the program at once.
//
// Why: hours of training deserve a checkpoint and a word about how to go on. When: an InterruptGuard around
// work that asks `interrupted()` now and then; other work ends with the signal. Contract: files are always
// replaced in one step, so what is on disk stays valid even when the program ends at once. SIGTERM, which
// clusters send before they kill, counts as Ctrl-C.
#pragma once

#include <csignal>
#include <string>

#include "core/error.h"

namespace nouq::cli {

class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

bool interrupted();

// Work without a guard ends at once at SIGTERM, with the exit code of all that was stopped.
void exit_when_terminated();

// Thrown by a command that has stopped as asked; the message says what is kept and how to go on. The program
// then exits with 130, as shells expect.
class Interrupted : public Error {
 public:
  explicit Interrupted(const std::string& message) : Error(Kind::failure, message) {}
};

}  // namespace nouq::cli
