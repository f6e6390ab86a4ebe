// The adjoint of the trunk, block by block from the last to the first; see fno_trunk.h for the order of the
// work.
#include <algorithm>

#include <nouq/kernels.h>

#include "core/error.h"
#include "core/threads.h"
#include "kernels/mixing.h"
#include "kernels/rows.h"
#include "nn/fno/fno_trunk.h"

namespace nouq {

// What one slice of dz, the gradient before a block's GELU, gives: the bias of the linear layer and the
// transform; the weight of the first block's. Those of the others wait for the block before, which has their
// inputs at hand.
template <class T>
void FnoTrunk<T>::slice_gradient(Index block, Index sample, Index slice, const T* dz, T* partial, T* out,
                                 Scratch& s) {
  const bool last = block + 1 == options_.blocks;
  const Index points = last ? points_x_ : length_x_;
  add_rows(dz, points, width_, partial + at_.linear_bias[block]);
  const LinearInput input = block == 0 ? first_input(sample, slice) : LinearInput{nullptr, 0};
  if (input.rows != nullptr) {  // zero in the padding
    multiply(Product<T>{lifted_, width_, points_x_, input.rows, 1, lifted_, dz, width_,
                        first_partials_.data() + sample * lifted_ * width_, width_, nullptr, true});
  }
  transform_.along_x().analyse(dz, points, width_, out, s.transform.data());
}

template <class T>
void FnoTrunk<T>::block_gradient(Index block, Index batch, Index sample, T* partial, Scratch& s) {
  const bool last = block + 1 == options_.blocks;
  if (last) {
    const Index slice_rows = transform_.along_x().rows() * width_;
    const auto& slices = transform_.inner_slices();
    for (std::size_t i = 0; i < slices.size(); ++i) {
      T* dz = output_gradient(sample) + static_cast<Index>(i) * slice_size();
      std::fill(dz + points_x_ * width_, dz + slice_size(), T(0));  // was the output of another slice
      slice_gradient(block, sample, slices[i], dz, partial, s.next_slices.data() + slices[i] * slice_rows, s);
    }
  }
  transform_.analyse_slices(s.next_slices.data(), last, width_, s.coefficients.data(), s.transform.data());
  transform_.combine(s.coefficients.data(), SpectralTransform<T>::Weight::synthesis, width_, batch,
                     mixed_.data() + sample * 2 * width_);
}

// Through the mixing of a block, all samples at once: mixed_ holds dY on entry, sample_modes() dF on return.
template <class T>
void FnoTrunk<T>::mix_gradient(const T* parameters, Index block, Index batch, const Receiver& receiver) {
  const Index run = 16, count = own_modes().size(), first = own_modes().begin;
  const Index weight_size = 2 * width_ * width_;
  T* modes = modes_[block].data();  // F until its mode's turn, dF after it
  if (shared_) shared_->exchange.to_owners(batch, 2 * width_, mixed_.data(), mixed());
  parallel_for(threads_, (count + run - 1) / run, [&](Index r) {
    for (Index m = r * run; m < std::min(count, (r + 1) * run); ++m) {
      const Index rows = m * batch * 2 * width_;
      const Index place = at_.spectral[block] + (first + m) * weight_size;
      const Mixing<T> sizes{batch, width_, width_};
      const T* weight = parameters + place;
      Scratch& s = scratch();
      T* gradient = receiver.take != nullptr ? s.mode_gradient.data() : receiver.gradient + place;
      fetch_to_read(weight, weight_size);  // for the input's turn
      mix_adjoint_weight(sizes, modes + rows, mixed() + rows, gradient);
      mix_adjoint_input(sizes, mixed() + rows, weight, s.transposed.data(), modes + rows);
      if (receiver.take != nullptr) (*receiver.take)(place, weight_size, gradient);
      if (block == 0) {
        multiply(Product<T>{lifted_, width_, 2 * batch, input_modes() + m * batch * 2 * lifted_, 1, lifted_,
                            modes + rows, width_, lift_partials_.data() + (first + m) * lifted_ * width_,
                            width_});
      }
    }
  });
  // Before the first block there is nothing but the inputs.
  if (shared_ && block > 0) shared_->exchange.to_samples(batch, 2 * width_, modes, sample_modes(block));
}

// From the input side of block + 1 down to before the GELU of `block`, slice by slice, and straight on to
// that block's own gradients. The field's place takes the gradient.
template <class T>
void FnoTrunk<T>::block_backward(Index block, Index batch, Index sample, T* partial, Scratch& s) {
  const bool next_is_last = block + 2 == options_.blocks;
  const AxisTransform<T>& x = transform_.along_x();
  const Index slice_rows = x.rows() * width_;
  transform_.separate(sample_modes(block + 1) + sample * 2 * width_, SpectralTransform<T>::Weight::none,
                      width_, batch, s.coefficients.data());
  transform_.synthesise_slices(s.coefficients.data(), false, width_, s.slices.data(), s.transform.data());
  const T* weight = transposed_linear_[block + 1].data();
  const Index next_points = next_is_last ? points_x_ : length_x_;
  for (Index slice = 0; slice < transform_.slice_count(); ++slice) {
    const Index inner = inner_index_[slice];
    const T* next = nullptr;
    if (!next_is_last) {
      next = field(block + 1, sample, slice);
    } else if (inner >= 0) {
      next = output_gradient(sample) + inner * slice_size();
    }
    if (next != nullptr) fetch_to_read(next, slice_size());
    T* dz = field(block, sample, slice);
    gelu_with_derivative(dz, slice_size(), s.slice.data(), s.derivative.data());
    if (slice + 1 < transform_.slice_count()) fetch_to_read(field(block, sample, slice + 1), slice_size());
    if (next != nullptr) {
      multiply(Product<T>{width_, width_, next_points, s.slice.data(), 1, width_, next, width_,
                          partial + at_.linear_weight[block + 1], width_, nullptr, true});
    }
    x.synthesise_linear(s.slices.data() + slice * slice_rows, length_x_, width_,
                        {next, next ? width_ : 0, weight, nullptr, s.derivative.data()}, dz);
    slice_gradient(block, sample, slice, dz, partial, s.next_slices.data() + slice * slice_rows, s);
  }
}

// The first block's linear layer saw input * lift * weight: its two factors share the gradient of their
// product.
template <class T>
void FnoTrunk<T>::finish_lift_gradient(const T* parameters, Index batch, T* partials) {
  const Index size = lifted_ * width_;
  const Index dense = dense_size_;
  const T* lift = parameters + at_.lift;
  parallel_for(threads_, batch, [&](Index sample) {
    const T* product = first_partials_.data() + sample * size;
    T* partial = partials + sample * dense;
    multiply(Product<T>{width_, width_, lifted_, lift, 1, width_, product, width_,
                        partial + at_.linear_weight[0], width_});
    multiply(Product<T>{lifted_, width_, width_, product, width_, 1, transposed_linear_[0].data(), width_,
                        partial + at_.lift, width_});
  });
  // The part through the spectrum, summed over the modes, is added to the first sample's part.
  if (shared_) {
    Group& group = shared_->exchange.group();
    gather_rows_at_first(group, transform_.mode_count(), size, lift_partials_.data());
    if (group.rank() > 0) return;
  }
  for (Index m = 0; m < transform_.mode_count(); ++m) {
    add_elements(lift_partials_.data() + m * size, size, partials + at_.lift);
  }
}

// The gradient before the first block's GELU (after it, when it is also the last) in one inner slice.
template <class T>
const T* FnoTrunk<T>::first_gradient(Index sample, Index inner) const {
  if (options_.blocks == 1) {
    return output_.data() + sample * output_stride() + inner * slice_size();
  }
  const Index slice = transform_.inner_slices()[inner];
  return field(0, sample, slice);
}

// The inputs reach the first block twice, through its modes and through its linear layer, each time by the
// first rows of the lift.
template <class T>
void FnoTrunk<T>::input_gradient(const T* parameters, Index batch, Index sample, T* out, Scratch& s) {
  const Index channels = options_.input_channels;
  s.input_weight.resize(2 * width_ * channels);
  T* lift = s.input_weight.data();
  T* linear = lift + width_ * channels;
  transpose(parameters + at_.lift, channels, width_, lift);
  transpose(first_linear_.data(), channels, width_, linear);
  T* modes = input_mode_gradient_.data();
  for (Index mode = 0; mode < transform_.mode_count(); ++mode) {
    const Index row = (mode * batch + sample) * 2;
    multiply(Product<T>{2, channels, width_, modes_[0].data() + row * width_, width_, 1, lift, channels,
                        modes + row * channels, channels});
  }
  transform_.synthesise_natural(modes + sample * 2 * channels, channels, batch, out, s.transform.data());
  s.input_rows.resize(points_x_ * channels);
  for (Index inner = 0; inner < std::ssize(transform_.inner_slices()); ++inner) {
    multiply(Product<T>{points_x_, channels, width_, first_gradient(sample, inner), width_, 1, linear,
                        channels, s.input_rows.data(), channels});
    for (Index x = 0; x < points_x_; ++x) {
      const Index user = point_order_[inner * points_x_ + x];
      add_elements(s.input_rows.data() + x * channels, channels, out + user * channels);
    }
  }
}

template <class T>
void FnoTrunk<T>::backward(const T* parameters, Index batch, T* partials, const Receiver& receiver) {
  const Index dense = dense_size_;
  for (Index block = 0; block < options_.blocks; ++block) {
    transpose(parameters + at_.linear_weight[block], width_, width_, transposed_linear_[block].data());
  }
  parallel_for(threads_, batch, [&](Index sample) {
    std::fill_n(partials + sample * dense, trunk_dense_size_, T(0));
    std::fill_n(first_partials_.data() + sample * lifted_ * width_, lifted_ * width_, T(0));
    block_gradient(options_.blocks - 1, batch, sample, partials + sample * dense, scratch());
  });
  for (Index block = options_.blocks - 1; block >= 0; --block) {
    mix_gradient(parameters, block, whole(batch), receiver);
    if (block == 0) break;
    parallel_for(threads_, batch, [&](Index sample) {
      block_backward(block - 1, batch, sample, partials + sample * dense, scratch());
      block_gradient(block - 1, batch, sample, partials + sample * dense, scratch());
    });
  }
  finish_lift_gradient(parameters, batch, partials);
}

template <class T>
bool FnoTrunk<T>::backward_in_parts(const T* parameters, Index batch, T* partials, const TakeGradient& take) {
  backward(parameters, batch, partials, Receiver{nullptr, &take});
  return true;
}

template <class T>
void FnoTrunk<T>::backward(const T* parameters, Index batch, T* partials, T* gradient, T* input_gradient) {
  backward(parameters, batch, partials, Receiver{gradient, nullptr});
  if (input_gradient == nullptr) return;
  if (shared_) throw_failure("ranks that share a network have no gradient by its inputs");
  const Index size = points_ * options_.input_channels;
  input_mode_gradient_.resize(modes_size(batch, options_.input_channels));
  parallel_for(threads_, batch, [&](Index sample) {
    this->input_gradient(parameters, batch, sample, input_gradient + sample * size, scratch());
  });
}

template void FnoTrunk<float>::backward(const float*, Index, float*, float*, float*);
template void FnoTrunk<double>::backward(const double*, Index, double*, double*, double*);
template bool FnoTrunk<float>::backward_in_parts(const float*, Index, float*, const TakeGradient&);
template bool FnoTrunk<double>::backward_in_parts(const double*, Index, double*, const TakeGradient&);

}  // namespace nouq
