#include "nn/fno/fno_trunk.h"

#include <algorithm>

#include <fmt/format.h>
#include <nouq/kernels.h>

#include "core/threads.h"
#include "kernels/mixing.h"
#include "kernels/rows.h"

namespace nouq {

FnoOffsets::FnoOffsets(const TensorPlaces& tensors, Index blocks) : lift(tensors.offset("lift.weight")) {
  for (Index b = 0; b < blocks; ++b) {
    linear_weight.push_back(tensors.offset(fmt::format("blocks.{}.linear.weight", b)));
    linear_bias.push_back(tensors.offset(fmt::format("blocks.{}.linear.bias", b)));
    spectral.push_back(tensors.offset(fmt::format("blocks.{}.spectral.weight", b)));
  }
}

template <class T>
FnoTrunk<T>::FnoTrunk(const TrunkPlace& place)
    : options_(place.options),
      at_(place.tensors, place.options.blocks),
      dense_size_(place.tensors.dense_size()),
      trunk_dense_size_(place.tensors.trunk_dense_size()),
      grid_(place.grid),
      lengths_(padded_lengths(options_, grid_)),
      transform_(grid_, lengths_, options_.modes),
      threads_(resolve_threads(place.threads)),
      width_(options_.width),
      lifted_(options_.lifted_channels()),
      points_(element_count(grid_)),
      points_x_(grid_[0]),
      length_x_(lengths_[0]),
      point_order_(axis_0_fastest(grid_)),
      coordinates_(lifted_coordinates<T>(options_, grid_)),
      inner_index_(static_cast<std::size_t>(transform_.slice_count()), -1) {
  for (std::size_t i = 0; i < transform_.inner_slices().size(); ++i) {
    inner_index_[transform_.inner_slices()[i]] = static_cast<Index>(i);
  }
  const Index widest = std::max(width_, lifted_);
  const Index slices = transform_.slice_count() * transform_.along_x().rows() * width_;
  for (int t = 0; t < threads_; ++t) {
    auto s = std::make_unique<Scratch>();
    s->coefficients.resize(transform_.row_count() * width_);
    s->slices.resize(slices);
    s->next_slices.resize(slices);
    s->slice.resize(slice_size());
    s->derivative.resize(slice_size());
    s->transform.resize(std::max(transform_.scratch_size(widest), transform_.along_x().scratch_size()));
    s->transposed.resize(2 * width_ * width_);
    s->mode_gradient.resize(2 * width_ * width_);
    s->lifted.resize(points_ * lifted_);
    scratch_.push_back(std::move(s));
  }
  first_linear_.resize(lifted_ * width_);
  transposed_linear_.resize(options_.blocks);
}

template <class T>
typename FnoTrunk<T>::Scratch& FnoTrunk<T>::scratch() const {
  return *scratch_[thread_index()];
}

template <class T>
void FnoTrunk<T>::reserve(Index batch, bool keep) {
  const auto size = [](Index n) { return static_cast<std::size_t>(n); };
  const auto inner = std::ssize(transform_.inner_slices());
  const Index blocks = options_.blocks;
  const std::size_t old = input_slices_.size();
  input_slices_.resize(size(batch * inner * length_x_ * lifted_));
  if (input_slices_.size() > old) input_slices_.fill(T(0));
  input_modes_.resize(size(modes_size(batch, lifted_)));
  mixed_.resize(size(modes_size(batch, width_)));
  output_.resize(size(batch * output_stride()));
  const Index by_mode = own_modes().size() * whole(batch) * 2;
  modes_.resize(std::max(modes_.size(), size(keep ? blocks : 1)));
  for (Index b = 0; b < (keep ? blocks : 1); ++b) modes_[size(b)].resize(size(by_mode * width_));
  if (shared_) {
    shared_->input_modes.resize(size(by_mode * lifted_));
    shared_->mixed.resize(size(by_mode * width_));
    shared_->sample_modes.resize(size(modes_size(batch, width_)));
  }
  const Index fields = keep ? blocks - 1 : std::min<Index>(1, blocks - 1);
  fields_.resize(std::max(fields_.size(), size(fields)));
  for (Index b = 0; b < fields; ++b) fields_[size(b)].resize(size(batch * field_size()));
  if (!keep) return;
  lift_partials_.resize(size(transform_.mode_count() * lifted_ * width_));
  first_partials_.resize(size(batch * lifted_ * width_));
  for (auto& transposed : transposed_linear_) transposed.resize(size(width_ * width_));
}

template <class T>
const T* FnoTrunk<T>::output(Index sample) const {
  return output_.data() + output_place(sample);
}

template <class T>
T* FnoTrunk<T>::output_gradient(Index sample) {
  return output_.data() + sample * output_stride();
}

template <class T>
std::size_t FnoTrunk<T>::memory() const {
  std::size_t total = bytes(input_slices_) + bytes(input_modes_) + bytes(mixed_) + bytes(output_) +
                      bytes(lift_partials_) + bytes(first_partials_);
  for (const auto* buffers : {&modes_, &fields_}) {
    for (const auto& buffer : *buffers) total += bytes(buffer);
  }
  for (const auto& s : scratch_) {
    total += bytes(s->coefficients) + bytes(s->slices) + bytes(s->next_slices) + bytes(s->slice) +
             bytes(s->derivative) + bytes(s->transform) + bytes(s->transposed) + bytes(s->mode_gradient) +
             bytes(s->lifted);
  }
  if (shared_) {
    total += bytes(shared_->input_modes) + bytes(shared_->sample_modes) + bytes(shared_->mixed) +
             shared_->exchange.memory();
  }
  return total + bytes(coordinates_);
}

template <class T>
void FnoTrunk<T>::share_with(Group& group) {
  shared_ =
      std::make_unique<Shared>(Shared{ModeExchange<T>(group, transform_.mode_count(), threads_), {}, {}, {}});
}

template <class T>
IndexRange FnoTrunk<T>::own_modes() const {
  return shared_ ? shared_->exchange.own_modes() : IndexRange{0, transform_.mode_count()};
}

// Inputs, coordinates and 1 at every point: in the user's order for the transform, in slices for the linear
// layer. The modes of the lifted field are the lift applied to the modes of these few channels.
template <class T>
void FnoTrunk<T>::lift(const T* parameters, const T* inputs, Index batch, Index sample, Scratch& s) {
  const Index channels = options_.input_channels, columns = lifted_ - channels;
  const T* in = inputs + sample * points_ * channels;
  const auto inner = std::ssize(transform_.inner_slices());
  T* slices = input_slices_.data() + sample * inner * length_x_ * lifted_;
  for (Index p = 0; p < points_; ++p) {
    const Index user = point_order_[p];
    T* row = s.lifted.data() + user * lifted_;
    std::copy_n(in + user * channels, channels, row);
    std::copy_n(coordinates_.data() + p * columns, columns, row + channels);
    std::copy_n(row, lifted_, slices + ((p / points_x_) * length_x_ + p % points_x_) * lifted_);
  }
  T* modes = input_modes_.data() + sample * 2 * lifted_;
  transform_.analyse_natural(s.lifted.data(), lifted_, batch, modes, s.transform.data());
  if (shared_) return;  // who owns the modes lifts them: what travels is smaller
  for (Index mode = 0; mode < transform_.mode_count(); ++mode) {
    const Index row = (mode * batch + sample) * 2;
    lift_modes(parameters, input_modes_.data() + row * lifted_, modes_[0].data() + row * width_);
  }
}

// Of one mode of one sample.
template <class T>
void FnoTrunk<T>::lift_modes(const T* parameters, const T* input_modes, T* modes) const {
  multiply(
      Product<T>{2, width_, lifted_, input_modes, lifted_, 1, parameters + at_.lift, width_, modes, width_});
}

template <class T>
void FnoTrunk<T>::lift_own_modes(const T* parameters, Index batch) {
  shared_->exchange.to_owners(batch, 2 * lifted_, input_modes_.data(), shared_->input_modes.data());
  parallel_for(threads_, own_modes().size(), [&](Index mode) {
    for (Index row = 2 * mode * batch; row < 2 * (mode + 1) * batch; row += 2)
      lift_modes(parameters, input_modes() + row * lifted_, modes_[0].data() + row * width_);
  });
}

template <class T>
void FnoTrunk<T>::mix_modes(const T* parameters, Index block, Index batch) {
  const Index weight_size = 2 * width_ * width_, count = own_modes().size();
  const T* weights = parameters + at_.spectral[block] + own_modes().begin * weight_size;
  T* modes = this->modes(block);
  if (shared_ && block > 0) shared_->exchange.to_owners(batch, 2 * width_, sample_modes(block), modes);
  // Modes are handed out in runs: one mode alone is too little work for a piece of its own.
  const Index run = 16;
  parallel_for(threads_, (count + run - 1) / run, [&](Index r) {
    for (Index m = r * run; m < std::min(count, (r + 1) * run); ++m) {
      const Index rows = m * batch * 2 * width_;
      if (m + 1 < count) fetch_to_read(weights + (m + 1) * weight_size, weight_size);
      mix(Mixing<T>{batch, width_, width_}, modes + rows, weights + m * weight_size, mixed() + rows);
    }
  });
  if (shared_) shared_->exchange.to_samples(batch, 2 * width_, mixed(), mixed_.data());
}

template <class T>
typename FnoTrunk<T>::LinearInput FnoTrunk<T>::first_input(Index sample, Index slice) const {
  const Index inner = inner_index_[slice];
  if (inner < 0) return {nullptr, 0};
  const auto count = std::ssize(transform_.inner_slices());
  return {input_slices_.data() + (sample * count + inner) * length_x_ * lifted_, lifted_};
}

template <class T>
typename FnoTrunk<T>::LinearInput FnoTrunk<T>::linear_input(Index block, Index sample, Index slice,
                                                            T* room) const {
  if (block == 0) return first_input(sample, slice);
  if (!keep_) return {field(0, sample, slice), width_};
  const Index rows = block + 1 == options_.blocks ? points_x_ : length_x_;
  gelu(field(block - 1, sample, slice), rows * width_, room);
  if (slice + 1 < transform_.slice_count()) fetch_to_read(field(block - 1, sample, slice + 1), slice_size());
  return {room, width_};
}

// One slice, from its rows after the inverse transform along the other axes: to the output, or to the rows of
// the next block.
template <class T>
void FnoTrunk<T>::slice_forward(const T* parameters, Index block, Index sample, Index slice, const T* from,
                                T* to, Scratch& s) {
  const bool last = block + 1 == options_.blocks;
  const Index inner = inner_index_[slice];
  if (last && inner < 0) return;
  const AxisTransform<T>& x = transform_.along_x();
  const LinearInput input = linear_input(block, sample, slice, s.slice.data());
  const T* weight = block == 0 ? first_linear_.data() : parameters + at_.linear_weight[block];
  const typename AxisTransform<T>::Linear linear{input.rows, input.depth, weight,
                                                 parameters + at_.linear_bias[block]};
  if (last) {
    T* out = output_.data() + output_place(sample) + inner * points_x_ * width_;
    x.synthesise_linear(from, points_x_, width_, linear, out);
    return;
  }
  T* stored = field(keep_ ? block : 0, sample, slice);
  fetch_to_write(stored, slice_size());
  T* before = keep_ ? stored : s.slice.data();
  T* hidden = keep_ ? s.slice.data() : stored;
  x.synthesise_linear(from, length_x_, width_, linear, before);
  gelu(before, slice_size(), hidden);
  x.analyse(hidden, length_x_, width_, to, s.transform.data());
}

// Samples are what the threads share; a sample that is alone gives them its slices.
template <class T>
void FnoTrunk<T>::block_forward(const T* parameters, Index block, Index batch, Index sample, Scratch& s) {
  const bool last = block + 1 == options_.blocks;
  const Index slice_rows = transform_.along_x().rows() * width_;
  transform_.separate(mixed_.data() + sample * 2 * width_, SpectralTransform<T>::Weight::synthesis, width_,
                      batch, s.coefficients.data());
  transform_.synthesise_slices(s.coefficients.data(), last, width_, s.slices.data(), s.transform.data());
  const auto one = [&](Index slice, Scratch& own) {
    slice_forward(parameters, block, sample, slice, s.slices.data() + slice * slice_rows,
                  s.next_slices.data() + slice * slice_rows, own);
  };
  if (batch == 1) {
    parallel_for(threads_, transform_.slice_count(), [&](Index slice) { one(slice, scratch()); });
  } else {
    for (Index slice = 0; slice < transform_.slice_count(); ++slice) one(slice, s);
  }
  if (last) return;
  transform_.analyse_slices(s.next_slices.data(), false, width_, s.coefficients.data(), s.transform.data());
  transform_.combine(s.coefficients.data(), SpectralTransform<T>::Weight::none, width_, batch,
                     sample_modes(block + 1) + sample * 2 * width_);
}

template <class T>
void FnoTrunk<T>::forward(const T* parameters, const T* inputs, Index batch, bool keep) {
  keep_ = keep;
  reserve(batch, keep);
  // The linear layer of the first block sees lift(input): one product of the two matrices serves all points.
  multiply(Product<T>{lifted_, width_, width_, parameters + at_.lift, width_, 1,
                      parameters + at_.linear_weight[0], width_, first_linear_.data(), width_});
  parallel_for(threads_, batch, [&](Index sample) { lift(parameters, inputs, batch, sample, scratch()); });
  if (shared_) lift_own_modes(parameters, whole(batch));
  for (Index block = 0; block < options_.blocks; ++block) {
    mix_modes(parameters, block, whole(batch));
    parallel_for(threads_, batch,
                 [&](Index sample) { block_forward(parameters, block, batch, sample, scratch()); });
  }
}

template class FnoTrunk<float>;
template class FnoTrunk<double>;

}  // namespace nouq
