#include "interrupt.h"

#include <string_view>

#include <unistd.h>

#include "unattended.h"

namespace nouq::cli {
namespace {

volatile std::sig_atomic_t interrupts = 0;  // by somebody at a terminal
volatile std::sig_atomic_t is_to_leave = 0;
volatile std::sig_atomic_t unattended = 0;
volatile std::sig_atomic_t guards = 0;

void on_interrupt(int) {
  interrupts = interrupts + 1;
  if (interrupts > 1) _exit(130);
}

void on_order_to_leave(int) {
  is_to_leave = 1;
  if (guards > 0) return;
  constexpr std::string_view word = "nouq: stopped; the same command goes on from here\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, word.data(), word.size());
  _exit(unfinished);
}

void handle(int signal, void (*handler)(int), struct sigaction* before = nullptr) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, before);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  guards = guards + 1;
  handle(SIGINT, on_interrupt, &old_interrupt_);
  handle(SIGTERM, unattended != 0 ? on_order_to_leave : on_interrupt, &old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
  guards = guards - 1;
}

void exit_when_terminated() {
  handle(SIGTERM, [](int) {
    constexpr std::string_view line = "nouq: stopped\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
    _exit(130);
  });
}

bool interrupted() { return interrupts > 0 || is_to_leave != 0; }

void run_unattended() {
  unattended = 1;
  for (const int signal : {SIGTERM, SIGUSR1, SIGALRM}) handle(signal, on_order_to_leave);
}

void limit_time(unsigned seconds) {
  run_unattended();
  alarm(seconds);
}

int code_of_interrupted() { return interrupts > 0 ? 130 : unfinished; }

}  // namespace nouq::cli
