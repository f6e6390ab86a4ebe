// From the trunk's output to the network's: features = gelu(drop(h W1 + b1)), outputs = features W2' (+ b2),
// point by point.
//
// Why a class of its own: the five uncertainty methods differ in the head alone, and repeating the head
// (dropout masks, many heads) must not repeat the trunk. Contract: works on one sample; points are handled in
// tiles that fit the first-level cache. Dropout masks are a function of (seed, index, point, feature), so a
// mask can be drawn again at any time.
#pragma once

#include <cstdint>

#include "core/buffer.h"
#include "nn/parameters.h"

namespace nouq {

// Which mask to use. `active = false` is prediction without dropout.
struct Dropout {
  bool active = false;
  std::uint64_t seed = 0;
  std::uint64_t index = 0;
};

template <class T>
class Head {
 public:
  explicit Head(const NetworkOptions& options);

  // Memory of one thread.
  struct Scratch {
    Buffer<T> features;    // [points][features] when kept for backward(), one tile otherwise
    Buffer<T> derivative;  // of the GELU, times the dropout mask
    Buffer<T> gradient;    // one tile
    Buffer<T> transposed;  // feature weight, [features][width]
  };

  // h: [points][width]; outputs: [points][outputs].
  void forward(const T* parameters, const T* h, Index points, const Dropout& dropout, bool keep, T* outputs,
               Scratch& scratch) const;
  // forward() without keep, for the points begin .. end-1 alone; the outputs of others are not touched.
  void forward_part(const T* parameters, const T* h, Index begin, Index end, const Dropout& dropout,
                    T* outputs, Scratch& scratch) const;
  // The features alone, without dropout: [points][features].
  void features(const T* parameters, const T* h, Index points, T* out) const;
  // One dropout mask as factors 0 or 1/(1-p): [points][features].
  void draw_mask(const Dropout& dropout, Index points, T* mask) const;
  // forward() under several masks ([masks][points][features]), sharing what they have in common. outputs:
  // [masks][points][outputs].
  void forward_masks(const T* parameters, const T* h, Index points, const T* masks, Index count, T* outputs,
                     Scratch& scratch) const;
  // Follows forward() with keep on the same scratch. Writes the head's entries of `partial` (the dense
  // gradient of this sample) and the gradient with respect to h: runs of `run_length` rows, `run_stride`
  // numbers apart.
  void backward(const T* parameters, const T* h, Index points, const T* output_gradient, T* partial,
                T* h_gradient, Index run_length, Index run_stride, Scratch& scratch) const;
  // Half of the two: features without dropout and how they move, into the scratch; then from the gradient by
  // them ([points][features]) back. The output layer's entries of `partial` become zero.
  void keep_features(const T* parameters, const T* h, Index points, Scratch& scratch) const;
  void backward_features(const T* parameters, const T* h, Index points, const T* feature_gradient, T* partial,
                         T* h_gradient, Index run_length, Index run_stride, Scratch& scratch) const;

 private:
  static constexpr Index tile = 50;  // rows; 50 x 128 features are 25 kB
  void linear_features(const T* parameters, const T* h, Index first, Index rows, T* out) const;
  void tile_features(const T* parameters, const T* h, Index first, Index rows, const Dropout& dropout, T* out,
                     T* derivative) const;
  void tile_outputs(const T* parameters, const T* features, Index rows, T* outputs) const;
  void start_backward(const T* parameters, T* partial, Scratch& scratch) const;
  // From the gradient before the GELU on: what both ways back have in common.
  void tile_backward(const T* h, Index rows, const T* gradient, T* partial, T* h_gradient,
                     const Scratch& scratch) const;

  NetworkOptions options_;
  ParameterLayout layout_;
};

}  // namespace nouq
