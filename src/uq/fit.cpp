#include "uq/fit.h"

#include <algorithm>

#include "train/fingerprint.h"

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
  Array<double> array({static_cast<Index>(history.size()), 3});
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
  for (const auto& [key, value] : train.provenance) s.facts["data." + key] = value;
  return s;
}

DataSet normalised(const Surrogate& surrogate, DataSet data) {
  if (!surrogate.input_normalisation.is_none()) surrogate.input_normalisation.apply(data.inputs.view());
  if (!surrogate.output_normalisation.is_none()) surrogate.output_normalisation.apply(data.outputs.view());
  return data;
}

void require_same_architecture(const Surrogate& from, const std::string& method,
                               const std::vector<TrainOptions>& trainings) {
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
    : train_(train), validation_(validation) {
  validate(train, "training data");
  validate(validation, "validation data");
  if (!options.normalise && options.from == nullptr) return;
  const Surrogate shape = describe(options, train);
  copies_.emplace(normalised(shape, train), normalised(shape, validation));
  if (options.train.unlabelled == nullptr || shape.input_normalisation.is_none()) return;
  unlabelled_ = *options.train.unlabelled;
  shape.input_normalisation.apply(unlabelled_.view());
}

std::vector<TrainOptions> FitData::adapted(std::vector<TrainOptions> trainings) const {
  if (unlabelled_.empty()) return trainings;
  for (TrainOptions& one : trainings) one.unlabelled = &unlabelled_;
  return trainings;
}

std::vector<TrainOptions> fit_trainings(const FitOptions& options, const DataSet& train) {
  TrainOptions base = options.train;
  base.network.input_channels = train.inputs.shape().back();
  auto trainings =
      find_method(options.method.name).trainings(options.method, base, train.outputs.shape().back());
  if (options.from == nullptr) return trainings;
  const Surrogate& from = *options.from;
  require_same_architecture(from, options.method.name, trainings);
  require(from.channels() == train.outputs.shape().back(),
          "the model to start from has {} output channels, the data have {}", from.channels(),
          train.outputs.shape().back());
  for (std::size_t k = 0; k < trainings.size(); ++k) trainings[k].initial = &from.weights[k];
  return trainings;
}

Surrogate assemble(const FitOptions& options, const DataSet& train, const DataSet& validation,
                   const std::vector<TrainedNetwork>& networks) {
  Surrogate s = describe(options, train);
  s.network = fit_trainings(options, train).front().network;
  for (std::size_t k = 0; k < networks.size(); ++k) {
    s.weights.push_back(networks[k].weights);
    s.history["network." + std::to_string(k)] = history_array(networks[k].history);
    s.facts["training." + std::to_string(k)] = networks[k].fingerprint;
  }
  s.facts["data.training_fingerprint"] = data_fingerprint(train);
  s.facts["data.validation_fingerprint"] = data_fingerprint(validation);
  s.facts["data.training_samples"] = std::to_string(train.size());
  s.facts["data.validation_samples"] = std::to_string(validation.size());
  find_method(options.method.name).finish(options.method, normalised(s, train), options.threads, s);
  return s;
}

std::optional<Surrogate> fit(const FitOptions& options, const DataSet& train, const DataSet& validation,
                             FitObserver* observer) {
  const FitData data(options, train, validation);
  const auto networks = run_trainings(
      data.adapted(fit_trainings(options, train)), data.train(), data.validation(),
      {.threads = options.threads, .folder = options.folder, .checkpoint_period = options.checkpoint_period},
      observer);
  if (!networks) return std::nullopt;
  return assemble(options, train, validation, *networks);
}

}  // namespace nouq
