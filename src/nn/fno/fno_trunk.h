// The trunk of a Fourier neural operator: coordinates appended (0 to 1 along each axis), lift to `width`
// channels, zero padding, Fourier blocks (spectral convolution + pointwise linear layer, GELU after all but
// the last), cropping. Forward and adjoint.
//
// How it works through a batch: a block alternates between two kinds of work, each cut into independent
// pieces,
//   per sample:  modes -> slices along axis 0 -> inverse transform + linear layer -> GELU -> transform ->
//   modes per mode:    mix the channels of all samples (kernels/mixing.h)
// so results do not depend on the number of threads. Over several ranks (nn/shared_trunk.h) each works on its
// samples and on its modes, and between the two kinds of work the modes change hands. Two exact shortcuts:
// the lifted field has only inputs + axes + 1 independent channels, so the first block transforms and
// multiplies those; the last block computes only what cropping keeps. What is kept of a block for the way
// back is the field before its GELU alone: value and derivative are computed once more, slice by slice in the
// cache, for a quarter less memory.
//
// Contract: inputs are [batch][axis 0]...[channel] in the user's order. The trunk's output and its gradient
// are [inner point][width] per sample, in the order [last axis]...[axis 0], see `point_order`. see
// <nouq/architecture.h> for the rest.
#pragma once

#include <memory>
#include <vector>

#include "core/buffer.h"
#include "nn/fno/mode_exchange.h"
#include "nn/fno/spectral_transform.h"
#include "nn/shared_trunk.h"

namespace nouq {

// Where the trunk's tensors lie among the parameters.
struct FnoOffsets {
  FnoOffsets(const TensorPlaces& tensors, Index blocks);
  Index lift;  // [inputs + axes + 1][width]: weights, then the bias as the last row
  std::vector<Index> linear_weight, linear_bias, spectral;  // per block
};

template <class T>
class FnoTrunk final : public SharedTrunk<T> {
 public:
  explicit FnoTrunk(const TrunkPlace& place);

  void forward(const T* parameters, const T* inputs, Index batch, bool keep) override;
  [[nodiscard]] const T* output(Index sample) const override;
  [[nodiscard]] const std::vector<Index>& point_order() const override { return point_order_; }
  T* output_gradient(Index sample) override;
  [[nodiscard]] typename Trunk<T>::Run gradient_run() const override { return {points_x_, slice_size()}; }
  void backward(const T* parameters, Index batch, T* partials, T* gradient, T* input_gradient) override;
  using TakeGradient = typename Trunk<T>::TakeGradient;
  bool backward_in_parts(const T* parameters, Index batch, T* partials, const TakeGradient& take) override;
  [[nodiscard]] std::size_t memory() const override;
  void share_with(Group& group) override;
  void announce(Index batch) override { whole_batch_ = batch; }

 private:
  struct Scratch {
    Buffer<T> coefficients;  // [row_count][width]
    Buffer<T> slices;        // [slice_count][rows of axis 0][width]
    Buffer<T> next_slices;
    Buffer<T> slice, derivative;  // [length of axis 0][width]
    Buffer<T> transform;
    Buffer<T> transposed;                // one mode's weight
    Buffer<T> mode_gradient;             // and its gradient, where it is handed over
    Buffer<T> lifted;                    // [points][lifted channels], the user's order
    Buffer<T> input_weight, input_rows;  // for the gradient with respect to the inputs
  };

  void reserve(Index batch, bool keep);
  void lift(const T* parameters, const T* inputs, Index batch, Index sample, Scratch& scratch);
  void lift_modes(const T* parameters, const T* input_modes, T* modes) const;
  void lift_own_modes(const T* parameters, Index batch);
  void mix_modes(const T* parameters, Index block, Index batch);
  void block_forward(const T* parameters, Index block, Index batch, Index sample, Scratch& scratch);
  void slice_forward(const T* parameters, Index block, Index sample, Index slice, const T* from, T* to,
                     Scratch& scratch);
  void block_gradient(Index block, Index batch, Index sample, T* partial, Scratch& scratch);
  void slice_gradient(Index block, Index sample, Index slice, const T* dz, T* partial, T* out,
                      Scratch& scratch);
  // The gradient of the spectral weights is either stored or, a mode at a time, handed over.
  struct Receiver {
    T* gradient;
    const TakeGradient* take;
  };
  void backward(const T* parameters, Index batch, T* partials, const Receiver& receiver);
  void mix_gradient(const T* parameters, Index block, Index batch, const Receiver& receiver);
  void block_backward(Index block, Index batch, Index sample, T* partial, Scratch& scratch);
  void finish_lift_gradient(const T* parameters, Index batch, T* partials);
  void input_gradient(const T* parameters, Index batch, Index sample, T* out, Scratch& scratch);
  [[nodiscard]] const T* first_gradient(Index sample, Index inner) const;

  // Inputs of a block's linear layer for one slice: null where the field is padding. They are computed into
  // `room` where only the field before their GELU is there.
  struct LinearInput {
    const T* rows;
    Index depth;
  };
  LinearInput linear_input(Index block, Index sample, Index slice, T* room) const;
  LinearInput first_input(Index sample, Index slice) const;
  // A slice of the field after a block.
  [[nodiscard]] T* field(Index block, Index sample, Index slice) {
    return fields_[block].data() + sample * field_size() + slice * slice_size();
  }
  [[nodiscard]] const T* field(Index block, Index sample, Index slice) const {
    return fields_[block].data() + sample * field_size() + slice * slice_size();
  }

  [[nodiscard]] Index field_size() const { return transform_.slice_count() * length_x_ * width_; }
  [[nodiscard]] Index slice_size() const { return length_x_ * width_; }
  [[nodiscard]] Index output_stride() const {  // from sample to sample
    return keep_ ? std::ssize(transform_.inner_slices()) * slice_size() : points_ * width_;
  }
  [[nodiscard]] Index output_place(Index sample) const {
    return (sample + 1) * output_stride() - points_ * width_;
  }
  [[nodiscard]] Index modes_size(Index batch, Index channels) const {
    return transform_.mode_count() * batch * 2 * channels;
  }
  Scratch& scratch() const;

  // What belongs to the modes of this rank, of all samples, and what to its samples, of all modes. In one
  // process that is the same.
  struct Shared {
    ModeExchange<T> exchange;
    Buffer<T> input_modes;          // by mode
    Buffer<T> sample_modes, mixed;  // by sample; by mode
  };
  [[nodiscard]] IndexRange own_modes() const;
  [[nodiscard]] Index whole(Index batch) const { return shared_ ? whole_batch_ : batch; }
  [[nodiscard]] T* modes(Index block) { return modes_[keep_ ? static_cast<std::size_t>(block) : 0].data(); }
  [[nodiscard]] T* sample_modes(Index block) { return shared_ ? shared_->sample_modes.data() : modes(block); }
  [[nodiscard]] T* mixed() { return shared_ ? shared_->mixed.data() : mixed_.data(); }
  [[nodiscard]] const T* input_modes() const {
    return shared_ ? shared_->input_modes.data() : input_modes_.data();
  }

  NetworkOptions options_;
  FnoOffsets at_;
  Index dense_size_, trunk_dense_size_;
  Shape grid_;
  std::vector<Index> lengths_;
  SpectralTransform<T> transform_;
  int threads_;
  Index width_;
  Index lifted_;  // channels of the lifted input before its linear layer
  Index points_;
  Index points_x_;
  Index length_x_;
  std::vector<Index> point_order_;
  Buffer<T> coordinates_;           // [points, axes + 1]: what the lift adds to the inputs
  std::vector<Index> inner_index_;  // per slice: its number among the inner slices, or -1

  bool keep_ = false;  // what the last forward() was asked for
  std::unique_ptr<Shared> shared_;
  Index whole_batch_ = 0;  // on all ranks that share it
  std::vector<std::unique_ptr<Scratch>> scratch_;
  Buffer<T> input_slices_;        // [batch][inner slices][length of axis 0][lifted], zero beyond the points
  Buffer<T> input_modes_;         // by sample: [mode][batch][2][lifted]
  std::vector<Buffer<T>> modes_;  // by mode; per block (one for all without keep): [mode][batch][2][width]
  Buffer<T> mixed_;               // by sample: [mode][batch][2][width]
  // After blocks 0 .. L-2, before their GELU; in the backward pass the gradient at that place. Without keep
  // one for all, after the GELU.
  std::vector<Buffer<T>> fields_;
  // [batch][points][width]; with keep the end of a sample's place for the gradient, which overtakes no row
  // of it that is still to be read: [batch][inner slices][length of axis 0][width].
  Buffer<T> output_;
  Buffer<T> first_linear_;  // lift times the first linear layer: [lifted][width]
  std::vector<Buffer<T>> transposed_linear_;
  Buffer<T> lift_partials_;        // [mode][lifted][width]
  Buffer<T> first_partials_;       // [batch][lifted][width]
  Buffer<T> input_mode_gradient_;  // [mode][batch][2][input channels]
};

}  // namespace nouq
