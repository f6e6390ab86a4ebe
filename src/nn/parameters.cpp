#include "nn/parameters.h"

#include <nouq/random.h>

#include "core/error.h"
#include "nn/architecture.h"

namespace nouq {
namespace {

Tensor to_tensor(TensorPlan plan) {
  return {std::move(plan.name), std::move(plan.shape), 0, plan.low, plan.high};
}

}  // namespace

ParameterLayout::ParameterLayout(const NetworkOptions& options) {
  validate(options);
  std::vector<TensorPlan> trunk = find_architecture(options.architecture).tensors(options);
  for (TensorPlan& plan : trunk) {
    if (plan.dense) add(to_tensor(plan));
  }
  const Index width = options.width, features = options.features;
  feature_weight_ = add(to_tensor(linear_plan("feature.weight", {width, features}, width)));
  feature_bias_ = add(to_tensor(linear_plan("feature.bias", {features}, width)));
  head_weight_ = add(to_tensor(linear_plan("head.weight", {options.outputs, features}, features)));
  if (options.head_bias) head_bias_ = add(to_tensor(linear_plan("head.bias", {options.outputs}, features)));
  dense_size_ = size_;
  for (TensorPlan& plan : trunk) {
    if (!plan.dense) add(to_tensor(plan));
  }
}

Index ParameterLayout::add(Tensor tensor) {
  require(find(tensor.name) == nullptr, "the network has two tensors named '{}'", tensor.name);
  const Index offset = size_;
  tensor.offset = offset;
  tensors_.push_back(std::move(tensor));
  require(!__builtin_add_overflow(size_, tensors_.back().size(), &size_),
          "the network has more weights than can be counted");
  return offset;
}

const Tensor* ParameterLayout::find(std::string_view name) const {
  for (const Tensor& tensor : tensors_) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

const Tensor& ParameterLayout::tensor(std::string_view name) const {
  const Tensor* found = find(name);
  require(found != nullptr, "the network has no tensor named '{}'", name);
  return *found;
}

std::vector<IndexRange> owned_parts(const ParameterLayout& layout, int rank, int size) {
  if (size == 1) return {{0, layout.size()}};
  std::vector<IndexRange> parts = {share_of(layout.dense_size(), rank, size)};
  for (const Tensor& tensor : layout.tensors()) {
    if (tensor.offset < layout.dense_size() || tensor.size() == 0) continue;
    const Index row = tensor.size() / tensor.shape.front();
    const IndexRange rows = share_of(tensor.shape.front(), rank, size);
    parts.push_back({tensor.offset + rows.begin * row, tensor.offset + rows.end * row});
  }
  return parts;
}

template <class T>
void initialise(const ParameterLayout& layout, std::uint64_t seed, T* values) {
  for (std::size_t t = 0; t < layout.tensors().size(); ++t) {
    const Tensor& tensor = layout.tensors()[t];
    const Stream stream(seed, Purpose::weights, t);
    for (Index i = 0; i < tensor.size(); ++i) {
      values[tensor.offset + i] = static_cast<T>(
          tensor.low + (tensor.high - tensor.low) * stream.uniform(static_cast<std::uint64_t>(i)));
    }
  }
}

template void initialise(const ParameterLayout&, std::uint64_t, float*);
template void initialise(const ParameterLayout&, std::uint64_t, double*);

}  // namespace nouq
