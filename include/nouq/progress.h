// What a training tells while it runs, and how it is stopped.
//
//   nouq::train(data, {.epochs = 500}, nouq::progress_to(std::cerr));
//
//   nouq::Progress progress;
//   progress.on_epoch = [&](const nouq::EpochReport& e) { plot(e.epoch, e.validation_loss); return
//   !window_closed; };
//
// Contract: functions are called from several threads, but never by two at once; what one of them throws
// stops the training and comes out of train(). A training that was stopped throws Cancelled; with a folder of
// checkpoints (TrainSettings::folder) the same call goes on from there.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <nouq/error.h>
#include <nouq/export.h>

namespace nouq {

// What is going to be trained: told once settings and data have passed all checks, before any work.
struct TrainPlan {
  std::int64_t samples = 0;
  std::int64_t validation_samples = 0;
  std::string method;
  std::string architecture;
  std::int64_t width = 0;
  std::int64_t epochs = 0;
  bool normalised = false;
  std::int64_t trials = 1;  // of a selection
  // Names of the files in TrainSettings::folder that its trainings keep while they run, equal ones once. Any
  // other *.training there belongs to another training.
  std::vector<std::string> checkpoints;
};

// What the losses of a training say. Overfitting: at its end the validation loss is more than four times the
// training loss, or has risen to more than half as much again as its best. Unfinished: the validation loss
// was still falling, by a twentieth or more in the last tenth of the epochs.
enum class Learning { fine, unfinished, overfitting };

// What a model is worth on its validation samples, as it comes from the networks.
struct ValidationQuality {
  std::optional<double> relative_l2;  // of the mean; not defined where a field is zero everywhere
  // |mu - u| / |u| over all samples of every output channel, where there are several.
  std::vector<double> channel_relative_l2 = {};
  double mse = 0;
  double coverage = 0;  // share of points inside mean +- 1.96 sigma
  Learning learning = Learning::fine;
  double training_loss = 0;    // of the first network, over the last tenth of its epochs
  double validation_loss = 0;  // likewise
};

struct TrainStart {
  std::int64_t networks = 0;
  std::int64_t epochs = 0;             // of each network, at most
  std::span<const double> epoch_cost;  // operations of an epoch, one per network: how much is left
  // These are short trainings whose predictions calibrate the model that is there (cross_folds).
  bool calibrating = false;
};

struct EpochReport {
  std::int64_t network = 0;  // counted from 0
  std::int64_t networks = 1;
  std::int64_t epoch = 0;  // counted from 0
  std::int64_t epochs = 0;
  double train_loss = 0;       // mean per sample, while the weights were changing
  double validation_loss = 0;  // mean per sample, after the epoch
  double learning_rate = 0;
  std::int64_t best_epoch = 0;  // of this network so far
};

// A remark before the work begins: on the option of that name ("does nothing for the method ensemble, ..."),
// or a sentence of its own when there is no name.
struct SettingsNote {
  std::string option;
  std::string text;
};

struct Progress {
  // What it throws refuses the training: nothing has been written yet.
  std::function<void(const TrainPlan&)> on_plan;
  std::function<void(const SettingsNote&)> on_note;
  std::function<void(const TrainStart&)> on_start;  // again where a second stage follows
  // A network goes on from its checkpoint.
  std::function<void(std::int64_t network, std::int64_t next_epoch)> on_resume;
  std::function<bool(const EpochReport&)> on_epoch;  // false: stop
  std::function<void(std::int64_t network)> on_finish;
  std::function<void(const ValidationQuality&)> on_quality;  // when the model is ready
  std::function<bool()> should_stop;  // asked before every step of the optimiser; true: stop
  std::stop_token stop;
};

// One line per tenth of the training, with losses and the time left; the stream must outlive the training.
NOUQ_API Progress progress_to(std::ostream& stream);

// Thrown by a training that was stopped.
class NOUQ_API Cancelled : public Error {
 public:
  explicit Cancelled(const std::string& message) : Error(Kind::failure, message) {}
};

}  // namespace nouq
