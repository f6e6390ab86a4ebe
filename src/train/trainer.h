// Trains one network: mini-batches in a new order each epoch, Adam, validation, the best weights kept.
//
// Why a class and not a function: when training diverges or is stopped, the best weights so far and the
// history must still be there to be had. Contract: the result is a function of (options, data, seed) alone:
// not of the number of threads and ranks, and not of whether the run was interrupted and resumed from its
// checkpoint.
// Never prints; progress goes to the Observer.
#pragma once

#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/buffer.h"
#include "data/normalisation.h"
#include "kernels/adam.h"
#include "nn/diversity.h"
#include "nn/network.h"
#include "train/schedule.h"
#include "train/training_law.h"

namespace nouq {

struct TrainerOptions {
  NetworkOptions network;
  Loss loss;
  Diversity diversity;  // of the heads; none by default
  Schedule schedule;
  Index epochs = 500;
  Index batch = 20;
  double weight_decay = 1e-4;
  std::uint64_t seed = 0;  // of the initial weights, the order of the samples and the dropout masks
  Index patience = 0;      // stop after this many epochs without a better validation loss; 0: never
  int threads = 1;         // 0: all cores
  // Weights to start from instead of random ones (fine-tuning), as many as the network has; must outlive the
  // training.
  const std::vector<float>* initial = nullptr;
  // Inputs without outputs ([n, axes..., channels]) for the kinds of diversity that compare outputs; must
  // outlive the training.
  const Array<float>* unlabelled = nullptr;
  // Where given, the loss is that of the prediction projected onto this law of the data: of training and of
  // validation, which must have its values.
  std::shared_ptr<const TrainingLaw> law;

  // Where to keep checkpoints; none when empty. With `resume`, training continues from there if the file
  // exists.
  std::filesystem::path checkpoint;
  bool resume = true;
  bool any_processor = false;     // go on, too, where the checkpoint was written with another instruction set
  Index checkpoint_period = 1;    // epochs
  double checkpoint_seconds = 0;  // at least this long between two; shorter epochs share one

  // Ranks that train this network together, each with the same options and data; must outlive the training.
  // nullptr: this process alone. The first of them asks its observer and has the checkpoint.
  Group* group = nullptr;
};

struct EpochRecord {
  Index epoch = 0;
  double train_loss = 0;       // mean per sample, while the weights were changing
  double validation_loss = 0;  // mean per sample, after the epoch
  double learning_rate = 0;    // of the epoch's last step
  // Wall time; no part of the result. Not a number where an older checkpoint did not say.
  double seconds = std::numeric_limits<double>::quiet_NaN();
};

// Told what happens; may ask to stop. Called from the thread that called train().
class TrainObserver {
 public:
  virtual ~TrainObserver() = default;
  virtual void on_resume(Index /*next_epoch*/) {}
  virtual void on_step(Index /*epoch*/, Index /*step*/, Index /*steps_per_epoch*/, double /*mean_loss*/) {}
  virtual void on_epoch(const EpochRecord& /*record*/, Index /*best_epoch*/) {}
  // Asked before every step. Stopping keeps all finished epochs: when the last checkpoint does not have them
  // all, the current one is finished and saved first. Resuming gives the uninterrupted result.
  virtual bool should_stop() { return false; }
};

enum class TrainEnd { finished, early, stopped };

// The instruction set that a run was begun with, by the name that `name(Target)` gives; empty where there is
// no checkpoint, or an older one that does not say.
std::string begun_with(const std::filesystem::path& checkpoint);

// Throws what the constructor of a Trainer would; for whoever starts many and wants to know beforehand.
void validate(const TrainerOptions& options, const ScaledData& train, const ScaledData& validation);

class Trainer {
 public:
  // Copies the options; keeps references to the data, which must outlive it. Throws on bad options or data.
  Trainer(TrainerOptions options, const ScaledData& train, const ScaledData& validation);

  // Runs to the end. Throws an Error of kind failure when a loss is no longer finite, naming epoch and batch;
  // best_weights() and history() then hold what was reached before.
  TrainEnd train(TrainObserver* observer = nullptr);

  // Whether train() threw because a loss was no longer finite.
  [[nodiscard]] bool diverged() const { return diverged_; }

  [[nodiscard]] const Network<float>& network() const { return network_; }
  // After the last step. Over ranks each has the parts that it owns (nn/network.h), here and below; the
  // checkpoint has all.
  [[nodiscard]] std::span<const float> weights() const { return weights_; }
  // Those of the lowest validation loss.
  [[nodiscard]] std::span<const float> best_weights() const { return best_weights_; }
  [[nodiscard]] Index best_epoch() const { return best_epoch_; }  // -1 before the first epoch
  [[nodiscard]] const std::vector<EpochRecord>& history() const { return history_; }
  // Mean loss per sample on a data set, with the best weights; under dropout with masks, as in validation.
  double evaluate(const ScaledData& data);

  // What the result depends on, as text: recorded in checkpoints and compared on resume.
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }

 private:
  // nullopt: asked to stop in the middle.
  std::optional<double> run_epoch(Index epoch, TrainObserver& observer);
  double run_batch(Index epoch, Index batch, std::span<const Index> samples, Index step);
  void require_finite(double loss, Index epoch, Index batch);
  [[nodiscard]] bool needs_whole_gradient(Index epoch) const;
  [[nodiscard]] AdamStep adam_step(Index epoch, Index step) const;
  void update(const AdamStep& step, Index first, Index count, const float* gradient);
  void update_all(const AdamStep& step);
  void add_diversity(Index epoch, std::span<const Index> samples, Index step);
  // The samples that the diversity looks at.
  struct TermInputs {
    const float* inputs;
    Index count;
  };
  void add_term(const TermInputs& inputs, std::span<const Index> heads);
  // The inputs of a whole batch, also where ranks share it.
  const float* inputs_of_all(std::span<const Index> samples);
  double mean_loss(const ScaledData& data, const Array<double>& law_values, std::span<const float> weights);
  void gather(const ScaledData& data, std::span<const Index> samples);
  // Of the samples of a batch those of this rank.
  [[nodiscard]] std::span<const Index> own(std::span<const Index> samples) const;
  // What the law asks of these samples; nothing without one.
  BatchSums gather_sums(const Array<double>& law_values, std::span<const Index> samples);
  void finish_epoch(Index epoch, double train_loss, double start, TrainObserver& observer);
  [[nodiscard]] bool has_unsaved_epochs() const;
  void save_checkpoint();
  void write_checkpoint();
  bool load_checkpoint();
  bool read_checkpoint();
  void read_checkpoint(const std::filesystem::path& path);
  // From the first rank of a group to the others.
  void spread_state();
  // What the first rank of a group says.
  bool agreed(bool own) { return nouq::agreed(group_, own); }
  void require_instruction_set(const std::string& begun, const std::filesystem::path& path) const;

  TrainerOptions options_;
  Group& group_;
  ScaledData train_;
  ScaledData validation_;
  Network<float> network_;
  std::string fingerprint_;
  Index steps_per_epoch_;
  FieldRows law_rows_;                         // as the network sees them
  Array<double> law_values_, law_validation_;  // [samples, rows]

  Buffer<float> weights_, best_weights_, first_moment_, second_moment_;
  Buffer<float> gradient_;  // of all weights where the step needs it whole, else of the dense ones
  Buffer<float> batch_inputs_, batch_targets_, whole_inputs_;
  Buffer<float> trunk_term_;  // of a diversity that reaches the trunk
  std::vector<double> sample_losses_, diversity_gradient_, batch_sums_;
  std::vector<EpochRecord> history_;
  Index next_epoch_ = 0;
  Index saved_epochs_ = 0;  // in the checkpoint
  std::chrono::steady_clock::time_point saved_at_;
  Index best_epoch_ = -1;
  double best_loss_ = 0;
  bool diverged_ = false;
};

}  // namespace nouq
