#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/large_memory.h"
#include "core/threads.h"
#include "data/split.h"
#include "kernels/rows.h"
#include "nn/architecture.h"
#include "train/fingerprint.h"

namespace nouq {
namespace {

void validate_options(const TrainerOptions& o) {
  validate(o.network);
  validate(o.loss, o.network.outputs);
  validate(o.schedule);
  validate(o.diversity, o.network, o.loss.heads);
  require(o.epochs >= 1 && o.epochs <= 10000000, "epochs = {}: expected 1 to 10000000", o.epochs);
  require(o.batch >= 1 && o.batch <= 1000000, "batch = {}: expected 1 to 1000000", o.batch);
  require(o.weight_decay >= 0.0 && o.weight_decay < 1.0,
          "weight decay = {}: expected 0 up to, but not including, 1", o.weight_decay);
  require(o.patience >= 0, "patience = {} epochs: expected 0 (never stop early) or more", o.patience);
  require(o.checkpoint_period >= 1, "checkpoint period = {} epochs: expected at least 1",
          o.checkpoint_period);
  require(o.checkpoint_seconds >= 0.0, "time between checkpoints = {} seconds: expected 0 or more",
          o.checkpoint_seconds);
}

void validate_data(const TrainerOptions& o, const DataSet& data, const std::string& name) {
  validate(data, name);
  require(data.inputs.shape().back() == o.network.input_channels,
          "{}: {} input channels, the network takes {}", name, data.inputs.shape().back(),
          o.network.input_channels);
  require(data.outputs.shape().back() == o.loss.channels, "{}: {} output channels, the loss compares {}",
          name, data.outputs.shape().back(), o.loss.channels);
}

void validate_unlabelled(const TrainerOptions& o, const DataSet& train) {
  if (o.diversity.strength == 0.0 || !needs_unlabelled_inputs(o.diversity.kind)) return;
  require(o.unlabelled != nullptr, "diversity of {} needs unlabelled inputs: none given",
          name(o.diversity.kind));
  require(o.unlabelled->rank() == train.inputs.rank() && o.unlabelled->extent(0) >= 1 &&
              std::equal(o.unlabelled->shape().begin() + 1, o.unlabelled->shape().end(),
                         train.inputs.shape().begin() + 1),
          "unlabelled inputs of shape {}: expected that of the training inputs, {}, but for the count",
          to_string(o.unlabelled->shape()), to_string(train.inputs.shape()));
  const Index size = o.unlabelled->size() / o.unlabelled->extent(0);
  for (Index i = 0; i < o.unlabelled->size(); ++i)
    require(std::isfinite((*o.unlabelled)[i]), "unlabelled inputs: {} in sample {}, expected finite numbers",
            (*o.unlabelled)[i], i / size);
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

void validate(const TrainerOptions& options, const ScaledData& train, const ScaledData& validation) {
  validate_options(options);
  validate_data(options, train.data(), "training data");
  validate_data(options, validation.data(), "validation data");
  validate_unlabelled(options, train.data());
  if (options.law != nullptr) {
    validate(*options.law, train.data(), "training data");
    validate(*options.law, validation.data(), "validation data");
  }
  require_accepted(options.network, train.data().grid);
  const Shape grid = shape_of(train.data().grid), other = shape_of(validation.data().grid);
  require(grid == other, "training data on the grid {}, validation data on {}", to_string(grid),
          to_string(other));
}

Trainer::Trainer(TrainerOptions options, const ScaledData& train, const ScaledData& validation)
    : options_((validate(options, train, validation), std::move(options))),
      group_(options_.group != nullptr ? *options_.group : group_of_one()),
      train_(train),
      validation_(validation),
      network_(options_.network, shape_of(train.data().grid), options_.threads, group_),
      fingerprint_(training_fingerprint(options_, train, validation)),
      steps_per_epoch_((train.size() + options_.batch - 1) / options_.batch) {
  const std::size_t size = network_.layout().size();
  for (auto* buffer : {&weights_, &best_weights_, &first_moment_, &second_moment_}) {
    buffer->resize(size);
    buffer->fill(0.0F);
  }
  if (options_.law != nullptr) {
    law_rows_ = scaled_rows(*options_.law, train_.output_normalisation());
    law_values_ = scaled_values(*options_.law, train_);
    law_validation_ = scaled_values(*options_.law, validation_);
  }
  if (options_.initial == nullptr) {
    initialise(network_.layout(), options_.seed, weights_.data());
  } else {
    require(options_.initial->size() == size, "{} weights to start from, the network has {}",
            options_.initial->size(), size);
    std::copy(options_.initial->begin(), options_.initial->end(), weights_.begin());
  }
  std::copy(weights_.begin(), weights_.end(), best_weights_.begin());
}

// Samples one after another in memory, as the network wants them: this rank's of the batch.
void Trainer::gather(const ScaledData& data, std::span<const Index> samples) {
  const Index input_size = data.data().inputs.row(0).size();
  const Index output_size = data.data().outputs.row(0).size();
  sample_losses_.resize(samples.size());
  samples = own(samples);
  batch_inputs_.resize(samples.size() * static_cast<std::size_t>(input_size));
  batch_targets_.resize(samples.size() * static_cast<std::size_t>(output_size));
  data.gather(samples, batch_inputs_.data(), batch_targets_.data());
}

std::span<const Index> Trainer::own(std::span<const Index> samples) const {
  const IndexRange range = network_.own_samples(std::ssize(samples));
  return samples.subspan(range.begin, range.size());
}

const float* Trainer::inputs_of_all(std::span<const Index> samples) {
  if (group_.size() == 1) return batch_inputs_.data();
  whole_inputs_.resize(samples.size() * static_cast<std::size_t>(train_.data().inputs.row(0).size()));
  train_.gather_inputs(samples, whole_inputs_.data());
  return whole_inputs_.data();
}

BatchSums Trainer::gather_sums(const Array<double>& law_values, std::span<const Index> samples) {
  if (options_.law == nullptr) return {};
  samples = own(samples);
  const Index count = law_rows_.count();
  batch_sums_.resize(samples.size() * static_cast<std::size_t>(count));
  double* out = batch_sums_.data();
  for (const Index sample : samples) out = std::copy_n(law_values.data() + sample * count, count, out);
  return {&law_rows_, batch_sums_.data()};
}

// The term is maximised: its gradient goes in with a minus. Called when `gradient_` holds the data term's.
void Trainer::add_diversity(Index epoch, std::span<const Index> samples, Index step) {
  const Diversity& d = options_.diversity;
  if (d.strength == 0.0 || epoch < d.warmup) return;
  const bool unlabelled = needs_unlabelled_inputs(d.kind);
  const float* inputs = unlabelled ? options_.unlabelled->data() : inputs_of_all(samples);
  const Index count = unlabelled ? options_.unlabelled->extent(0) : std::ssize(samples);
  const Index channels = options_.loss.channels;
  const auto drawn = drawn_heads(d, options_.loss.heads, options_.seed, static_cast<std::uint64_t>(step));
  // Heads are compared channel by channel.
  for (Index c = 0; c < channels; ++c) {
    std::vector<Index> rows = drawn;
    for (Index& row : rows) row = row * channels + c;
    add_term({inputs, count}, rows);
  }
}

void Trainer::add_term(const TermInputs& inputs, std::span<const Index> heads) {
  const Diversity& d = options_.diversity;
  if (d.reaches_trunk()) {
    trunk_term_.resize(gradient_.size());
    const double r =
        diversity_of_all(d.kind, network_, weights_.data(), inputs.inputs, inputs.count, options_.batch,
                         heads, std::span(trunk_term_.data(), trunk_term_.size()));
    const double factor = d.strength * saturate(r, d.bound).derivative;
    for (std::size_t i = 0; i < trunk_term_.size(); ++i)
      gradient_[i] -= static_cast<float>(factor * static_cast<double>(trunk_term_[i]));
    return;
  }
  diversity_gradient_.resize(options_.network.outputs * options_.network.features);
  const double r = diversity(d.kind, network_, weights_.data(), inputs.inputs, inputs.count, heads,
                             std::span(diversity_gradient_));
  const double factor = d.strength * saturate(r, d.bound).derivative;
  float* gradient = gradient_.data() + network_.layout().head_weight();
  for (std::size_t i = 0; i < diversity_gradient_.size(); ++i)
    gradient[i] -= static_cast<float>(factor * diversity_gradient_[i]);
}

void Trainer::require_finite(double loss, Index epoch, Index batch) {
  if (std::isfinite(loss)) return;
  diverged_ = true;
  throw_failure(
      "training diverged: the loss of epoch {}, batch {} is {}; the best weights so far are kept. "
      "A lower learning rate than {} may help",
      epoch, batch, loss, options_.schedule.base_rate);
}

// Whether no weight may change before all of the gradient is there: ranks exchange parts of it, and a term
// may be computed with more of the network than the weights of its heads.
bool Trainer::needs_whole_gradient(Index epoch) const {
  const Diversity& d = options_.diversity;
  const bool term_asks_network = d.strength != 0.0 && epoch >= d.warmup && d.kind != DiversityKind::weights;
  return group_.size() > 1 || term_asks_network;
}

AdamStep Trainer::adam_step(Index epoch, Index step) const {
  AdamStep result;
  result.rate =
      learning_rate(options_.schedule, epoch, step, options_.epochs, options_.epochs * steps_per_epoch_);
  result.decay = options_.weight_decay;
  result.step = step + 1;
  return result;
}

// The moments come from memory: those of the next part, most likely, are asked for now.
void Trainer::update(const AdamStep& step, Index first, Index count, const float* gradient) {
  const Index next = first + count, ahead = std::min(count, network_.layout().size() - next);
  fetch_to_write(first_moment_.data() + next, ahead);
  fetch_to_write(second_moment_.data() + next, ahead);
  adam(step, gradient, count, weights_.data() + first, first_moment_.data() + first,
       second_moment_.data() + first);
}

// Of the numbers that this rank owns; the others are moved elsewhere. Elements are independent, so any cut
// gives the same bits.
void Trainer::update_all(const AdamStep& step) {
  const Index piece = 1 << 16;
  for (const IndexRange part : network_.owned()) {
    parallel_for(resolve_threads(options_.threads), (part.size() + piece - 1) / piece, [&](Index p) {
      const Index first = part.begin + p * piece;
      update(step, first, std::min(piece, part.end - first), gradient_.data() + first);
    });
  }
  network_.share(weights_.data());
}

// Weights change as soon as their gradient is there, while it is in the cache, where nothing needs all of it.
double Trainer::run_batch(Index epoch, Index batch, std::span<const Index> samples, Index step) {
  gather(train_, samples);
  const BatchDropout dropout{options_.network.dropout > 0.0, options_.seed,
                             static_cast<std::uint64_t>(step * options_.batch)};
  const BatchSums sums = gather_sums(law_values_, samples);
  const AdamStep how = adam_step(epoch, step);
  const Index count = std::ssize(samples);
  double loss = 0;
  if (needs_whole_gradient(epoch)) {
    const auto size = static_cast<std::size_t>(network_.layout().size());
    if (gradient_.size() != size) {
      gradient_.resize(size);
      gradient_.fill(0.0F);  // what other ranks own stays so
    }
    loss = network_.loss_gradient(weights_.data(), batch_inputs_.data(), batch_targets_.data(), count,
                                  options_.loss, sample_losses_, gradient_.data(), dropout, sums);
    require_finite(loss, epoch, batch);
    add_diversity(epoch, samples, step);
    update_all(how);
    return loss;
  }
  const auto take = [&](Index first, Index size, const float* gradient) {
    if (first > 0) return update(how, first, size, gradient);
    gradient_.resize(static_cast<std::size_t>(size));
    std::copy_n(gradient, size, gradient_.data());
    add_diversity(epoch, samples, step);
    update(how, 0, size, gradient_.data());
  };
  loss = network_.loss_gradient_in_parts(weights_.data(), batch_inputs_.data(), batch_targets_.data(), count,
                                         options_.loss, sample_losses_, take, dropout, sums);
  require_finite(loss, epoch, batch);
  return loss;
}

namespace {

// While a batch is computed, the next one's samples come from the disk, where that is where they are.
void fetch_samples(const DataSet& data, std::span<const Index> samples) {
  for (const Index sample : samples) {
    for (const Array<float>* field : {&data.inputs, &data.outputs})
      fetch_ahead(std::as_bytes(field->row(sample).span()));
  }
}

}  // namespace

std::optional<double> Trainer::run_epoch(Index epoch, TrainObserver& observer) {
  const std::vector<Index> order = shuffled(train_.size(), options_.seed, static_cast<std::uint64_t>(epoch));
  const auto batch_of = [&](const std::vector<Index>& all, Index b) {
    const auto rest = std::span(all).subspan(static_cast<std::size_t>(b * options_.batch));
    return rest.first(std::min(rest.size(), static_cast<std::size_t>(options_.batch)));
  };
  double total = 0;
  Index seen = 0;
  for (Index b = 0; b < steps_per_epoch_; ++b) {
    if (!has_unsaved_epochs() && agreed(observer.should_stop())) return std::nullopt;
    const auto batch = batch_of(order, b);
    if (b + 1 < steps_per_epoch_) fetch_samples(train_.data(), own(batch_of(order, b + 1)));
    total += run_batch(epoch, b, batch, epoch * steps_per_epoch_ + b);
    seen += std::ssize(batch);
    observer.on_step(epoch, b, steps_per_epoch_, total / static_cast<double>(seen));
  }
  return total / static_cast<double>(seen);
}

// With dropout, sample i has mask i of these in every epoch: what is judged is the network as it will be used
// (without masks it is another function, since a GELU follows them), and only weights differ between epochs.
// Steps of training never get as far.
constexpr std::uint64_t first_validation_mask = std::uint64_t{1} << 63U;

double Trainer::mean_loss(const ScaledData& data, const Array<double>& law_values,
                          std::span<const float> weights) {
  std::vector<Index> all(data.size());
  std::iota(all.begin(), all.end(), 0);
  double total = 0;
  for (std::size_t first = 0; first < all.size(); first += static_cast<std::size_t>(options_.batch)) {
    const auto rest = std::span(all).subspan(first);
    const auto batch = rest.first(std::min(rest.size(), static_cast<std::size_t>(options_.batch)));
    gather(data, batch);
    const BatchDropout dropout{options_.network.dropout > 0.0, options_.seed, first_validation_mask + first};
    total += network_.loss(weights.data(), batch_inputs_.data(), batch_targets_.data(), std::ssize(batch),
                           options_.loss, sample_losses_, dropout, gather_sums(law_values, batch));
  }
  return total / static_cast<double>(data.size());
}

double Trainer::evaluate(const ScaledData& data) {
  validate_data(options_, data.data(), "data");
  if (options_.law == nullptr) return mean_loss(data, {}, best_weights_);
  validate(*options_.law, data.data(), "data");
  return mean_loss(data, scaled_values(*options_.law, data), best_weights_);
}

void Trainer::finish_epoch(Index epoch, double train_loss, double start, TrainObserver& observer) {
  const double validation_loss = mean_loss(validation_, law_validation_, weights_);
  if (!std::isfinite(validation_loss)) {
    diverged_ = true;
    throw_failure(
        "training diverged: the validation loss of epoch {} is {}; the best weights so far are kept", epoch,
        validation_loss);
  }
  const Index last_step = (epoch + 1) * steps_per_epoch_ - 1;
  history_.push_back({epoch, train_loss, validation_loss,
                      learning_rate(options_.schedule, epoch, last_step, options_.epochs,
                                    options_.epochs * steps_per_epoch_),
                      seconds_now() - start});
  if (best_epoch_ < 0 || validation_loss < best_loss_) {
    best_epoch_ = epoch;
    best_loss_ = validation_loss;
    std::copy(weights_.begin(), weights_.end(), best_weights_.begin());
  }
  next_epoch_ = epoch + 1;
  const std::chrono::duration<double> unsaved_for = std::chrono::steady_clock::now() - saved_at_;
  const bool due = next_epoch_ % options_.checkpoint_period == 0 &&
                   agreed(unsaved_for.count() >= options_.checkpoint_seconds);
  if (due || next_epoch_ == options_.epochs) save_checkpoint();
  observer.on_epoch(history_.back(), best_epoch_);
}

TrainEnd Trainer::train(TrainObserver* observer) {
  TrainObserver silent;
  TrainObserver& listener = observer != nullptr ? *observer : silent;
  if (load_checkpoint()) listener.on_resume(next_epoch_);
  saved_epochs_ = next_epoch_;
  saved_at_ = std::chrono::steady_clock::now();
  const auto impatient = [&] {
    return options_.patience > 0 && next_epoch_ - 1 - best_epoch_ >= options_.patience;
  };
  while (next_epoch_ < options_.epochs) {
    if (next_epoch_ > 0 && impatient()) {
      if (has_unsaved_epochs()) save_checkpoint();
      return TrainEnd::early;
    }
    const Index epoch = next_epoch_;
    const double start = seconds_now();
    const std::optional<double> loss = run_epoch(epoch, listener);
    if (!loss) return TrainEnd::stopped;
    finish_epoch(epoch, *loss, start, listener);
    if (has_unsaved_epochs() && agreed(listener.should_stop())) {
      save_checkpoint();
      return TrainEnd::stopped;
    }
  }
  return TrainEnd::finished;
}

}  // namespace nouq
