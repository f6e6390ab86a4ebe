#include <chrono>
#include <memory>
#include <ostream>

#include <nouq/progress.h>

#include "core/error.h"

namespace nouq {
namespace {

// Lines now and then: one for every tenth of all epochs.
class Lines {
 public:
  explicit Lines(std::ostream& stream) : stream_(stream) {}

  void start(const TrainStart& plan) {
    total_ = static_cast<double>(plan.networks * plan.epochs);
    begin_ = std::chrono::steady_clock::now();
    done_ = 0;
    shown_ = 0;
    if (plan.calibrating)
      stream_ << fmt::format("calibrating by {} short trainings\n", plan.networks) << std::flush;
  }
  void epoch(const EpochReport& e) {
    done_ += 1;
    const int tenth = static_cast<int>(10 * done_ / total_);
    if (tenth == shown_) return;
    shown_ = tenth;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    stream_ << fmt::format("network {}/{}  epoch {}/{}  loss {:.3e}  validation {:.3e}  {:.0f} s left\n",
                           e.network + 1, e.networks, e.epoch + 1, e.epochs, e.train_loss, e.validation_loss,
                           spent.count() * (total_ - done_) / done_)
            << std::flush;
  }

 private:
  std::ostream& stream_;
  std::chrono::steady_clock::time_point begin_;
  double total_ = 1;
  double done_ = 0;
  int shown_ = 0;
};

}  // namespace

Progress progress_to(std::ostream& stream) {
  const auto lines = std::make_shared<Lines>(stream);
  Progress progress;
  progress.on_note = [&stream](const SettingsNote& note) {
    stream << "note: " << note.option << (note.option.empty() ? "" : " ") << note.text << '\n';
  };
  progress.on_start = [lines](const TrainStart& plan) { lines->start(plan); };
  progress.on_epoch = [lines](const EpochReport& report) {
    lines->epoch(report);
    return true;
  };
  return progress;
}

}  // namespace nouq
