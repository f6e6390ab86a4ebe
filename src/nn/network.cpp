#include "nn/network.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/threads.h"
#include "kernels/rows.h"
#include "nn/architecture.h"

namespace nouq {

template <class T>
Network<T>::Network(const NetworkOptions& options, const Shape& grid, int threads)
    : options_(options),
      layout_(options),
      grid_(grid),
      points_(element_count(grid)),
      threads_(resolve_threads(threads)),
      trunk_(make_trunk<T>({options_, layout_, grid_, threads_})),
      head_(options),
      scratch_(static_cast<std::size_t>(threads_)) {}

template <class T>
typename Network<T>::Scratch& Network<T>::scratch() {
  return scratch_[thread_index()];
}

template <class T>
void Network<T>::to_user_order(const T* values, Index columns, T* out) const {
  for (Index p = 0; p < points(); ++p) {
    const Index user = trunk_->point_order()[p];
    std::copy_n(values + p * columns, columns, out + user * columns);
  }
}

template <class T>
void Network<T>::to_trunk_order(const T* values, Index columns, T* out) const {
  for (Index p = 0; p < points(); ++p) {
    const Index user = trunk_->point_order()[p];
    std::copy_n(values + user * columns, columns, out + p * columns);
  }
}

template <class T>
void Network<T>::trunk_forward(const T* parameters, const T* inputs, Index batch) {
  trunk_->forward(parameters, inputs, batch, false);
}

template <class T>
void Network<T>::head_forward(const T* parameters, Index sample, const Dropout& dropout, T* outputs) {
  Scratch& s = scratch();
  s.outputs.resize(points() * options_.outputs);
  head_.forward(parameters, trunk_->output(sample), points(), dropout, false, s.outputs.data(), s.head);
  to_user_order(s.outputs.data(), options_.outputs, outputs);
}

template <class T>
void Network<T>::features(const T* parameters, Index sample, T* out) {
  Scratch& s = scratch();
  s.outputs.resize(points() * options_.features);
  head_.features(parameters, trunk_->output(sample), points(), s.outputs.data());
  to_user_order(s.outputs.data(), options_.features, out);
}

template <class T>
void Network<T>::draw_masks(std::uint64_t seed, Index count, Buffer<T>& masks) const {
  const Index size = points() * options_.features;
  masks.resize(count * size);
  for (Index m = 0; m < count; ++m)
    head_.draw_mask({true, seed, static_cast<std::uint64_t>(m)}, points(), masks.data() + m * size);
}

template <class T>
void Network<T>::head_forward_masks(const T* parameters, Index sample, const Buffer<T>& masks, T* outputs) {
  Scratch& s = scratch();
  const Index count = std::ssize(masks) / (points() * options_.features);
  const Index size = points() * options_.outputs;
  s.outputs.resize(count * size);
  head_.forward_masks(parameters, trunk_->output(sample), points(), masks.data(), count, s.outputs.data(),
                      s.head);
  for (Index m = 0; m < count; ++m)
    to_user_order(s.outputs.data() + m * size, options_.outputs, outputs + m * size);
}

template <class T>
void Network<T>::predict(const T* parameters, const T* inputs, Index batch, T* outputs,
                         const BatchDropout& dropout) {
  trunk_forward(parameters, inputs, batch);
  parallel_for(threads_, batch, [&](Index sample) {
    head_forward(parameters, sample, dropout.sample(sample), outputs + sample * points() * options_.outputs);
  });
}

// Head, loss and, when `partial` is given, the way back to the trunk's output.
template <class T>
double Network<T>::evaluate(const T* parameters, const T* targets, Index sample, const Loss& loss,
                            const Dropout& dropout, T* partial) {
  Scratch& s = scratch();
  const Index columns = options_.outputs;
  s.outputs.resize(points() * columns);
  s.gradient.resize(points() * columns);
  s.targets.resize(points() * loss.channels);
  to_trunk_order(targets + sample * points() * loss.channels, loss.channels, s.targets.data());
  const bool keep = partial != nullptr;
  const T* h = trunk_->output(sample);
  head_.forward(parameters, h, points(), dropout, keep, s.outputs.data(), s.head);
  double value = 0;
  try {
    value =
        sample_loss(loss, s.outputs.data(), s.targets.data(), points(), keep ? s.gradient.data() : nullptr);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("sample {} of the batch: {}", sample, error.what()));
  }
  if (keep) head_backward(parameters, sample, s.gradient.data(), partial);
  return value;
}

template <class T>
void Network<T>::head_backward(const T* parameters, Index sample, const T* output_gradient, T* partial) {
  const auto run = trunk_->gradient_run();
  head_.backward(parameters, trunk_->output(sample), points(), output_gradient, partial,
                 trunk_->output_gradient(sample), run.points, run.stride, scratch().head);
}

template <class T>
double Network<T>::loss(const T* parameters, const T* inputs, const T* targets, Index batch, const Loss& loss,
                        std::span<double> sample_losses, const BatchDropout& dropout) {
  trunk_->forward(parameters, inputs, batch, false);
  parallel_for(threads_, batch, [&](Index sample) {
    sample_losses[sample] = evaluate(parameters, targets, sample, loss, dropout.sample(sample), nullptr);
  });
  double total = 0;
  for (Index sample = 0; sample < batch; ++sample) total += sample_losses[sample];
  return total;
}

template <class T>
double Network<T>::loss_gradient(const T* parameters, const T* inputs, const T* targets, Index batch,
                                 const Loss& loss, std::span<double> sample_losses, T* gradient,
                                 const BatchDropout& dropout) {
  partials_.resize(batch * layout_.dense_size());
  trunk_->forward(parameters, inputs, batch, true);
  parallel_for(threads_, batch, [&](Index sample) {
    T* partial = partials_.data() + sample * layout_.dense_size();
    sample_losses[sample] = evaluate(parameters, targets, sample, loss, dropout.sample(sample), partial);
  });
  trunk_->backward(parameters, batch, partials_.data(), gradient, nullptr);
  reduce_partials(batch, gradient);
  double total = 0;
  for (Index sample = 0; sample < batch; ++sample) total += sample_losses[sample];
  return total;
}

template <class T>
void Network<T>::input_gradient(const T* parameters, const T* inputs, Index batch, const T* output_gradient,
                                T* gradient) {
  const Index columns = options_.outputs;
  partials_.resize(batch * layout_.dense_size());
  parameter_gradient_.resize(layout_.size());
  trunk_->forward(parameters, inputs, batch, true);
  parallel_for(threads_, batch, [&](Index sample) {
    Scratch& s = scratch();
    s.outputs.resize(points() * columns);
    s.gradient.resize(points() * columns);
    head_.forward(parameters, trunk_->output(sample), points(), {}, true, s.outputs.data(), s.head);
    to_trunk_order(output_gradient + sample * points() * columns, columns, s.gradient.data());
    head_backward(parameters, sample, s.gradient.data(), partials_.data() + sample * layout_.dense_size());
  });
  trunk_->backward(parameters, batch, partials_.data(), parameter_gradient_.data(), gradient);
}

// Samples are added in their order, so the sum does not depend on who computed them.
template <class T>
void Network<T>::reduce_partials(Index batch, T* gradient) {
  const Index dense = layout_.dense_size();
  std::copy_n(partials_.data(), dense, gradient);
  for (Index sample = 1; sample < batch; ++sample)
    add_elements(partials_.data() + sample * dense, dense, gradient);
}

template <class T>
std::size_t Network<T>::memory() const {
  std::size_t total = trunk_->memory() + partials_.size() * sizeof(T);
  for (const Scratch& s : scratch_) {
    total += (s.outputs.size() + s.targets.size() + s.gradient.size() + s.head.features.size() +
              s.head.derivative.size() + s.head.gradient.size() + s.head.transposed.size()) *
             sizeof(T);
  }
  return total;
}

template class Network<float>;
template class Network<double>;

}  // namespace nouq
