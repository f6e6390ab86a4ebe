#include "nn/ffno/ffno_trunk.h"

#include <algorithm>

#include <fmt/format.h>
#include <nouq/kernels.h>

#include "core/threads.h"
#include "kernels/rows.h"

namespace nouq {
namespace {

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

}  // namespace

template <class T>
FfnoTrunk<T>::FfnoTrunk(const TrunkPlace& place)
    : options_(place.options),
      lift_(place.tensors.offset("lift.weight")),
      dense_size_(place.tensors.dense_size()),
      trunk_dense_size_(place.tensors.trunk_dense_size()),
      grid_(place.grid),
      lengths_(padded_lengths(options_, grid_)),
      threads_(resolve_threads(place.threads)),
      width_(options_.width),
      expanded_(width_ * static_cast<Index>(options_.extra.at(ffno_expansion))),
      lifted_(options_.lifted_channels()),
      points_(element_count(grid_)),
      padded_(element_count(lengths_)),
      slices_(padded_ / lengths_[0]),
      point_order_(axis_0_fastest(grid_)),
      coordinates_(lifted_coordinates<T>(options_, grid_)),
      inner_index_(size(slices_), -1) {
  const Index length_1 = lengths_.size() > 1 ? lengths_[1] : 1;
  const Index points_1 = grid_.size() > 1 ? grid_[1] : 1, points_2 = grid_.size() > 2 ? grid_[2] : 1;
  for (Index z = 0; z < points_2; ++z)
    for (Index y = 0; y < points_1; ++y) inner_index_[size(z * length_1 + y)] = z * points_1 + y;
  convolutions_.resize(size(options_.blocks));
  for (Index b = 0; b < options_.blocks; ++b) {
    const auto offset = [&](const std::string& name) {
      return place.tensors.offset(fmt::format("blocks.{}.{}", b, name));
    };
    Offsets at{
        offset("feed1.weight"), offset("feed1.bias"), offset("feed2.weight"), offset("feed2.bias"), {}};
    for (std::size_t j = 0; j < grid_.size(); ++j) {
      at.spectral.push_back(offset(fmt::format("spectral{}.weight", j)));
      convolutions_[size(b)].emplace_back(lengths_, j, options_.modes[j], width_);
    }
    at_.push_back(std::move(at));
  }
  w1_t_.resize(size(options_.blocks));
  w2_t_.resize(size(options_.blocks));
  Index work = std::max({lengths_[0] * expanded_, padded_ * width_, width_ * lifted_});
  for (const auto& convolution : convolutions_[0]) work = std::max(work, convolution.scratch_size());
  for (int t = 0; t < threads_; ++t) {
    auto s = std::make_unique<Scratch>();
    s->field.resize(size(padded_ * width_));
    s->work.resize(size(work));
    reserve(s->kept);
    scratch_.push_back(std::move(s));
  }
}

template <class T>
void FfnoTrunk<T>::reserve(Kept& kept) const {
  kept.convolved.resize(size(padded_ * width_));
  kept.hidden.resize(size(padded_ * expanded_));
  kept.derivative.resize(size(padded_ * expanded_));
  kept.coefficients.resize(convolutions_[0].size());
  for (std::size_t j = 0; j < convolutions_[0].size(); ++j)
    kept.coefficients[j].resize(size(convolutions_[0][j].coefficient_size()));
}

template <class T>
void FfnoTrunk<T>::reserve(Index batch, bool keep) {
  lifted_rows_.resize(size(batch * points_ * lifted_));
  output_.resize(size(batch * points_ * width_));
  if (!keep) return;
  output_gradient_.resize(size(batch * points_ * width_));
  while (kept_.size() < size(batch * options_.blocks)) {
    kept_.push_back(std::make_unique<Kept>());
    reserve(*kept_.back());
  }
  for (auto& s : scratch_) s->gradient.resize(size(padded_ * width_));
}

template <class T>
typename FfnoTrunk<T>::Scratch& FfnoTrunk<T>::scratch() const {
  return *scratch_[size(thread_index())];
}

template <class T>
typename FfnoTrunk<T>::Kept& FfnoTrunk<T>::kept(Index sample, Index block) {
  return keep_ ? *kept_[size(sample * options_.blocks + block)] : scratch().kept;
}

template <class T>
const T* FfnoTrunk<T>::output(Index sample) const {
  return output_.data() + sample * points_ * width_;
}

template <class T>
T* FfnoTrunk<T>::output_gradient(Index sample) {
  return output_gradient_.data() + sample * points_ * width_;
}

template <class T>
std::size_t FfnoTrunk<T>::memory() const {
  const auto of_kept = [](const Kept& kept) {
    std::size_t total = bytes(kept.convolved) + bytes(kept.hidden) + bytes(kept.derivative);
    for (const auto& c : kept.coefficients) total += bytes(c);
    return total;
  };
  std::size_t total = bytes(coordinates_) + bytes(lifted_rows_) + bytes(output_) + bytes(output_gradient_);
  for (const auto& kept : kept_) total += of_kept(*kept);
  for (const auto& s : scratch_)
    total += bytes(s->field) + bytes(s->gradient) + bytes(s->work) + of_kept(s->kept);
  return total;
}

template <class T>
void FfnoTrunk<T>::prepare(const T* parameters) {
  parallel_for(threads_, options_.blocks, [&](Index b) {
    const Offsets& at = at_[size(b)];
    for (std::size_t j = 0; j < at.spectral.size(); ++j)
      convolutions_[size(b)][j].prepare(parameters + at.spectral[j]);
    if (!keep_) return;  // the transposed matrices are the backward pass's
    w1_t_[size(b)].resize(size(width_ * expanded_));
    w2_t_[size(b)].resize(size(width_ * expanded_));
    transpose(parameters + at.w1, width_, expanded_, w1_t_[size(b)].data());
    transpose(parameters + at.w2, expanded_, width_, w2_t_[size(b)].data());
  });
}

// Inputs, coordinates and 1 at every point, times the lift; zero in the padding.
template <class T>
void FfnoTrunk<T>::lift(const T* parameters, const T* inputs, Index sample, T* field) {
  const Index channels = options_.input_channels, columns = lifted_ - channels;
  T* rows = lifted_rows_.data() + sample * points_ * lifted_;
  for (Index p = 0; p < points_; ++p) {
    const T* in = inputs + (sample * points_ + point_order_[size(p)]) * channels;
    std::copy_n(in, channels, rows + p * lifted_);
    std::copy_n(coordinates_.data() + p * columns, columns, rows + p * lifted_ + channels);
  }
  std::fill_n(field, padded_ * width_, T(0));
  for (Index slice = 0; slice < slices_; ++slice) {
    const Index inner = inner_index_[size(slice)];
    if (inner < 0) continue;
    multiply(Product<T>{grid_[0], width_, lifted_, rows + inner * grid_[0] * lifted_, lifted_, 1,
                        parameters + lift_, width_, field + slice * lengths_[0] * width_, width_});
  }
}

template <class T>
void FfnoTrunk<T>::block_forward(const T* parameters, Index block, T* field, Kept& kept, T* work) const {
  const Offsets& at = at_[size(block)];
  std::fill_n(kept.convolved.data(), padded_ * width_, T(0));
  for (std::size_t j = 0; j < at.spectral.size(); ++j)
    convolutions_[size(block)][j].forward(field, kept.coefficients[j].data(), kept.convolved.data(), work);
  for (Index slice = 0; slice < slices_; ++slice) {
    if (skips(block, slice)) continue;
    const Index place = slice * lengths_[0];
    T* hidden = kept.hidden.data() + place * expanded_;
    multiply(Product<T>{rows(block), expanded_, width_, kept.convolved.data() + place * width_, width_, 1,
                        parameters + at.w1, expanded_, hidden, expanded_, parameters + at.b1});
    if (keep_) {
      gelu_with_derivative(hidden, rows(block) * expanded_, hidden,
                           kept.derivative.data() + place * expanded_);
    } else {
      gelu(hidden, rows(block) * expanded_, hidden);
    }
    multiply(Product<T>{rows(block), width_, expanded_, hidden, expanded_, 1, parameters + at.w2, width_,
                        field + place * width_, width_, parameters + at.b2, true});
  }
}

template <class T>
void FfnoTrunk<T>::forward(const T* parameters, const T* inputs, Index batch, bool keep) {
  reserve(batch, keep);
  keep_ = keep;
  prepare(parameters);
  parallel_for(threads_, batch, [&](Index sample) {
    Scratch& s = scratch();
    lift(parameters, inputs, sample, s.field.data());
    for (Index b = 0; b < options_.blocks; ++b)
      block_forward(parameters, b, s.field.data(), kept(sample, b), s.work.data());
    for (Index slice = 0; slice < slices_; ++slice) {
      const Index inner = inner_index_[size(slice)];
      if (inner >= 0)
        std::copy_n(s.field.data() + slice * lengths_[0] * width_, grid_[0] * width_,
                    output_.data() + (sample * points_ + inner * grid_[0]) * width_);
    }
  });
}

// `d` is the gradient after the block on entry, before it on return.
template <class T>
void FfnoTrunk<T>::block_backward(Index block, T* d, Kept& kept, T* partial, Scratch& s) const {
  const Offsets& at = at_[size(block)];
  T* by_convolved = s.field.data();
  T* by_hidden = s.work.data();
  std::fill_n(by_convolved, padded_ * width_, T(0));
  for (Index slice = 0; slice < slices_; ++slice) {
    if (skips(block, slice)) continue;
    const Index n = rows(block), place = slice * lengths_[0];
    const T* after = d + place * width_;
    const T* hidden = kept.hidden.data() + place * expanded_;
    const T* convolved = kept.convolved.data() + place * width_;
    add_rows(after, n, width_, partial + at.b2);
    multiply(Product<T>{expanded_, width_, n, hidden, 1, expanded_, after, width_, partial + at.w2, width_,
                        nullptr, true});
    multiply(Product<T>{n, expanded_, width_, after, width_, 1, w2_t_[size(block)].data(), expanded_,
                        by_hidden, expanded_, nullptr, false, kept.derivative.data() + place * expanded_});
    add_rows(by_hidden, n, expanded_, partial + at.b1);
    multiply(Product<T>{width_, expanded_, n, convolved, 1, width_, by_hidden, expanded_, partial + at.w1,
                        expanded_, nullptr, true});
    multiply(Product<T>{n, width_, expanded_, by_hidden, expanded_, 1, w1_t_[size(block)].data(), width_,
                        by_convolved + place * width_, width_});
  }
  for (std::size_t j = 0; j < at.spectral.size(); ++j)
    convolutions_[size(block)][j].backward(by_convolved, kept.coefficients[j].data(), d,
                                           partial + at.spectral[j], s.work.data());
}

template <class T>
void FfnoTrunk<T>::lift_backward(const T* parameters, Index sample, const T* d, T* partial, T* input_gradient,
                                 T* work) const {
  const Index channels = options_.input_channels;
  const T* rows = lifted_rows_.data() + sample * points_ * lifted_;
  transpose(parameters + lift_, channels, width_, work);
  T* by_row = work + width_ * channels;
  for (Index slice = 0; slice < slices_; ++slice) {
    const Index inner = inner_index_[size(slice)];
    if (inner < 0) continue;
    const T* from = d + slice * lengths_[0] * width_;
    multiply(Product<T>{lifted_, width_, grid_[0], rows + inner * grid_[0] * lifted_, 1, lifted_, from,
                        width_, partial + lift_, width_, nullptr, true});
    if (input_gradient == nullptr) continue;
    for (Index x = 0; x < grid_[0]; ++x) {
      multiply(
          Product<T>{1, channels, width_, from + x * width_, width_, 1, work, channels, by_row, channels});
      std::copy_n(by_row, channels, input_gradient + point_order_[size(inner * grid_[0] + x)] * channels);
    }
  }
}

template <class T>
void FfnoTrunk<T>::sample_backward(const T* parameters, Index sample, T* partial, T* input_gradient,
                                   Scratch& s) {
  T* d = s.gradient.data();
  std::fill_n(partial, trunk_dense_size_, T(0));
  std::fill_n(d, padded_ * width_, T(0));
  for (Index slice = 0; slice < slices_; ++slice) {
    const Index inner = inner_index_[size(slice)];
    if (inner >= 0)
      std::copy_n(output_gradient(sample) + inner * grid_[0] * width_, grid_[0] * width_,
                  d + slice * lengths_[0] * width_);
  }
  for (Index b = options_.blocks - 1; b >= 0; --b)
    block_backward(b, d, *kept_[size(sample * options_.blocks + b)], partial, s);
  lift_backward(parameters, sample, d, partial, input_gradient, s.work.data());
}

template <class T>
void FfnoTrunk<T>::backward(const T* parameters, Index batch, T* partials, T* /*gradient*/,
                            T* input_gradient) {
  parallel_for(threads_, batch, [&](Index sample) {
    T* inputs =
        input_gradient == nullptr ? nullptr : input_gradient + sample * points_ * options_.input_channels;
    sample_backward(parameters, sample, partials + sample * dense_size_, inputs, scratch());
  });
}

template class FfnoTrunk<float>;
template class FfnoTrunk<double>;

}  // namespace nouq
