#include "uq/sizing.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace nouq {
namespace {

// Squared error and variance of the values that are looked at, with the sample each belongs to.
struct Errors {
  std::vector<double> squared, variance;
  std::vector<Index> sample;
};

constexpr Index most_values = 1'000'000;  // of a channel; more say nothing new about two numbers

Errors errors_of(const ArrayView<const double>& mean, const ArrayView<const double>& variance,
                 const ArrayView<const double>& truth, Index channel) {
  const Index channels = mean.shape().back(), rows = mean.size() / channels;
  const Index per_sample = rows / mean.extent(0), step = (rows + most_values - 1) / most_values;
  Errors errors;
  for (Index row = 0; row < rows; row += step) {
    const Index i = row * channels + channel;
    const double difference = mean[i] - truth[i];
    errors.squared.push_back(difference * difference);
    errors.variance.push_back(variance[i]);
    errors.sample.push_back(row / per_sample);
  }
  return errors;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

struct Fit {
  double scale = 1;
  double deviance = std::numeric_limits<double>::infinity();  // of the likelihood, up to constants
};

// With a floor given, the best scale is the mean of e^2 / (v + floor).
Fit fit_scale(const Errors& errors, double floor) {
  double ratio = 0, logs = 0;
  for (std::size_t i = 0; i < errors.squared.size(); ++i) {
    const double variance = errors.variance[i] + floor;
    if (!(variance > 0)) return {};
    ratio += errors.squared[i] / variance;
    logs += std::log(variance);
  }
  const auto count = static_cast<double>(errors.squared.size());
  if (!(ratio > 0)) return {};
  return {ratio / count, logs / count + std::log(ratio / count)};
}

// No floor, and then from 1e-8 to 10 of the mean variance by quarters of a decade. A floor must be worth it:
// differences below a millionth of a unit of likelihood per value are noise.
double best_floor(const Errors& errors, double unit) {
  double floor = 0;
  Fit best = fit_scale(errors, 0);
  for (int quarter = -32; quarter <= 4; ++quarter) {
    const double candidate = unit * std::pow(10.0, 0.25 * quarter);
    const Fit fit = fit_scale(errors, candidate);
    if (!(fit.deviance < best.deviance - 1e-6)) continue;
    best = fit;
    floor = candidate;
  }
  return floor;
}

// Of the mean over samples of their own ratios.
double standard_error(const Errors& errors, double floor, Index samples) {
  std::vector<double> ratio(samples), count(samples);
  for (std::size_t i = 0; i < errors.squared.size(); ++i) {
    ratio[errors.sample[i]] += errors.squared[i] / (errors.variance[i] + floor);
    count[errors.sample[i]] += 1;
  }
  double squares = 0;
  for (Index s = 0; s < samples; ++s) ratio[s] /= std::max(1.0, count[s]);
  const double mean = mean_of(ratio);
  for (const double value : ratio) squares += (value - mean) * (value - mean);
  const auto n = static_cast<double>(samples);
  return std::sqrt(squares / (n - 1) / n);
}

Array<double> array(const std::vector<double>& values) { return {{std::ssize(values)}, values}; }

std::vector<double> list(const Surrogate& surrogate, const std::string& name, bool positive) {
  const Array<double>& values = state_array(surrogate, name);
  require(values.shape() == Shape{surrogate.channels()}, "'{}' of shape {}: expected one per channel, {}",
          name, to_string(values.shape()), surrogate.channels());
  for (const double value : values)
    require(std::isfinite(value) && (positive ? value > 0 : value >= 0), "'{}' is {}: expected {}", name,
            value, positive ? "a positive number" : "a number of at least 0");
  return {values.begin(), values.end()};
}

}  // namespace

Sizing calibrate_sizing(const ArrayView<const double>& mean, const ArrayView<const double>& variance,
                        const ArrayView<const double>& truth) {
  require(mean.rank() >= 2 && mean.shape() == variance.shape() && mean.shape() == truth.shape(),
          "sizing: mean of shape {}, variance of {} and truth of {}: expected the same",
          to_string(mean.shape()), to_string(variance.shape()), to_string(truth.shape()));
  require(mean.extent(0) >= least_for_sizing, "sizing: {} held-out samples, expected at least {}",
          mean.extent(0), least_for_sizing);
  Sizing sizing;
  sizing.held_out = mean.extent(0);
  for (Index channel = 0; channel < mean.shape().back(); ++channel) {
    const Errors errors = errors_of(mean, variance, truth, channel);
    const double spread = mean_of(errors.variance), error = mean_of(errors.squared);
    // A method that sees no uncertainty anywhere is sized by its errors alone; one without errors as it is.
    const double floor = error > 0 ? best_floor(errors, spread > 0 ? spread : error) : 0;
    const bool sized = error > 0 && (spread > 0 || floor > 0);
    const double uncertain = sized ? standard_error(errors, floor, sizing.held_out) : 0;
    sizing.scale.push_back(sized ? fit_scale(errors, floor).scale + uncertain : 1);
    sizing.floor.push_back(floor);
    sizing.error.push_back(uncertain);
  }
  return sizing;
}

void store(const Sizing& sizing, Surrogate& surrogate) {
  surrogate.state["sizing.scale"] = array(sizing.scale);
  surrogate.state["sizing.floor"] = array(sizing.floor);
  surrogate.state["sizing.error"] = array(sizing.error);
  surrogate.state["sizing.held_out"] = number(static_cast<double>(sizing.held_out));
}

bool has_sizing(const Surrogate& surrogate) { return surrogate.state.contains("sizing.scale"); }

Sizing sizing_of(const Surrogate& surrogate) {
  if (!has_sizing(surrogate)) return {};
  return {list(surrogate, "sizing.scale", true), list(surrogate, "sizing.floor", false),
          list(surrogate, "sizing.error", false),
          state_integer(surrogate, "sizing.held_out", least_for_sizing, Index{1} << 53U)};
}

void remove_sizing(Surrogate& surrogate) {
  std::erase_if(surrogate.state, [](const auto& entry) { return entry.first.starts_with("sizing."); });
}

PredictedField field_of(Prediction& p, Index sample) {
  const Index size = p.mean.size() / p.mean.extent(0), count = p.samples.empty() ? 0 : p.samples.extent(1);
  return {size, p.mean.data() + sample * size, p.variance.data() + sample * size,
          count == 0 ? nullptr : p.samples.data() + sample * count * size, count};
}

namespace {

// Moves the samples of one value away from the mean.
void stretch(const PredictedField& field, Index i, double factor) {
  for (Index m = 0; m < field.count; ++m) {
    double& value = field.samples[m * field.values + i];
    value = field.mean[i] + factor * (value - field.mean[i]);
  }
}

}  // namespace

void size_variance(const Sizing& sizing, const PredictedField& field) {
  if (sizing.empty()) return;
  const Index channels = std::ssize(sizing.scale);
  for (Index c = 0; c < channels; ++c) {
    for (Index i = c; i < field.values; i += channels) {
      const double before = field.variance[i];
      field.variance[i] = sizing.scale[c] * (before + sizing.floor[c]);
      if (field.count > 0 && before > 0) stretch(field, i, std::sqrt(field.variance[i] / before));
    }
  }
}

void size_variance(const Sizing& sizing, Prediction& prediction) {
  for (Index s = 0; s < prediction.mean.extent(0); ++s) size_variance(sizing, field_of(prediction, s));
}

void scale_variance(double factor, const PredictedField& field) {
  if (factor == 1) return;
  const double by = std::sqrt(factor);
  for (Index i = 0; i < field.values; ++i) {
    field.variance[i] *= factor;
    stretch(field, i, by);
  }
}

}  // namespace nouq
