#include "uq/fit.h"

#include <algorithm>

#include "core/error.h"
#include "train/fingerprint.h"
#include "uq/network_grid.h"
#include "uq/novelty.h"

namespace nouq {
namespace {

// Least and greatest value of every column of a [..., columns] array.
template <class T>
Array<double> column_ranges(const Array<T>& values) {
  const Index columns = values.rank() == 0 ? 0 : values.shape().back();
  Array<double> ranges({columns, 2});
  if (columns == 0) return ranges;
  for (Index i = 0; i < values.size(); ++i) {
    const auto value = static_cast<double>(values[i]);
    double* range = ranges.data() + 2 * (i % columns);
    range[0] = i < columns ? value : std::min(range[0], value);
    range[1] = i < columns ? value : std::max(range[1], value);
  }
  return ranges;
}

Array<double> history_array(const std::vector<EpochRecord>& history) {
  Array<double> array({std::ssize(history), 3});
  for (std::size_t e = 0; e < history.size(); ++e) {
    double* row = array.data() + 3 * e;
    row[0] = history[e].train_loss;
    row[1] = history[e].validation_loss;
    row[2] = history[e].learning_rate;
  }
  return array;
}

// Everything but the networks: what can be said from options and training data.
Surrogate describe(const FitOptions& options, const DataSet& train) {
  Surrogate s;
  s.method = options.method.name;
  s.grid = train.grid;
  s.input_channels = train.input_channels;
  s.output_channels = train.output_channels;
  s.parameter_names = train.parameter_names;
  s.laws = train.laws;
  s.bounds = train.bounds;
  s.parameter_range = column_ranges(train.parameters);
  s.input_range = column_ranges(train.inputs);
  if (options.from != nullptr) {
    s.input_normalisation = options.from->input_normalisation;
    s.output_normalisation = options.from->output_normalisation;
  } else if (options.normalise) {
    s.input_normalisation = Normalisation::per_channel(train.inputs.view());
    s.output_normalisation = Normalisation::per_channel(train.outputs.view());
  }
  if (options.from != nullptr ? on_even_points(*options.from) : needs_even_points(train.grid))
    note_even_points(s);
  for (const auto& [key, value] : train.provenance) s.facts["data." + key] = value;
  return s;
}

// Checks the data before anything else looks at them.
Surrogate checked_description(const FitOptions& options, const DataSet& train, const DataSet& validation) {
  validate(train, "training data");
  validate(validation, "validation data");
  return describe(options, train);
}

std::shared_ptr<const DataSet> even(const Surrogate& description, const DataSet& data) {
  return on_even_points(description) ? std::make_shared<DataSet>(on_even_points(data)) : nullptr;
}

ScaledData scaled(const Surrogate& description, const DataSet* even, const DataSet& data) {
  return {even != nullptr ? *even : data, description.input_normalisation, description.output_normalisation};
}

// Without scaling the data have been hashed already.
std::string fingerprint_of(const ScaledData& data) {
  return data.is_scaled() ? data_fingerprint(data.data()) : data.fingerprint();
}

void require_same_architecture(const Surrogate& from, const std::string& method,
                               const std::vector<TrainerOptions>& trainings) {
  constexpr const char* rule = "fine-tuning keeps method and architecture";
  require(from.method == method, "the model to start from is of the method {}, not {}; {}", from.method,
          method, rule);
  require(from.weights.size() == trainings.size(), "the model to start from has {} networks, not {}; {}",
          from.weights.size(), trainings.size(), rule);
  const std::string different = difference(from.network, trainings.front().network);
  require(different.empty(), "the model to start from and what is to be trained differ: {}; {}", different,
          rule);
}

}  // namespace

FitData::FitData(const FitOptions& options, const DataSet& train, const DataSet& validation)
    : description_(checked_description(options, train, validation)),
      even_train_(even(description_, train)),
      even_validation_(even(description_, validation)),
      train_(scaled(description_, even_train_.get(), train)),
      validation_(scaled(description_, even_validation_.get(), validation)) {
  auto& facts = description_.facts;
  facts["data.training_fingerprint"] = fingerprint_of(train_);
  facts["data.validation_fingerprint"] = fingerprint_of(validation_);
  facts["data.training_samples"] = std::to_string(train.size());
  facts["data.validation_samples"] = std::to_string(validation.size());
  const Normalisation& normalisation = description_.input_normalisation;
  const bool resampled = on_even_points(description_);
  require(options.train.law == nullptr || !resampled,
          "project-in-training: the points of the data are unevenly spaced, and networks see fields on even "
          "ones, whose integrals are others");
  if (options.train.unlabelled == nullptr || (normalisation.is_none() && !resampled)) return;
  auto copy = std::make_shared<Array<float>>(*options.train.unlabelled);
  if (resampled) *copy = on_even_points(train.grid, *copy);
  if (!normalisation.is_none()) normalisation.apply(copy->view());
  unlabelled_ = std::move(copy);
}

std::vector<TrainerOptions> FitData::adapted(std::vector<TrainerOptions> trainings) const {
  if (!unlabelled_) return trainings;
  for (TrainerOptions& one : trainings) one.unlabelled = unlabelled_.get();
  return trainings;
}

std::vector<TrainerOptions> fit_trainings(const FitOptions& options, const DataSet& train) {
  TrainerOptions base = options.train;
  base.network.input_channels = train.inputs.shape().back();
  const Method& method = find_method(options.method.name);
  require(
      base.law == nullptr || method.has_variance_in_training(),
      "project-in-training: networks of the method {} give no variance while they are trained, by which a "
      "projection would know where to move them; expected diverse or variance",
      method.name());
  auto trainings = method.trainings(options.method, base, train.outputs.shape().back());
  if (options.from == nullptr) return trainings;
  const Surrogate& from = *options.from;
  require_same_architecture(from, options.method.name, trainings);
  require(from.channels() == train.outputs.shape().back(),
          "the model to start from has {} output channels, the data have {}", from.channels(),
          train.outputs.shape().back());
  for (std::size_t k = 0; k < trainings.size(); ++k) trainings[k].initial = &from.weights[k];
  return trainings;
}

Surrogate assemble(const FitOptions& options, const FitData& data, const TrainerOptions& training,
                   std::span<const TrainedNetwork> networks) {
  Surrogate s = data.description();
  s.method = options.method.name;
  s.network = training.network;
  for (std::size_t k = 0; k < networks.size(); ++k) {
    s.weights.push_back(networks[k].weights);
    s.history["network." + std::to_string(k)] = history_array(networks[k].history);
    s.facts["training." + std::to_string(k)] = networks[k].fingerprint;
  }
  find_method(options.method.name).finish(options.method, data.train(), options.threads, s);
  keep_training_inputs(data.train(), options.threads, s);
  return s;
}

TrainingsOptions trainings_options(const FitOptions& options) {
  return {.threads = options.threads,
          .folder = options.folder,
          .checkpoint_period = options.checkpoint_period,
          .any_processor = options.any_processor,
          .ranks = &ranks()};
}

FitPlan::FitPlan(FitOptions given, const DataSet& train, const DataSet& validation)
    : options(std::move(given)),
      data(options, train, validation),
      trainings(data.adapted(fit_trainings(options, train))) {}

std::optional<Surrogate> fit(const FitPlan& plan, FitObserver* observer) {
  const FitOptions& options = plan.options;
  const auto networks = run_trainings(plan.trainings, plan.data.train(), plan.data.validation(),
                                      trainings_options(options), observer);
  if (!networks) return std::nullopt;
  if (!leads(ranks())) return Surrogate{};
  return assemble(options, plan.data, plan.trainings.front(), *networks);
}

std::optional<Surrogate> fit(const FitOptions& options, const DataSet& train, const DataSet& validation,
                             FitObserver* observer) {
  return fit(FitPlan(options, train, validation), observer);
}

}  // namespace nouq
