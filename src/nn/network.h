// A whole neural operator on one grid: trunk, head, and the passes that training and prediction need.
//
// Why: it owns the working memory, so that a training step allocates nothing, and the order of all sums, so
// that the result does not depend on the number of threads. When: one Network per grid and number of threads;
// the parameters live outside and may be shared. Contract: fields are in the user's order [sample][axis
// 0]...[channel]. Not thread-safe: one caller at a time.
//
// Over the ranks of a group (core/group.h) each rank has a network, and `batch` counts the samples of all
// ranks: inputs, targets, sums and features are those of this rank's own_samples() of them, one after the
// other, and a sample's number in a call (head_forward, features) counts among these. Losses come back of all
// samples. A gradient is whole in the owned() parts of the parameters, and so are the parameters themselves
// until share() or collect(). Values are those of one process, to the bit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "nn/head.h"
#include "nn/loss.h"
#include "nn/projected_loss.h"

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

// Sums of every sample's field that are known: the loss is then that of what they leave of the prediction
// (projected_loss.h). Without rows there is no projection.
struct BatchSums {
  const FieldRows* rows = nullptr;  // in the user's order
  const double* values = nullptr;   // [batch][rows]
};

template <class T>
class Network {
 public:
  Network(const NetworkOptions& options, const Shape& grid, int threads = 1, Group& group = group_of_one());

  [[nodiscard]] const NetworkOptions& options() const { return options_; }
  [[nodiscard]] const ParameterLayout& layout() const { return layout_; }
  [[nodiscard]] const Shape& grid() const { return grid_; }
  [[nodiscard]] Index points() const { return points_; }
  [[nodiscard]] Group& group() const { return group_; }
  [[nodiscard]] IndexRange own_samples(Index batch) const { return group_.share(batch); }

  // outputs: [batch][axes...][outputs]
  void predict(const T* parameters, const T* inputs, Index batch, T* outputs,
               const BatchDropout& dropout = {});

  // The two halves of predict(), for heads that are applied more than once: the trunk of a batch, then for
  // any of its samples the outputs ([axes...][outputs]) or the features before them ([axes...][features]).
  // The second half may be called from within a parallel_for over at most `threads` threads.
  void trunk_forward(const T* parameters, const T* inputs, Index batch);
  void head_forward(const T* parameters, Index sample, const Dropout& dropout, T* outputs);
  void features(const T* parameters, Index sample, T* out);
  // What the samples of the last pass look like from inside, [batch][pooled_size()]: the mean of every hidden
  // channel of the trunk's output over the points, then the standard deviation of every one. Nothing where
  // `out` is null.
  [[nodiscard]] Index pooled_size() const { return 2 * options_.width; }
  void write_pooled(Index batch, double* out) const;
  // Dropout masks 0 .. count-1 of a seed, to be drawn once and used for every sample of every batch; then
  // head_forward() under all of them: [masks][axes...][outputs].
  void draw_masks(std::uint64_t seed, Index count, Buffer<T>& masks) const;
  void head_forward_masks(const T* parameters, Index sample, const Buffer<T>& masks, T* outputs);

  // The loss of every sample; returns their sum.
  double loss(const T* parameters, const T* inputs, const T* targets, Index batch, const Loss& loss,
              std::span<double> sample_losses, const BatchDropout& dropout = {}, const BatchSums& sums = {});
  // The same, and the gradient of the sum with respect to every parameter.
  double loss_gradient(const T* parameters, const T* inputs, const T* targets, Index batch, const Loss& loss,
                       std::span<double> sample_losses, T* gradient, const BatchDropout& dropout = {},
                       const BatchSums& sums = {});

  // The same for a step of training: the gradient is handed over in parts, which together are all parameters,
  // each once, and whoever takes it may change those parameters there and then. That of the large tensors is
  // never stored: it is used while it is in the cache. The dense ones' comes last, in one part, first = 0;
  // the others' may come from several threads. Nothing is handed over when the loss is not finite. Not over
  // ranks, which exchange gradients.
  using TakeGradient = typename Trunk<T>::TakeGradient;
  double loss_gradient_in_parts(const T* parameters, const T* inputs, const T* targets, Index batch,
                                const Loss& loss, std::span<double> sample_losses, const TakeGradient& take,
                                const BatchDropout& dropout = {}, const BatchSums& sums = {});

  // The gradient by the parameters of a function of the features. For every sample `adjoint` is given them
  // and writes the function's gradient by them, both [axes...][features]; it is called from several threads.
  // The output layer, which features do not depend on, gets zero. No dropout.
  using FeatureAdjoint = std::function<void(Index sample, const T* features, T* by_features)>;
  void feature_gradient(const T* parameters, const T* inputs, Index batch, const FeatureAdjoint& adjoint,
                        T* gradient);

  // The adjoint with respect to the inputs: from the gradient of some function by the outputs
  // ([batch][axes...][outputs]) to that by the inputs ([batch][axes...][input channels]). Dropout masks are
  // held as they are.
  void input_gradient(const T* parameters, const T* inputs, Index batch, const T* output_gradient,
                      T* gradient, const BatchDropout& dropout = {});

  // What a step of the optimiser on this rank is for.
  [[nodiscard]] const std::vector<IndexRange>& owned() const { return owned_; }
  // After it: what every rank needs of the others' parts for the next step.
  void share(T* parameters);
  // An array like the parameters of which every rank has its own parts: whole, on the first rank.
  void collect(T* values);

  // Bytes of activations and scratch held at the moment.
  [[nodiscard]] std::size_t memory() const;

 private:
  struct Scratch {
    typename Head<T>::Scratch head;
    Buffer<T> outputs;   // [points][outputs], the trunk's order
    Buffer<T> targets;   // [points][channels], the trunk's order
    Buffer<T> gradient;  // [points][outputs]
    // For what is computed in the user's order.
    Buffer<T> user_outputs, user_gradient;
    ProjectionScratch projection;
  };
  Scratch& scratch();
  void pool(Index sample, double* out) const;
  void to_user_order(const T* values, Index columns, T* out) const;
  void to_user_order(const T* values, Index columns, Index begin, Index end, T* out) const;
  void to_trunk_order(const T* values, Index columns, T* out) const;
  void head_backward(const T* parameters, Index sample, const T* output_gradient, T* partial);
  double evaluate(const T* parameters, const T* targets, Index sample, const Loss& loss,
                  const Dropout& dropout, const BatchSums& sums, T* partial);
  double own_loss(const Loss& loss, const T* targets, bool keep, Scratch& s);
  double loss_of_projected(const Loss& loss, const BatchSums& sums, Index sample, const T* targets, bool keep,
                           Scratch& s);
  void forward(const T* parameters, const T* inputs, Index batch, bool keep);
  // Forward, and back to the trunk's output; the sum of the losses.
  double losses_and_head_gradients(const T* parameters, const T* inputs, const T* targets, Index batch,
                                   const Loss& loss, std::span<double> sample_losses,
                                   const BatchDropout& dropout, const BatchSums& sums);
  void backward(const T* parameters, Index batch, T* gradient);
  double sum_of(Index batch, std::span<double> sample_losses);
  void reduce_partials(Index batch, T* gradient);
  // Of parameter_gradient_ all that is not dense.
  void hand_over(const TakeGradient& take);
  // The own share of the dense gradients of every sample.
  void exchange_partials(Index batch);

  NetworkOptions options_;
  ParameterLayout layout_;
  Shape grid_;
  Index points_;
  int threads_;
  Group& group_;
  std::vector<IndexRange> owned_;
  std::unique_ptr<Trunk<T>> trunk_;
  Head<T> head_;
  std::vector<Scratch> scratch_;
  Index first_ = 0;               // sample of the present batch that is this rank's
  Buffer<T> partials_;            // [batch][dense size]
  Buffer<T> packed_, collected_;  // on their way between ranks
  Buffer<T> parameter_gradient_;  // where it must be computed, but is not the caller's
};

extern template class Network<float>;
extern template class Network<double>;

}  // namespace nouq
