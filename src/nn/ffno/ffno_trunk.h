// The trunk of a factorised Fourier neural operator: coordinates appended, lift to `width` channels, zero
// padding, blocks
//
//   h  <-  h + gelu( (sum over axes of K_j h) W1 + b1 ) W2 + b2
//
// with a spectral convolution K_j along each axis alone, cropping. Forward and adjoint.
//
// Why: every axis has its own small set of matrices, axes * modes * width^2 weights a block instead of
// modes^axes * width^2, and what couples the axes is depth and the feed-forward part. The residual connection
// keeps gradients from vanishing in deep networks. Use it for few samples or three dimensions.
// How it works through a batch: a sample needs no other, so each is one piece of work from the inputs to the
// output; every tensor's gradient is made per sample. The last block's feed-forward part is computed only
// where cropping keeps it.
// Contract: that of <nouq/architecture.h>; points in the order [last axis]...[axis 0].
#pragma once

#include <memory>
#include <vector>

#include <nouq/kernels.h>

#include "core/buffer.h"
#include "nn/architecture.h"

namespace nouq {

inline constexpr const char* ffno_expansion = "expansion";

template <class T>
class FfnoTrunk final : public Trunk<T> {
 public:
  explicit FfnoTrunk(const TrunkPlace& place);

  void forward(const T* parameters, const T* inputs, Index batch, bool keep) override;
  [[nodiscard]] const T* output(Index sample) const override;
  [[nodiscard]] const std::vector<Index>& point_order() const override { return point_order_; }
  T* output_gradient(Index sample) override;
  [[nodiscard]] typename Trunk<T>::Run gradient_run() const override { return {grid_[0], grid_[0] * width_}; }
  void backward(const T* parameters, Index batch, T* partials, T* gradient, T* input_gradient) override;
  [[nodiscard]] std::size_t memory() const override;

 private:
  struct Offsets {
    Index w1, b1, w2, b2;
    std::vector<Index> spectral;  // per axis
  };
  // What backward() needs of one block of one sample.
  struct Kept {
    Buffer<T> convolved;                  // sum of K_j h: [padded points][width]
    Buffer<T> hidden, derivative;         // of the GELU: [padded points][expansion * width]
    std::vector<Buffer<T>> coefficients;  // per axis
  };
  struct Scratch {
    Buffer<T> field, gradient, work;
    Kept kept;  // of the block at hand, when nothing is kept
  };

  void reserve(Index batch, bool keep);
  void reserve(Kept& kept) const;
  void prepare(const T* parameters);
  Scratch& scratch() const;
  Kept& kept(Index sample, Index block);
  void lift(const T* parameters, const T* inputs, Index sample, T* field);
  void block_forward(const T* parameters, Index block, T* field, Kept& kept, T* work) const;
  void block_backward(Index block, T* field_gradient, Kept& kept, T* partial, Scratch& s) const;
  void sample_backward(const T* parameters, Index sample, T* partial, T* input_gradient, Scratch& s);
  void lift_backward(const T* parameters, Index sample, const T* field_gradient, T* partial,
                     T* input_gradient, T* work) const;

  // Runs of points along axis 0 that a block's feed-forward part works on.
  [[nodiscard]] bool last(Index block) const { return block + 1 == options_.blocks; }
  [[nodiscard]] bool skips(Index block, Index slice) const { return last(block) && inner_index_[slice] < 0; }
  [[nodiscard]] Index rows(Index block) const { return last(block) ? grid_[0] : lengths_[0]; }

  NetworkOptions options_;
  Index lift_, dense_size_, trunk_dense_size_;
  std::vector<Offsets> at_;  // per block
  Shape grid_;
  std::vector<Index> lengths_;
  int threads_;
  Index width_, expanded_, lifted_, points_, padded_, slices_;
  std::vector<Index> point_order_;
  Buffer<T> coordinates_;           // [points, axes + 1]: what the lift adds to the inputs
  std::vector<Index> inner_index_;  // per slice: its number among those that are not padding, or -1
  std::vector<std::vector<AxisConvolution<T>>> convolutions_;  // [block][axis]
  std::vector<Buffer<T>> w1_t_, w2_t_;                         // per block, transposed

  bool keep_ = false;
  std::vector<std::unique_ptr<Scratch>> scratch_;
  std::vector<std::unique_ptr<Kept>> kept_;  // [sample][block]
  Buffer<T> lifted_rows_;                    // [batch][points][lifted], the trunk's order
  Buffer<T> output_, output_gradient_;       // [batch][points][width]
};

}  // namespace nouq
