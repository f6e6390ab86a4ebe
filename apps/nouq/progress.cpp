#include "progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <unistd.h>

#include "output.h"

namespace nouq::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

std::string duration_words(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole >= 3600) return fmt::format("{}h {:02}m", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{}m {:02}s", whole / 60, whole % 60);
  return fmt::format("{}s", whole);
}

std::string bar(double share) {
  const std::size_t width = 24;
  const auto filled = std::min(width, static_cast<std::size_t>(share * static_cast<double>(width)));
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] ";
}

}  // namespace

TrainingDisplay::TrainingDisplay(bool quiet)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      guard_(std::in_place),
      start_(Clock::now()),
      drawn_(start_) {}

TrainingDisplay::~TrainingDisplay() { close(); }

void TrainingDisplay::close() {
  if (terminal_ && drawn_something_) std::fputs("\n", stderr);
  drawn_something_ = false;
  guard_.reset();
}

Progress TrainingDisplay::progress() {
  Progress progress;
  progress.on_start = [this](const TrainStart& plan) { on_start(plan); };
  progress.on_resume = [this](std::int64_t network, std::int64_t next_epoch) {
    on_resume(network, next_epoch);
  };
  progress.on_epoch = [this](const EpochReport& report) {
    on_epoch(report);
    return true;
  };
  progress.on_finish = [this](std::int64_t network) { on_finish(network); };
  progress.should_stop = interrupted;
  return progress;
}

void TrainingDisplay::on_start(const TrainStart& plan) {
  start_ = drawn_ = Clock::now();
  if (!guard_) guard_.emplace();  // closed after a first stage
  finished_ = 0;
  if (plan.calibrating && !quiet_) {
    if (terminal_ && drawn_something_) std::fputs("\n", stderr);
    drawn_something_ = false;
    write(fmt::format("calibrating by {} short trainings", plan.networks));
  }
  epochs_ = static_cast<double>(plan.epochs);
  networks_.clear();
  for (const double cost : plan.epoch_cost) networks_.push_back({.cost = cost});
}

void TrainingDisplay::on_resume(std::int64_t network, std::int64_t next_epoch) {
  Network& one = networks_.at(network);
  one.done = one.skipped = static_cast<double>(next_epoch);
  // One that is finished already is nothing to speak of.
  if (quiet_ || one.done >= epochs_) return;
  write(fmt::format("resuming at epoch {} of {}", next_epoch, epochs_));
}

void TrainingDisplay::on_epoch(const EpochReport& report) {
  Network& one = networks_.at(report.network);
  one.done = static_cast<double>(report.epoch + 1);
  one.best_epoch = report.best_epoch;
  train_loss_ = report.train_loss;
  validation_loss_ = report.validation_loss;
  draw(report.epoch + 1 == report.epochs);
}

// One that ended before its last epoch: its remaining epochs no longer count as work.
void TrainingDisplay::on_finish(std::int64_t network) {
  Network& one = networks_.at(network);
  const double missing = epochs_ - one.done;
  if (missing > 0) {  // else its last epoch has been drawn
    one.skipped += missing;
    one.done += missing;
    draw(true);
  }
  if (++finished_ == networks_.size() && closes_) close();
}

std::string TrainingDisplay::best() const {
  if (networks_.size() == 1) {
    const std::int64_t epoch = networks_.front().best_epoch;
    return epoch < 0 ? "" : fmt::format("  validation {:.2e} (best at {})", validation_loss_, epoch + 1);
  }
  return validation_loss_ > 0 ? fmt::format("  validation {:.2e}", validation_loss_) : "";
}

// What is to be done over what has been done here: an epoch of one network may cost as much as ten of
// another.
double TrainingDisplay::left_over_worked() const {
  double worked = 0, left = 0;
  for (const Network& one : networks_) {
    worked += one.cost * (one.done - one.skipped);
    left += one.cost * (epochs_ - one.done);
  }
  return worked > 0 ? left / worked : -1;
}

std::string TrainingDisplay::line() const {
  const double total = epochs_ * static_cast<double>(networks_.size());
  double done = 0, worked = 0;
  int complete = 0;
  for (const Network& one : networks_) {
    done += one.done;
    worked += one.done - one.skipped;
    complete += one.done >= epochs_ ? 1 : 0;
  }
  const double elapsed = std::max(1e-9, seconds_between(start_, Clock::now())), ratio = left_over_worked();
  std::string head;
  if (networks_.size() > 1) head = fmt::format("{} of {} networks  ", complete, networks_.size());
  const double rate = worked / elapsed;
  head += fmt::format("epoch {:.0f}/{:.0f}  ", std::floor(done), total);
  head += rate < 1 && worked > 0 ? fmt::format("{:.1f} s an epoch", elapsed / worked)
                                 : fmt::format("{:.1f} epochs/s", rate);
  const std::string loss = fmt::format("  loss {:.2e}", train_loss_);
  const std::string left = ratio < 0 ? "" : "  left " + duration_words(ratio * elapsed);
  std::string text = head + loss + best() + left;
  if (!terminal_) return text;
  // Where there is no room the bar goes first, then the training loss.
  std::string with_bar = bar(done / total) + text;
  const std::size_t columns = terminal_columns(STDERR_FILENO);  // a line that wraps cannot be redrawn
  if (with_bar.size() < columns) return with_bar;
  return text.size() < columns ? text : head + best() + left;
}

void TrainingDisplay::write(const std::string& text) {
  if (terminal_) {
    std::fprintf(stderr, "\r%s\033[K", text.substr(0, terminal_columns(STDERR_FILENO) - 1).c_str());
    drawn_something_ = true;
  } else {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
}

void TrainingDisplay::draw(bool force) {
  const auto now = Clock::now();
  if (quiet_ || (!force && seconds_between(drawn_, now) < (terminal_ ? 0.1 : 10.0))) return;
  drawn_ = now;
  write(line());
}

}  // namespace nouq::cli
