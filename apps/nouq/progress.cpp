#include "progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <unistd.h>

namespace nouq::cli {
namespace {

using Seconds = std::chrono::duration<double>;

volatile std::sig_atomic_t interrupts = 0;

void on_interrupt(int) {
  interrupts = interrupts + 1;
  if (interrupts > 1) _exit(130);  // files are replaced in one step, so what is on disk stays valid
}

}  // namespace

Progress::Progress(Index epochs)
    : epochs_(epochs),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      drawn_(start_),
      old_handler_(std::signal(SIGINT, on_interrupt)) {}

Progress::~Progress() {
  if (terminal_) std::fputs("\n", stderr);
  std::signal(SIGINT, old_handler_);
}

void Progress::on_resume(Index next_epoch) {
  first_epoch_ = next_epoch;
  std::fprintf(stderr, "resuming at epoch %ld of %ld\n", static_cast<long>(next_epoch),
               static_cast<long>(epochs_));
}

void Progress::on_step(Index epoch, Index step, Index steps_per_epoch, double mean_loss) {
  train_loss_ = mean_loss;
  draw(static_cast<double>(epoch) + static_cast<double>(step + 1) / static_cast<double>(steps_per_epoch),
       false);
}

void Progress::on_epoch(const EpochRecord& record, Index best_epoch) {
  train_loss_ = record.train_loss;
  validation_loss_ = record.validation_loss;
  best_epoch_ = best_epoch;
  draw(static_cast<double>(record.epoch + 1), record.epoch + 1 == epochs_);
}

bool Progress::should_stop() { return interrupts > 0; }

std::string Progress::remaining(double epochs_done) const {
  const double elapsed = Seconds(std::chrono::steady_clock::now() - start_).count();
  const double done = epochs_done - static_cast<double>(first_epoch_);
  const double left = done > 0 ? elapsed / done * (static_cast<double>(epochs_) - epochs_done) : 0.0;
  return left >= 60.0 ? fmt::format("{:.0f}m {:02.0f}s", std::floor(left / 60.0), std::fmod(left, 60.0))
                      : fmt::format("{:.0f}s", left);
}

void Progress::draw(double epochs_done, bool force) {
  const auto now = std::chrono::steady_clock::now();
  if (!force && Seconds(now - drawn_).count() < (terminal_ ? 0.1 : 10.0)) return;
  drawn_ = now;
  const double share = epochs_done / static_cast<double>(epochs_);
  const double rate =
      (epochs_done - static_cast<double>(first_epoch_)) / std::max(1e-9, Seconds(now - start_).count());
  std::string line =
      fmt::format("epoch {:.0f}/{}  {:.1f} epochs/s  loss {:.2e}", epochs_done, epochs_, rate, train_loss_);
  if (best_epoch_ >= 0)
    line += fmt::format("  validation {:.2e} (best at {})", validation_loss_, best_epoch_ + 1);
  line += "  left " + remaining(epochs_done);
  if (!terminal_) {
    std::fprintf(stderr, "%s\n", line.c_str());
    return;
  }
  const int width = 24;
  const auto filled = static_cast<std::size_t>(share * width);
  const std::string bar =
      std::string(filled, '#') + std::string(width - std::min<std::size_t>(width, filled), '.');
  std::fprintf(stderr, "\r[%s] %s\033[K", bar.c_str(), line.c_str());
}

}  // namespace nouq::cli
