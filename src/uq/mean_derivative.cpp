#include "uq/mean_derivative.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/grid_domain.h"
#include "uq/network_grid.h"

namespace nouq {
namespace {

constexpr double step = 1e-3;  // of the largest normalised input, or of 1

std::vector<double> deviations(const Normalisation& normalisation, Index channels) {
  return normalisation.is_none() ? std::vector<double>(channels, 1.0) : normalisation.deviation();
}

// `count` copies of the values, one after another.
template <class T>
void tile(const Buffer<T>& values, Index count, Buffer<T>& out) {
  const Index size = std::ssize(values);
  out.resize(count * size);
  for (Index i = 0; i < count; ++i) std::copy_n(values.data(), size, out.data() + i * size);
}

double largest(const double* values, Index count) {
  double most = 0;
  for (Index i = 0; i < count; ++i) most = std::max(most, std::abs(values[i]));
  return most;
}

}  // namespace

MeanDerivative::MeanDerivative(const Surrogate& surrogate, const Shape& grid, int threads)
    : surrogate_(surrogate),
      grid_(grid),
      threads_(threads),
      rule_(find_method(surrogate.method).mean_rule(surrogate)),
      points_(element_count(grid)),
      in_(std::ssize(surrogate.input_channels)),
      out_(surrogate.channels()),
      share_(1.0 / static_cast<double>(std::ssize(surrogate.weights) * rule_.groups *
                                       std::max<Index>(1, rule_.masks))),
      in_deviation_(deviations(surrogate.input_normalisation, in_)),
      out_deviation_(deviations(surrogate.output_normalisation, out_)),
      network_(surrogate.network, grid, threads) {
  require(
      !on_even_points(surrogate),
      "derivatives: the model's points are unevenly spaced, its networks see interpolated fields; there are "
      "derivatives for evenly spaced axes only");
  require(
      answers_on(surrogate, regridded(surrogate.grid, grid)),
      "derivatives on the grid {}: the model was trained on {} with padding counted in points, and has them "
      "on that grid only; train with --padding-fraction to use other grids",
      to_string(grid), to_string(shape_of(surrogate.grid)));
}

void MeanDerivative::normalise(const float* inputs) {
  input_.resize(points_ * in_);
  std::copy_n(inputs, points_ * in_, input_.data());
  if (!surrogate_.input_normalisation.is_none())
    surrogate_.input_normalisation.apply({input_.data(), {points_, in_}});
  if (rule_.masks > 0) mask_seed_ = rule_.mask_seed({input_.data(), static_cast<std::size_t>(points_ * in_)});
}

void MeanDerivative::gradient(const float* inputs, Index batch, const double* sensitivity, double* result) {
  for (Index b = 0; b < batch; ++b) {
    normalise(inputs + b * points_ * in_);
    gradient_of_one(sensitivity + b * points_ * out_, result + b * points_ * in_);
  }
}

void MeanDerivative::gradient_of_one(const double* sensitivity, double* result) {
  const Index columns = surrogate_.network.outputs, size = points_ * in_;
  Buffer<float> by_output(points_ * columns);
  for (Index p = 0; p < points_; ++p) {
    for (Index c = 0; c < columns; ++c) {
      const double by_mean =
          c < rule_.groups * out_ ? sensitivity[p * out_ + c % out_] * out_deviation_[c % out_] : 0.0;
      by_output[p * columns + c] = static_cast<float>(by_mean * share_);
    }
  }
  std::fill_n(result, size, 0.0);
  for (const std::vector<float>& weights : surrogate_.weights) {
    for (Index first = 0; first < std::max<Index>(1, rule_.masks); first += copies()) {
      const Index count = std::min(copies(), std::max<Index>(1, rule_.masks) - first);
      tile(input_, count, tiled_);
      tile(by_output, count, by_output_);
      by_input_.resize(count * size);
      network_.input_gradient(weights.data(), tiled_.data(), count, by_output_.data(), by_input_.data(),
                              {rule_.masks > 0, mask_seed_, static_cast<std::uint64_t>(first)});
      for (Index i = 0; i < count * size; ++i) result[i % size] += static_cast<double>(by_input_[i]);
    }
  }
  for (Index i = 0; i < size; ++i) result[i] /= in_deviation_[i % in_];
}

void MeanDerivative::derivative(const float* inputs, Index batch, const double* direction, double* result) {
  if (!precise_) precise_ = std::make_unique<Network<double>>(surrogate_.network, grid_, threads_);
  for (Index b = 0; b < batch; ++b) {
    normalise(inputs + b * points_ * in_);
    derivative_of_one(direction + b * points_ * in_, result + b * points_ * out_);
  }
}

// Adds the mean at the moved input, times a factor.
void MeanDerivative::add_outputs(double factor) {
  const Index columns = surrogate_.network.outputs;
  for (const std::vector<float>& weights : surrogate_.weights) {
    weights_.resize(weights.size());
    std::copy(weights.begin(), weights.end(), weights_.begin());
    for (Index first = 0; first < std::max<Index>(1, rule_.masks); first += copies()) {
      const Index count = std::min(copies(), std::max<Index>(1, rule_.masks) - first);
      tile(moved_, count, tiled_moved_);
      outputs_.resize(count * points_ * columns);
      precise_->predict(weights_.data(), tiled_moved_.data(), count, outputs_.data(),
                        {rule_.masks > 0, mask_seed_, static_cast<std::uint64_t>(first)});
      for (Index i = 0; i < count * points_; ++i) {
        for (Index c = 0; c < rule_.groups * out_; ++c)
          mean_[(i % points_) * out_ + c % out_] += factor * share_ * outputs_[i * columns + c];
      }
    }
  }
}

void MeanDerivative::derivative_of_one(const double* direction, double* result) {
  const Index size = points_ * in_;
  Buffer<double> along(size), at(size);
  for (Index i = 0; i < size; ++i) {
    along[i] = direction[i] / in_deviation_[i % in_];
    at[i] = static_cast<double>(input_[i]);
  }
  mean_.resize(points_ * out_);
  std::fill(mean_.begin(), mean_.end(), 0.0);
  const double length = largest(along.data(), size);
  const double h = length == 0 ? 0 : step * std::max(1.0, largest(at.data(), size)) / length;
  moved_.resize(size);
  for (const auto& [places, factor] : {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
    if (length == 0) break;  // no direction, no change
    for (Index i = 0; i < size; ++i) moved_[i] = at[i] + places * h * along[i];
    add_outputs(factor / (12 * h));
  }
  for (Index i = 0; i < points_ * out_; ++i) result[i] = mean_[i] * out_deviation_[i % out_];
}

}  // namespace nouq
