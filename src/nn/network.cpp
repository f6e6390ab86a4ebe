#include "nn/network.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "core/threads.h"
#include "kernels/rows.h"
#include "nn/architecture.h"
#include "nn/shared_trunk.h"

namespace nouq {
namespace {

// Without rows that ranks own there is nothing that a trunk of dense tensors must know.
template <class T>
void share_trunk(Trunk<T>& trunk, const ParameterLayout& layout, const NetworkOptions& options,
                 Group& group) {
  require(find_architecture(options.architecture).can_share_batches(),
          "architecture {}: a network of it is trained by one rank, not by {}", options.architecture,
          group.size());
  auto* shared = dynamic_cast<SharedTrunk<T>*>(&trunk);
  require(shared != nullptr || layout.dense_size() == layout.size(),
          "architecture {} says that it shares batches, but has tensors that are not dense",
          options.architecture);
  if (shared != nullptr) shared->share_with(group);
}

}  // namespace

template <class T>
Network<T>::Network(const NetworkOptions& options, const Shape& grid, int threads, Group& group)
    : options_(options),
      layout_(options),
      grid_(grid),
      points_(element_count(grid)),
      threads_(resolve_threads(threads)),
      group_(group),
      owned_(owned_parts(layout_, group.rank(), group.size())),
      trunk_(make_trunk<T>({options_, layout_, grid_, threads_})),
      head_(options),
      scratch_(static_cast<std::size_t>(threads_)) {
  if (group.size() > 1) share_trunk(*trunk_, layout_, options_, group_);
}

template <class T>
typename Network<T>::Scratch& Network<T>::scratch() {
  return scratch_[thread_index()];
}

template <class T>
void Network<T>::to_user_order(const T* values, Index columns, T* out) const {
  to_user_order(values, columns, 0, points(), out);
}

template <class T>
void Network<T>::to_user_order(const T* values, Index columns, Index begin, Index end, T* out) const {
  for (Index p = begin; p < end; ++p) {
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

// Of this rank's samples of the batch.
template <class T>
void Network<T>::forward(const T* parameters, const T* inputs, Index batch, bool keep) {
  const IndexRange own = own_samples(batch);
  first_ = own.begin;
  if (auto* shared = dynamic_cast<SharedTrunk<T>*>(trunk_.get())) shared->announce(batch);
  trunk_->forward(parameters, inputs, own.size(), keep);
}

template <class T>
void Network<T>::trunk_forward(const T* parameters, const T* inputs, Index batch) {
  forward(parameters, inputs, batch, false);
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

// Short sums in T, which vectorise, within long ones in double, which keep their digits.
template <class T>
void Network<T>::pool(Index sample, double* out) const {
  constexpr Index tile = 32, most = 64;
  const Index width = options_.width;
  const T* h = trunk_->output(sample);
  std::fill_n(out, pooled_size(), 0.0);
  for (Index first = 0; first < points(); first += tile) {
    const Index last = std::min(points(), first + tile);
    for (Index from = 0; from < width; from += most) {
      const Index channels = std::min(most, width - from);
      T sum[most] = {}, squares[most] = {};
      for (Index p = first; p < last; ++p) {
        const T* row = h + p * width + from;
        for (Index c = 0; c < channels; ++c) {
          sum[c] += row[c];
          squares[c] += row[c] * row[c];
        }
      }
      for (Index c = 0; c < channels; ++c) {
        out[from + c] += static_cast<double>(sum[c]);
        out[width + from + c] += static_cast<double>(squares[c]);
      }
    }
  }
  const auto count = static_cast<double>(points());
  for (Index c = 0; c < width; ++c) {
    const double mean = out[c] / count;
    out[c] = mean;
    out[width + c] = std::sqrt(std::max(0.0, out[width + c] / count - mean * mean));
  }
}

template <class T>
void Network<T>::write_pooled(Index batch, double* out) const {
  if (out == nullptr) return;
  parallel_for(threads_, batch, [&](Index sample) { pool(sample, out + sample * pooled_size()); });
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

// In parts of samples, so that threads have something to share when there is but one.
template <class T>
void Network<T>::predict(const T* parameters, const T* inputs, Index batch, T* outputs,
                         const BatchDropout& dropout) {
  trunk_forward(parameters, inputs, batch);
  constexpr Index part = 200;
  const Index parts = (points() + part - 1) / part, columns = options_.outputs;
  parallel_for(threads_, batch * parts, [&](Index piece) {
    const Index sample = piece / parts, begin = piece % parts * part, end = std::min(begin + part, points());
    Scratch& s = scratch();
    s.outputs.resize(points() * columns);
    head_.forward_part(parameters, trunk_->output(sample), begin, end, dropout.sample(sample),
                       s.outputs.data(), s.head);
    to_user_order(s.outputs.data(), columns, begin, end, outputs + sample * points() * columns);
  });
}

// Head, loss and, when `partial` is given, the way back to the trunk's output.
template <class T>
double Network<T>::evaluate(const T* parameters, const T* targets, Index sample, const Loss& loss,
                            const Dropout& dropout, const BatchSums& sums, T* partial) {
  Scratch& s = scratch();
  const Index columns = options_.outputs;
  s.outputs.resize(points() * columns);
  s.gradient.resize(points() * columns);
  const bool keep = partial != nullptr;
  const T* h = trunk_->output(sample);
  head_.forward(parameters, h, points(), dropout, keep, s.outputs.data(), s.head);
  const T* own = targets + sample * points() * loss.channels;
  double value = 0;
  try {
    value = sums.rows == nullptr ? own_loss(loss, own, keep, s)
                                 : loss_of_projected(loss, sums, sample, own, keep, s);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("sample {} of the batch: {}", first_ + sample, error.what()));
  }
  if (keep) head_backward(parameters, sample, s.gradient.data(), partial);
  return value;
}

template <class T>
double Network<T>::own_loss(const Loss& loss, const T* targets, bool keep, Scratch& s) {
  s.targets.resize(points() * loss.channels);
  to_trunk_order(targets, loss.channels, s.targets.data());
  return sample_loss(loss, s.outputs.data(), s.targets.data(), points(), keep ? s.gradient.data() : nullptr);
}

template <class T>
double Network<T>::loss_of_projected(const Loss& loss, const BatchSums& sums, Index sample, const T* targets,
                                     bool keep, Scratch& s) {
  const Index columns = options_.outputs;
  s.user_outputs.resize(points() * columns);
  s.user_gradient.resize(points() * columns);
  to_user_order(s.outputs.data(), columns, s.user_outputs.data());
  const double value =
      projected_loss(loss, *sums.rows, sums.values + sample * sums.rows->count(), s.user_outputs.data(),
                     targets, points(), keep ? s.user_gradient.data() : nullptr, s.projection);
  if (keep) to_trunk_order(s.user_gradient.data(), columns, s.gradient.data());
  return value;
}

template <class T>
void Network<T>::head_backward(const T* parameters, Index sample, const T* output_gradient, T* partial) {
  const auto run = trunk_->gradient_run();
  head_.backward(parameters, trunk_->output(sample), points(), output_gradient, partial,
                 trunk_->output_gradient(sample), run.points, run.stride, scratch().head);
}

// Added in their order, whoever computed them.
template <class T>
double Network<T>::sum_of(Index batch, std::span<double> sample_losses) {
  gather_rows(group_, batch, 1, sample_losses.data());
  double total = 0;
  for (Index sample = 0; sample < batch; ++sample) total += sample_losses[sample];
  return total;
}

template <class T>
double Network<T>::loss(const T* parameters, const T* inputs, const T* targets, Index batch, const Loss& loss,
                        std::span<double> sample_losses, const BatchDropout& dropout, const BatchSums& sums) {
  forward(parameters, inputs, batch, false);
  parallel_for(threads_, own_samples(batch).size(), [&](Index sample) {
    sample_losses[first_ + sample] =
        evaluate(parameters, targets, sample, loss, dropout.sample(first_ + sample), sums, nullptr);
  });
  return sum_of(batch, sample_losses);
}

template <class T>
double Network<T>::losses_and_head_gradients(const T* parameters, const T* inputs, const T* targets,
                                             Index batch, const Loss& loss, std::span<double> sample_losses,
                                             const BatchDropout& dropout, const BatchSums& sums) {
  const Index own = own_samples(batch).size();
  partials_.resize(own * layout_.dense_size());
  forward(parameters, inputs, batch, true);
  parallel_for(threads_, own, [&](Index sample) {
    T* partial = partials_.data() + sample * layout_.dense_size();
    sample_losses[first_ + sample] =
        evaluate(parameters, targets, sample, loss, dropout.sample(first_ + sample), sums, partial);
  });
  return sum_of(batch, sample_losses);
}

template <class T>
double Network<T>::loss_gradient(const T* parameters, const T* inputs, const T* targets, Index batch,
                                 const Loss& loss, std::span<double> sample_losses, T* gradient,
                                 const BatchDropout& dropout, const BatchSums& sums) {
  const double total =
      losses_and_head_gradients(parameters, inputs, targets, batch, loss, sample_losses, dropout, sums);
  backward(parameters, batch, gradient);
  return total;
}

template <class T>
void Network<T>::backward(const T* parameters, Index batch, T* gradient) {
  trunk_->backward(parameters, own_samples(batch).size(), partials_.data(), gradient, nullptr);
  reduce_partials(batch, gradient);
}

template <class T>
double Network<T>::loss_gradient_in_parts(const T* parameters, const T* inputs, const T* targets, Index batch,
                                          const Loss& loss, std::span<double> sample_losses,
                                          const TakeGradient& take, const BatchDropout& dropout,
                                          const BatchSums& sums) {
  if (group_.size() > 1) throw_failure("ranks that share a network take its gradient whole");
  const double total =
      losses_and_head_gradients(parameters, inputs, targets, batch, loss, sample_losses, dropout, sums);
  if (!std::isfinite(total)) return total;
  const Index dense = layout_.dense_size();
  parameter_gradient_.resize(dense);
  if (!trunk_->backward_in_parts(parameters, batch, partials_.data(), take)) {
    parameter_gradient_.resize(layout_.size());
    trunk_->backward(parameters, batch, partials_.data(), parameter_gradient_.data(), nullptr);
    hand_over(take);
  }
  reduce_partials(batch, parameter_gradient_.data());
  take(0, dense, parameter_gradient_.data());
  return total;
}

template <class T>
void Network<T>::hand_over(const TakeGradient& take) {
  constexpr Index piece = 1 << 16;
  const Index first = layout_.dense_size(), count = layout_.size() - first;
  parallel_for(threads_, (count + piece - 1) / piece, [&](Index p) {
    const Index at = first + p * piece;
    take(at, std::min(piece, layout_.size() - at), parameter_gradient_.data() + at);
  });
}

template <class T>
void Network<T>::feature_gradient(const T* parameters, const T* inputs, Index batch,
                                  const FeatureAdjoint& adjoint, T* gradient) {
  const Index columns = options_.features, own = own_samples(batch).size();
  const auto run = trunk_->gradient_run();
  partials_.resize(own * layout_.dense_size());
  forward(parameters, inputs, batch, true);
  parallel_for(threads_, own, [&](Index sample) {
    Scratch& s = scratch();
    for (auto* buffer : {&s.gradient, &s.user_outputs, &s.user_gradient}) buffer->resize(points() * columns);
    const T* h = trunk_->output(sample);
    head_.keep_features(parameters, h, points(), s.head);
    to_user_order(s.head.features.data(), columns, s.user_outputs.data());
    adjoint(sample, s.user_outputs.data(), s.user_gradient.data());
    to_trunk_order(s.user_gradient.data(), columns, s.gradient.data());
    head_.backward_features(parameters, h, points(), s.gradient.data(),
                            partials_.data() + sample * layout_.dense_size(), trunk_->output_gradient(sample),
                            run.points, run.stride, s.head);
  });
  backward(parameters, batch, gradient);
}

template <class T>
void Network<T>::input_gradient(const T* parameters, const T* inputs, Index batch, const T* output_gradient,
                                T* gradient, const BatchDropout& dropout) {
  if (group_.size() > 1) throw_failure("ranks that share a network have no gradient by its inputs");
  const Index columns = options_.outputs;
  partials_.resize(batch * layout_.dense_size());
  parameter_gradient_.resize(layout_.size());
  forward(parameters, inputs, batch, true);
  parallel_for(threads_, batch, [&](Index sample) {
    Scratch& s = scratch();
    s.outputs.resize(points() * columns);
    s.gradient.resize(points() * columns);
    head_.forward(parameters, trunk_->output(sample), points(), dropout.sample(sample), true,
                  s.outputs.data(), s.head);
    to_trunk_order(output_gradient + sample * points() * columns, columns, s.gradient.data());
    head_backward(parameters, sample, s.gradient.data(), partials_.data() + sample * layout_.dense_size());
  });
  trunk_->backward(parameters, batch, partials_.data(), parameter_gradient_.data(), gradient);
}

// Samples are added in their order, so the sum does not depend on who computed them.
template <class T>
void Network<T>::reduce_partials(Index batch, T* gradient) {
  if (group_.size() > 1) exchange_partials(batch);
  const IndexRange own = group_.share(layout_.dense_size());
  const T* partials = group_.size() > 1 ? collected_.data() : partials_.data();
  std::copy_n(partials, own.size(), gradient + own.begin);
  for (Index sample = 1; sample < batch; ++sample)
    add_elements(partials + sample * own.size(), own.size(), gradient + own.begin);
}

template <class T>
void Network<T>::exchange_partials(Index batch) {
  const Index dense = layout_.dense_size(), samples = own_samples(batch).size();
  const IndexRange own = group_.share(dense);
  packed_.resize(samples * dense);
  collected_.resize(batch * own.size());
  Group::Outgoing outgoing;
  Group::Incoming incoming;
  for (int rank = 0; rank < group_.size(); ++rank) {
    const IndexRange theirs = share_of(dense, rank, group_.size());
    T* packed = packed_.data() + samples * theirs.begin;
    for (Index sample = 0; sample < samples; ++sample)
      std::copy_n(partials_.data() + sample * dense + theirs.begin, theirs.size(),
                  packed + sample * theirs.size());
    outgoing.push_back(bytes_of_rows<const T>(packed, {0, samples}, theirs.size()));
    incoming.push_back(bytes_of_rows(collected_.data(), share_of(batch, rank, group_.size()), own.size()));
  }
  group_.exchange(outgoing, incoming);
}

template <class T>
void Network<T>::share(T* parameters) {
  gather_rows(group_, layout_.dense_size(), 1, parameters);
}

template <class T>
void Network<T>::collect(T* values) {
  if (group_.size() == 1) return;
  Group::Outgoing outgoing(group_.size());
  Group::Incoming incoming(group_.size());
  for (std::size_t part = 0; part < owned_.size(); ++part) {
    if (group_.rank() > 0) {
      outgoing[0] = bytes_of_rows<const T>(values, owned_[part], 1);
    } else {
      for (int rank = 1; rank < group_.size(); ++rank)
        incoming[rank] = bytes_of_rows(values, owned_parts(layout_, rank, group_.size())[part], 1);
    }
    group_.exchange(outgoing, incoming);
  }
}

template <class T>
std::size_t Network<T>::memory() const {
  std::size_t total =
      trunk_->memory() +
      (partials_.size() + packed_.size() + collected_.size() + parameter_gradient_.size()) * sizeof(T);
  for (const Scratch& s : scratch_) {
    total += (s.outputs.size() + s.targets.size() + s.gradient.size() + s.user_outputs.size() +
              s.user_gradient.size() + s.head.features.size() + s.head.derivative.size() +
              s.head.gradient.size() + s.head.transposed.size()) *
                 sizeof(T) +
             s.projection.memory();
  }
  return total;
}

template class Network<float>;
template class Network<double>;

}  // namespace nouq
