#include "interrupt.h"

#include <unistd.h>

namespace nouq::cli {
namespace {

volatile std::sig_atomic_t interrupts = 0;

void on_interrupt(int) {
  interrupts = interrupts + 1;
  if (interrupts > 1) _exit(130);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

void exit_when_terminated() {
  struct sigaction action {};
  action.sa_handler = [](int) {
    constexpr char line[] = "nouq: stopped\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line, sizeof line - 1);
    _exit(130);
  };
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupts > 0; }

}  // namespace nouq::cli
