#include "uq/predictor.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

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

Shape grid_of(const Surrogate& surrogate, const ArrayView<const float>& inputs) {
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

void require_grid(const Surrogate& surrogate, const Shape& grid) {
  const Shape trained = shape_of(surrogate.grid);
  if (grid == trained) return;
  const auto& padding = surrogate.network.padding;
  require(grid.size() == trained.size(), "inputs on a grid of {} axes, the model has {}", grid.size(),
          trained.size());
  require(
      std::all_of(padding.begin(), padding.end(),
                  [](const Padding& p) { return p.fraction.has_value() || p.points == 0; }),
      "inputs on the grid {}: the model was trained on {} with padding counted in points, and predicts on "
      "that grid only; train with padding as a fraction to use other grids",
      to_string(grid), to_string(trained));
}

}  // namespace

Predictor::Predictor(const Surrogate& surrogate, const Shape& grid, int threads)
    : surrogate_(surrogate),
      method_((check(surrogate), require_grid(surrogate, grid),
               find_method(surrogate.method).predictor(surrogate, grid, threads))),
      points_(element_count(grid)),
      sizing_(sizing_of(surrogate)) {}

void Predictor::predict_chunk(const float* inputs, Index batch, double* mean, double* variance,
                              double* samples, double* pooled) {
  const Index channels = surrogate_.channels();
  const auto input_channels = std::ssize(surrogate_.input_channels);
  if (!surrogate_.input_normalisation.is_none()) {
    inputs_.resize(batch * points_ * input_channels);
    std::copy_n(inputs, batch * points_ * input_channels, inputs_.data());
    surrogate_.input_normalisation.apply({inputs_.data(), {batch * points_, input_channels}});
    inputs = inputs_.data();
  }
  const Index count = samples == nullptr ? 0 : this->samples();
  samples_.resize(count * batch * points_ * channels);
  method_->predict(inputs, batch, mean, variance, count == 0 ? nullptr : samples_.data(), pooled);
  restore(surrogate_.output_normalisation, batch * points_, mean, variance);
  if (count > 0) {
    std::copy(samples_.begin(), samples_.end(), samples);
    restore(surrogate_.output_normalisation, count * batch * points_, samples, nullptr);
  }
  for (Index b = 0; b < batch; ++b) {
    const Index at = b * points_ * channels;
    size_variance(sizing_, points_, mean + at, variance + at, count > 0 ? samples + at * count : nullptr,
                  count);
  }
}

void Predictor::predict(const float* inputs, Index batch, double* mean, double* variance, double* samples,
                        double* pooled) {
  const Index channels = surrogate_.channels();
  const auto input_channels = std::ssize(surrogate_.input_channels);
  for (Index first = 0; first < batch; first += chunk) {
    const Index size = first * points_ * channels;
    predict_chunk(inputs + first * points_ * input_channels, std::min(chunk, batch - first), mean + size,
                  variance + size, samples == nullptr ? nullptr : samples + size * this->samples(),
                  pooled == nullptr ? nullptr : pooled + first * pooled_size());
  }
}

Prediction predict(const Surrogate& surrogate, const ArrayView<const float>& inputs,
                   const PredictOptions& options) {
  Predictor predictor(surrogate, grid_of(surrogate, inputs), options.threads);
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
