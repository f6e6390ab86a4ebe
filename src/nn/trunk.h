// The part of a neural operator that differs between architectures: from input fields to `width` hidden
// channels at every point, and back.
//
// Why an interface: the uncertainty methods, the losses and the head only need the hidden channels and a
// place for their gradient, so one network can be exchanged for another without touching them. One virtual
// call per pass of a batch is not measurable.
// When: an architecture (nn/architecture.h) makes one for a grid and a number of threads; Network drives it.
// Contract: `parameters` is the whole flat array of a ParameterLayout. inputs are [batch][axis 0]...[channel]
// in the user's order. Results do not depend on the number of threads: cut the work without knowing it, add
// in the order of the index. After the first call of a batch size nothing is allocated. Not thread-safe.
#pragma once

#include <vector>

#include "core/array.h"

namespace nouq {

template <class T>
class Trunk {
 public:
  virtual ~Trunk() = default;

  // With keep, everything backward() needs is stored.
  virtual void forward(const T* parameters, const T* inputs, Index batch, bool keep) = 0;
  // Of the last forward(), one sample: [points][width], points in the trunk's own order.
  [[nodiscard]] virtual const T* output(Index sample) const = 0;
  // point_order()[p] is the position, in the user's order, of the trunk's p-th point.
  [[nodiscard]] virtual const std::vector<Index>& point_order() const = 0;

  // Where the gradient with respect to output(sample) is written before backward(): runs of
  // gradient_run().points rows that lie gradient_run().stride numbers apart, so that a trunk may keep room
  // for padding between them.
  virtual T* output_gradient(Index sample) = 0;
  struct Run {
    Index points;
    Index stride;
  };
  [[nodiscard]] virtual Run gradient_run() const = 0;

  // Follows a forward() with keep. Writes, not adds, the gradient of every tensor of the trunk: of the dense
  // ones per sample into `partials` ([batch][dense size]; the network adds samples up in their order), of the
  // others into `gradient`. `input_gradient`, when it is not null, receives the gradient with respect to the
  // inputs, in their layout.
  virtual void backward(const T* parameters, Index batch, T* partials, T* gradient, T* input_gradient) = 0;

  // Bytes held for activations and scratch.
  [[nodiscard]] virtual std::size_t memory() const = 0;
};

// The user's index of every point, visited with axis 0 fastest.
std::vector<Index> axis_0_fastest(const Shape& grid);

}  // namespace nouq
