// A whole neural operator on one grid: trunk, head, and the passes that training and prediction need.
//
// Why: it owns the working memory, so that a training step allocates nothing, and the order of all sums, so
// that the result does not depend on the number of threads. When: one Network per grid and number of threads;
// the parameters live outside and may be shared. Contract: fields are in the user's order [sample][axis
// 0]...[channel]. Not thread-safe: one caller at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "nn/head.h"
#include "nn/loss.h"

namespace nouq {

// Dropout masks of a batch: sample i uses index first + i.
struct BatchDropout {
  bool active = false;
  std::uint64_t seed = 0;
  std::uint64_t first = 0;
  [[nodiscard]] Dropout sample(Index i) const {
    return {active, seed, first + static_cast<std::uint64_t>(i)};
  }
};

template <class T>
class Network {
 public:
  Network(const NetworkOptions& options, const Shape& grid, int threads = 1);

  [[nodiscard]] const NetworkOptions& options() const { return options_; }
  [[nodiscard]] const ParameterLayout& layout() const { return layout_; }
  [[nodiscard]] const Shape& grid() const { return grid_; }
  [[nodiscard]] Index points() const { return points_; }

  // outputs: [batch][axes...][outputs]
  void predict(const T* parameters, const T* inputs, Index batch, T* outputs,
               const BatchDropout& dropout = {});

  // The two halves of predict(), for heads that are applied more than once: the trunk of a batch, then for
  // any of its samples the outputs ([axes...][outputs]) or the features before them ([axes...][features]).
  // The second half may be called from within a parallel_for over at most `threads` threads.
  void trunk_forward(const T* parameters, const T* inputs, Index batch);
  void head_forward(const T* parameters, Index sample, const Dropout& dropout, T* outputs);
  void features(const T* parameters, Index sample, T* out);
  // Dropout masks 0 .. count-1 of a seed, to be drawn once and used for every sample of every batch; then
  // head_forward() under all of them: [masks][axes...][outputs].
  void draw_masks(std::uint64_t seed, Index count, Buffer<T>& masks) const;
  void head_forward_masks(const T* parameters, Index sample, const Buffer<T>& masks, T* outputs);

  // The loss of every sample; returns their sum.
  double loss(const T* parameters, const T* inputs, const T* targets, Index batch, const Loss& loss,
              std::span<double> sample_losses, const BatchDropout& dropout = {});
  // The same, and the gradient of the sum with respect to every parameter.
  double loss_gradient(const T* parameters, const T* inputs, const T* targets, Index batch, const Loss& loss,
                       std::span<double> sample_losses, T* gradient, const BatchDropout& dropout = {});

  // The adjoint with respect to the inputs: from the gradient of some function by the outputs
  // ([batch][axes...][outputs]) to that by the inputs ([batch][axes...][input channels]). No dropout.
  void input_gradient(const T* parameters, const T* inputs, Index batch, const T* output_gradient,
                      T* gradient);

  // Bytes of activations and scratch held at the moment.
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Scratch {
    typename Head<T>::Scratch head;
    Buffer<T> outputs;   // [points][outputs], the trunk's order
    Buffer<T> targets;   // [points][channels], the trunk's order
    Buffer<T> gradient;  // [points][outputs]
  };
  Scratch& scratch();
  void to_user_order(const T* values, Index columns, T* out) const;
  void to_trunk_order(const T* values, Index columns, T* out) const;
  void head_backward(const T* parameters, Index sample, const T* output_gradient, T* partial);
  double evaluate(const T* parameters, const T* targets, Index sample, const Loss& loss,
                  const Dropout& dropout, T* partial);
  void reduce_partials(Index batch, T* gradient);

  NetworkOptions options_;
  ParameterLayout layout_;
  Shape grid_;
  Index points_;
  int threads_;
  std::unique_ptr<Trunk<T>> trunk_;
  Head<T> head_;
  std::vector<Scratch> scratch_;
  Buffer<T> partials_;            // [batch][dense size]
  Buffer<T> parameter_gradient_;  // of input_gradient(), which has to compute it on its way
};

extern template class Network<float>;
extern template class Network<double>;

}  // namespace nouq
