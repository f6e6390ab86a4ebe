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

Progress::Progress(const ProgressPlan& plan)
    : plan_(plan), terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), drawn_(start_) {
  for (const double cost : plan.costs) networks_.emplace_back(*this, cost);
}

Progress::~Progress() {
  if (terminal_ && drawn_something_) std::fputs("\n", stderr);
}

TrainObserver& Progress::network(Index i) { return networks_.at(i); }

void Progress::finish(Index network) {
  const std::lock_guard lock(mutex_);
  Network& one = networks_.at(network);
  const double missing = static_cast<double>(plan_.epochs) - one.done_;
  if (missing <= 0) return;  // its last epoch has been drawn
  one.skipped_ += missing;
  one.done_ += missing;
  draw(true);
}

void Progress::Network::on_resume(Index next_epoch) {
  const std::lock_guard lock(all_.mutex_);
  done_ = skipped_ = static_cast<double>(next_epoch);
  // One that is finished already is nothing to speak of.
  if (all_.plan_.quiet || next_epoch >= all_.plan_.epochs) return;
  all_.write(fmt::format("resuming at epoch {} of {}", next_epoch, all_.plan_.epochs));
}

void Progress::Network::on_step(Index epoch, Index step, Index steps_per_epoch, double mean_loss) {
  const std::lock_guard lock(all_.mutex_);
  done_ = static_cast<double>(epoch) + static_cast<double>(step + 1) / static_cast<double>(steps_per_epoch);
  all_.train_loss_ = mean_loss;
  all_.draw(false);
}

void Progress::Network::on_epoch(const EpochRecord& record, Index best_epoch) {
  const std::lock_guard lock(all_.mutex_);
  done_ = static_cast<double>(record.epoch + 1);
  all_.train_loss_ = record.train_loss;
  all_.validation_loss_ = record.validation_loss;
  if (best_epoch == record.epoch) best_loss_ = record.validation_loss;
  best_epoch_ = best_epoch;
  all_.draw(record.epoch + 1 == all_.plan_.epochs);
}

std::string Progress::best() const {
  if (networks_.size() == 1) {
    const Index epoch = networks_.front().best_epoch_;
    return epoch < 0 ? "" : fmt::format("  validation {:.2e} (best at {})", validation_loss_, epoch + 1);
  }
  return validation_loss_ > 0 ? fmt::format("  validation {:.2e}", validation_loss_) : "";
}

// What is to be done over what has been done here: an epoch of one network may cost as much as ten of
// another.
double Progress::left_over_worked() const {
  double worked = 0, left = 0;
  for (const Network& one : networks_) {
    worked += one.cost_ * (one.done_ - one.skipped_);
    left += one.cost_ * (static_cast<double>(plan_.epochs) - one.done_);
  }
  return worked > 0 ? left / worked : -1;
}

std::string Progress::line() const {
  const auto epochs = static_cast<double>(plan_.epochs);
  const double total = epochs * static_cast<double>(networks_.size());
  double done = 0, worked = 0;
  Index complete = 0;
  for (const Network& one : networks_) {
    done += one.done_;
    worked += one.done_ - one.skipped_;
    complete += one.done_ >= epochs ? 1 : 0;
  }
  const double elapsed = std::max(1e-9, seconds_between(start_, Clock::now())), ratio = left_over_worked();
  std::string head;
  if (networks_.size() > 1) head = fmt::format("{} of {} networks  ", complete, networks_.size());
  head += fmt::format("epoch {:.0f}/{:.0f}  {:.1f} epochs/s", std::floor(done), total, worked / elapsed);
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

void Progress::write(const std::string& text) {
  if (terminal_) {
    std::fprintf(stderr, "\r%s\033[K", text.substr(0, terminal_columns(STDERR_FILENO) - 1).c_str());
    drawn_something_ = true;
  } else {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
}

void Progress::draw(bool force) {
  const auto now = Clock::now();
  if (plan_.quiet || (!force && seconds_between(drawn_, now) < (terminal_ ? 0.1 : 10.0))) return;
  drawn_ = now;
  write(line());
}

}  // namespace nouq::cli
