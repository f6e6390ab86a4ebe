#include "nn/head.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <nouq/kernels.h>
#include <nouq/random.h>

#include "kernels/random_bits.h"
#include "kernels/rows.h"

namespace nouq {
namespace {

// Multiplies by the mask 0 or 1/(1-p). The probability is rounded to 1/65536: 16 bits decide a feature, four
// features share a number.
template <class T>
void drop(const Dropout& dropout, double probability, Index first, Index count, T* values) {
  static_assert(std::endian::native == std::endian::little, "draws are taken from numbers lowest bits first");
  constexpr Index chunk = 64;
  const auto threshold = static_cast<std::uint32_t>(std::llround(probability * 65536.0));
  const auto kept = static_cast<T>(65536.0 / static_cast<double>(65536 - threshold));
  const Stream stream(dropout.seed, Purpose::dropout, dropout.index);
  std::array<std::uint64_t, chunk> bits;
  for (Index done = 0; done < count;) {
    const Index skipped = (first + done) % 4, part = std::min(count - done, 4 * chunk - skipped);
    random_bits(stream, static_cast<std::uint64_t>((first + done) / 4), (skipped + part + 3) / 4,
                bits.data());
    const auto draws = std::bit_cast<std::array<std::uint16_t, 4 * chunk>>(bits);
    for (Index i = 0; i < part; ++i) values[done + i] *= draws[skipped + i] < threshold ? T(0) : kept;
    done += part;
  }
}

}  // namespace

template <class T>
Head<T>::Head(const NetworkOptions& options) : options_(options), layout_(options) {}

// Before dropout and GELU.
template <class T>
void Head<T>::linear_features(const T* parameters, const T* h, Index first, Index rows, T* out) const {
  const Index width = options_.width;
  multiply(Product<T>{rows, options_.features, width, h + first * width, width, 1,
                      parameters + layout_.feature_weight(), options_.features, out, options_.features,
                      parameters + layout_.feature_bias()});
}

template <class T>
void Head<T>::tile_features(const T* parameters, const T* h, Index first, Index rows, const Dropout& dropout,
                            T* out, T* derivative) const {
  const Index count = rows * options_.features;
  const Index start = first * options_.features;
  linear_features(parameters, h, first, rows, out);
  const bool dropped = dropout.active && options_.dropout > 0.0;
  if (dropped) drop(dropout, options_.dropout, start, count, out);
  if (derivative == nullptr) {
    gelu(out, count, out);
    return;
  }
  gelu_with_derivative(out, count, out, derivative);
  if (dropped) drop(dropout, options_.dropout, start, count, derivative);
}

template <class T>
void Head<T>::tile_outputs(const T* parameters, const T* features, Index rows, T* outputs) const {
  const Index columns = options_.outputs;
  dots(features, rows, parameters + layout_.head_weight(), columns, options_.features, outputs);
  if (layout_.head_bias() < 0) return;
  const T* bias = parameters + layout_.head_bias();
  for (Index r = 0; r < rows; ++r)
    for (Index o = 0; o < columns; ++o) outputs[r * columns + o] += bias[o];
}

template <class T>
void Head<T>::features(const T* parameters, const T* h, Index points, T* out) const {
  for (Index first = 0; first < points; first += tile)
    tile_features(parameters, h, first, std::min(tile, points - first), {}, out + first * options_.features,
                  nullptr);
}

template <class T>
void Head<T>::forward(const T* parameters, const T* h, Index points, const Dropout& dropout, bool keep,
                      T* outputs, Scratch& scratch) const {
  if (!keep) {
    forward_part(parameters, h, 0, points, dropout, outputs, scratch);
    return;
  }
  const Index n = options_.features;
  scratch.features.resize(points * n);
  scratch.derivative.resize(points * n);
  for (Index first = 0; first < points; first += tile) {
    const Index rows = std::min(tile, points - first);
    T* f = scratch.features.data() + first * n;
    tile_features(parameters, h, first, rows, dropout, f, scratch.derivative.data() + first * n);
    tile_outputs(parameters, f, rows, outputs + first * options_.outputs);
  }
}

template <class T>
void Head<T>::forward_part(const T* parameters, const T* h, Index begin, Index end, const Dropout& dropout,
                           T* outputs, Scratch& scratch) const {
  scratch.features.resize(std::min(end - begin, tile) * options_.features);
  T* f = scratch.features.data();
  for (Index first = begin; first < end; first += tile) {
    const Index rows = std::min(tile, end - first);
    tile_features(parameters, h, first, rows, dropout, f, nullptr);
    tile_outputs(parameters, f, rows, outputs + first * options_.outputs);
  }
}

template <class T>
void Head<T>::draw_mask(const Dropout& dropout, Index points, T* mask) const {
  const Index count = points * options_.features;
  std::fill_n(mask, count, T(1));
  drop(dropout, options_.dropout, 0, count, mask);
}

template <class T>
void Head<T>::forward_masks(const T* parameters, const T* h, Index points, const T* masks, Index count,
                            T* outputs, Scratch& scratch) const {
  const Index n = options_.features;
  scratch.features.resize(tile * n);
  scratch.gradient.resize(tile * n);
  T* before = scratch.features.data();
  T* masked = scratch.gradient.data();
  for (Index first = 0; first < points; first += tile) {
    const Index rows = std::min(tile, points - first);
    linear_features(parameters, h, first, rows, before);
    for (Index m = 0; m < count; ++m) {
      multiply_elements(before, masks + (m * points + first) * n, rows * n, masked);
      gelu(masked, rows * n, masked);
      tile_outputs(parameters, masked, rows, outputs + (m * points + first) * options_.outputs);
    }
  }
}

template <class T>
void Head<T>::backward(const T* parameters, const T* h, Index points, const T* output_gradient, T* partial,
                       T* h_gradient, Index run_length, Index run_stride, Scratch& scratch) const {
  const Index width = options_.width;
  const Index n = options_.features;
  const Index columns = options_.outputs;
  start_backward(parameters, partial, scratch);
  T* gradient = scratch.gradient.data();
  // Tiles never cross the end of a run, so that each tile's rows of h_gradient are contiguous.
  for (Index first = 0; first < points;) {
    const Index in_run = first % run_length;
    const Index rows = std::min(tile, run_length - in_run);
    const T* f = scratch.features.data() + first * n;
    const T* d = output_gradient + first * columns;
    multiply(
        Product<T>{columns, n, rows, d, 1, columns, f, n, partial + layout_.head_weight(), n, nullptr, true});
    if (layout_.head_bias() >= 0) add_rows(d, rows, columns, partial + layout_.head_bias());
    multiply(Product<T>{rows, n, columns, d, columns, 1, parameters + layout_.head_weight(), n, gradient, n,
                        nullptr, false, scratch.derivative.data() + first * n});
    tile_backward(h + first * width, rows, gradient, partial,
                  h_gradient + (first / run_length) * run_stride + in_run * width, scratch);
    first += rows;
  }
}

template <class T>
void Head<T>::start_backward(const T* parameters, T* partial, Scratch& scratch) const {
  const Index width = options_.width;
  const Index n = options_.features;
  scratch.gradient.resize(tile * n);
  scratch.transposed.resize(width * n);
  for (Index i = 0; i < width; ++i) {
    for (Index j = 0; j < n; ++j)
      scratch.transposed[j * width + i] = parameters[layout_.feature_weight() + i * n + j];
  }
  std::fill(partial + layout_.feature_weight(), partial + layout_.dense_size(), T(0));
}

template <class T>
void Head<T>::tile_backward(const T* h, Index rows, const T* gradient, T* partial, T* h_gradient,
                            const Scratch& scratch) const {
  const Index width = options_.width;
  const Index n = options_.features;
  add_rows(gradient, rows, n, partial + layout_.feature_bias());
  multiply(Product<T>{width, n, rows, h, 1, width, gradient, n, partial + layout_.feature_weight(), n,
                      nullptr, true});
  multiply(Product<T>{rows, width, n, gradient, n, 1, scratch.transposed.data(), width, h_gradient, width});
}

template <class T>
void Head<T>::keep_features(const T* parameters, const T* h, Index points, Scratch& scratch) const {
  const Index n = options_.features;
  scratch.features.resize(points * n);
  scratch.derivative.resize(points * n);
  for (Index first = 0; first < points; first += tile)
    tile_features(parameters, h, first, std::min(tile, points - first), {},
                  scratch.features.data() + first * n, scratch.derivative.data() + first * n);
}

template <class T>
void Head<T>::backward_features(const T* parameters, const T* h, Index points, const T* feature_gradient,
                                T* partial, T* h_gradient, Index run_length, Index run_stride,
                                Scratch& scratch) const {
  const Index width = options_.width;
  const Index n = options_.features;
  start_backward(parameters, partial, scratch);
  T* gradient = scratch.gradient.data();
  for (Index first = 0; first < points;) {
    const Index in_run = first % run_length;
    const Index rows = std::min(tile, run_length - in_run);
    multiply_elements(feature_gradient + first * n, scratch.derivative.data() + first * n, rows * n,
                      gradient);
    tile_backward(h + first * width, rows, gradient, partial,
                  h_gradient + (first / run_length) * run_stride + in_run * width, scratch);
    first += rows;
  }
}

template class Head<float>;
template class Head<double>;

}  // namespace nouq
