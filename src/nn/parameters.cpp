#include "nn/parameters.h"

#include <cmath>

#include "core/random.h"

namespace nouq {

ParameterLayout::ParameterLayout(const FnoOptions& options) {
  validate(options);
  mode_count_ = 1;
  for (std::size_t axis = 0; axis < options.modes.size(); ++axis) {
    const bool last = axis + 1 == options.modes.size();
    mode_count_ *= last ? options.modes[axis] : 2 * options.modes[axis];
  }
  const Index width = options.width;
  lift_ = add("lift.weight", {options.lifted_channels() - 1, width});
  add("lift.bias", {width});
  blocks_.resize(static_cast<std::size_t>(options.blocks));
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b].weight = add(fmt::format("blocks.{}.linear.weight", b), {width, width});
    blocks_[b].bias = add(fmt::format("blocks.{}.linear.bias", b), {width});
  }
  feature_weight_ = add("feature.weight", {width, options.features});
  feature_bias_ = add("feature.bias", {options.features});
  head_weight_ = add("head.weight", {options.outputs, options.features});
  if (options.head_bias) head_bias_ = add("head.bias", {options.outputs});
  dense_size_ = size_;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b].spectral = add(fmt::format("blocks.{}.spectral.weight", b), {mode_count_, width, 2, width});
  }
}

Index ParameterLayout::add(std::string name, Shape shape) {
  const Index offset = size_;
  tensors_.push_back({std::move(name), std::move(shape), offset});
  require(!__builtin_add_overflow(size_, tensors_.back().size(), &size_),
          "the network has more weights than can be counted");
  return offset;
}

const Tensor& ParameterLayout::tensor(std::string_view name) const {
  for (const Tensor& tensor : tensors_) {
    if (tensor.name == name) return tensor;
  }
  fail("the network has no tensor named '{}'", name);
}

template <class T>
void initialise(const ParameterLayout& layout, const FnoOptions& options, std::uint64_t seed, T* values) {
  const auto uniform_within = [](Index fan_in) { return 1.0 / std::sqrt(static_cast<double>(fan_in)); };
  for (std::size_t t = 0; t < layout.tensors().size(); ++t) {
    const Tensor& tensor = layout.tensors()[t];
    const Stream stream(seed, Purpose::weights, t);
    double low = 0.0;
    double high = 1.0 / static_cast<double>(options.width * options.width);
    if (tensor.offset < layout.dense_size()) {
      const bool lift = tensor.name.starts_with("lift");
      const bool head = tensor.name.starts_with("head");
      high = uniform_within(lift ? options.lifted_channels() - 1 : head ? options.features : options.width);
      low = -high;
    }
    for (Index i = 0; i < tensor.size(); ++i) {
      values[tensor.offset + i] =
          static_cast<T>(low + (high - low) * stream.uniform(static_cast<std::uint64_t>(i)));
    }
  }
}

template void initialise(const ParameterLayout&, const FnoOptions&, std::uint64_t, float*);
template void initialise(const ParameterLayout&, const FnoOptions&, std::uint64_t, double*);

}  // namespace nouq
