#include "uq/predictor.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/grid_domain.h"
#include "uq/network_grid.h"

namespace nouq {
namespace {

// value = value * deviation + mean, channel by channel; nothing without a normalisation.
void restore(const Normalisation& normalisation, Index rows, double* mean, double* variance) {
  if (normalisation.is_none()) return;
  const auto channels = std::ssize(normalisation.mean());
  for (Index i = 0; i < rows * channels; ++i) {
    const std::size_t c = i % channels;
    const double deviation = normalisation.deviation()[c];
    mean[i] = mean[i] * deviation + normalisation.mean()[c];
    if (variance != nullptr) variance[i] *= deviation * deviation;
  }
}

Shape extents_of(const Surrogate& surrogate, const ArrayView<const float>& inputs) {
  const std::size_t axes = surrogate.grid.size();
  const auto channels = std::ssize(surrogate.input_channels);
  require(inputs.rank() == axes + 2 && inputs.shape().back() == channels && inputs.extent(0) >= 1,
          "inputs of shape {}: expected [samples, {} axes, {} channels], e.g. {}", to_string(inputs.shape()),
          axes, channels, [&] {
            Shape example = {1};
            for (const Axis& axis : surrogate.grid) example.push_back(axis.size());
            example.push_back(channels);
            return to_string(example);
          }());
  return {inputs.shape().begin() + 1, inputs.shape().end() - 1};
}

const Grid& on_domain(const Surrogate& surrogate, const Grid& grid) {
  require(grid.size() == surrogate.grid.size(), "inputs on a grid of {} axes, the model has {}", grid.size(),
          surrogate.grid.size());
  require_same_domain(surrogate.grid, grid, "");
  return grid;
}

// Of arrays that do not say where their points are. Interpolating them would guess: a transposed array, too,
// has some number of points along each axis.
Grid grid_of(const Surrogate& surrogate, const Shape& extents) {
  const Grid grid = regridded(surrogate.grid, extents);
  require(
      extents == shape_of(surrogate.grid) || answers_on(surrogate, grid),
      "inputs on the grid {}: the model was trained on {}; to ask it on others, say where their points are, "
      "or train with padding as a fraction",
      to_string(extents), to_string(shape_of(surrogate.grid)));
  return grid;
}

}  // namespace

Predictor::Predictor(const Surrogate& surrogate, const Grid& grid, int threads)
    : surrogate_((check(surrogate), surrogate)),
      points_(element_count(shape_of(on_domain(surrogate, grid)))) {
  const bool itself = answers_on(surrogate, grid);
  const Grid own = network_grid(surrogate);
  if (!itself) detour_.emplace(Detour{{grid, own}, {own, grid}, {}, {}, {}, {}});
  const Shape answered = shape_of(itself ? grid : own);
  method_ = find_method(surrogate.method).predictor(surrogate, answered, threads);
  trained_ = element_count(answered);
  sizing_ = sizing_of(surrogate);
}

Predictor::Predictor(const Surrogate& surrogate, const Shape& grid, int threads)
    : Predictor(surrogate, grid_of(surrogate, grid), threads) {}

void Predictor::predict_chunk(const float* inputs, Index batch, double* mean, double* variance,
                              double* samples, double* pooled) {
  const Index channels = surrogate_.channels();
  const auto input_channels = std::ssize(surrogate_.input_channels);
  if (!surrogate_.input_normalisation.is_none()) {
    inputs_.resize(batch * trained_ * input_channels);
    std::copy_n(inputs, batch * trained_ * input_channels, inputs_.data());
    surrogate_.input_normalisation.apply({inputs_.data(), {batch * trained_, input_channels}});
    inputs = inputs_.data();
  }
  const Index count = samples == nullptr ? 0 : this->samples();
  samples_.resize(count * batch * trained_ * channels);
  method_->predict(inputs, batch, mean, variance, count == 0 ? nullptr : samples_.data(), pooled);
  restore(surrogate_.output_normalisation, batch * trained_, mean, variance);
  if (count > 0) {
    std::copy(samples_.begin(), samples_.end(), samples);
    restore(surrogate_.output_normalisation, count * batch * trained_, samples, nullptr);
  }
  for (Index b = 0; b < batch; ++b) {
    const Index at = b * trained_ * channels;
    size_variance(sizing_, {trained_ * channels, mean + at, variance + at,
                            count > 0 ? samples + at * count : nullptr, count});
  }
}

void Predictor::predict_resampled(const float* inputs, Index batch, double* mean, double* variance,
                                  double* samples, double* pooled) {
  const Index channels = surrogate_.channels(), count = samples == nullptr ? 0 : this->samples();
  const auto input_channels = std::ssize(surrogate_.input_channels);
  Detour& d = *detour_;
  d.inputs.resize(batch * trained_ * input_channels);
  for (auto* buffer : {&d.mean, &d.variance}) buffer->resize(batch * trained_ * channels);
  d.samples.resize(count * batch * trained_ * channels);
  for (Index b = 0; b < batch; ++b)
    d.in.apply(inputs + b * points_ * input_channels, input_channels,
               d.inputs.data() + b * trained_ * input_channels);
  predict_chunk(d.inputs.data(), batch, d.mean.data(), d.variance.data(),
                count == 0 ? nullptr : d.samples.data(), pooled);
  const auto back = [&](const Buffer<double>& from, Index fields, double* to) {
    for (Index f = 0; f < fields; ++f)
      d.out.apply(from.data() + f * trained_ * channels, channels, to + f * points_ * channels);
  };
  back(d.mean, batch, mean);
  back(d.variance, batch, variance);
  for (Index i = 0; i < batch * points_ * channels; ++i)
    variance[i] = variance[i] < 0 ? 0 : variance[i];  // a parabola through small ones may dip
  back(d.samples, count * batch, samples);
}

void Predictor::predict(const float* inputs, Index batch, double* mean, double* variance, double* samples,
                        double* pooled) {
  const Index channels = surrogate_.channels();
  const auto input_channels = std::ssize(surrogate_.input_channels);
  for (Index first = 0; first < batch; first += chunk) {
    const Index size = first * points_ * channels;
    const float* in = inputs + first * points_ * input_channels;
    const Index count = std::min(chunk, batch - first);
    double* some = samples == nullptr ? nullptr : samples + size * this->samples();
    double* traits = pooled == nullptr ? nullptr : pooled + first * pooled_size();
    if (detour_) {
      predict_resampled(in, count, mean + size, variance + size, some, traits);
    } else {
      predict_chunk(in, count, mean + size, variance + size, some, traits);
    }
  }
}

Prediction predict(const Surrogate& surrogate, const ArrayView<const float>& inputs,
                   const PredictOptions& options) {
  return predict(surrogate, grid_of(surrogate, extents_of(surrogate, inputs)), inputs, options);
}

Prediction predict(const Surrogate& surrogate, const Grid& grid, const ArrayView<const float>& inputs,
                   const PredictOptions& options) {
  require(extents_of(surrogate, inputs) == shape_of(grid), "inputs of shape {} on a grid of shape {}",
          to_string(inputs.shape()), to_string(shape_of(grid)));
  Predictor predictor(surrogate, grid, options.threads);
  for (Index i = 0; i < inputs.size(); ++i) {
    require(std::isfinite(inputs[i]), "inputs: {} in sample {}, expected finite numbers", inputs[i],
            i / (inputs.size() / inputs.extent(0)));
  }
  Shape shape = inputs.shape();
  shape.back() = surrogate.channels();
  Prediction prediction{Array<double>(shape), Array<double>(shape), {}};
  prediction.pooled = Array<double>({inputs.extent(0), predictor.pooled_size()});
  if (options.samples && predictor.samples() > 0) {
    shape.insert(shape.begin() + 1, predictor.samples());
    prediction.samples = Array<double>(shape);
  }
  predictor.predict(inputs.data(), inputs.extent(0), prediction.mean.data(), prediction.variance.data(),
                    prediction.samples.empty() ? nullptr : prediction.samples.data(),
                    prediction.pooled.data());
  return prediction;
}

}  // namespace nouq
