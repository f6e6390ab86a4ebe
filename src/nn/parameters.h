// The weights of a network: one flat array, and a table that says which part is which tensor.
//
// Why: optimiser, checkpoints and model files treat all weights alike; a trunk finds its own by name, once.
// Contract: the order is that of the file: the dense tensors of the trunk as its architecture lists them, the
// head's, the other tensors of the trunk. Linear weights are [in][out], the head's [outputs][features].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nouq/array.h>

#include "core/group.h"
#include "nn/network_options.h"

namespace nouq {

struct Tensor {
  std::string name;
  Shape shape;
  Index offset = 0;
  double low = 0, high = 0;  // initial values are uniform between them
  [[nodiscard]] Index size() const { return element_count(shape); }
};

class ParameterLayout final : public TensorPlaces {
 public:
  explicit ParameterLayout(const NetworkOptions& options);

  [[nodiscard]] const std::vector<Tensor>& tensors() const { return tensors_; }
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  // Throws when there is none of that name.
  [[nodiscard]] const Tensor& tensor(std::string_view name) const;
  [[nodiscard]] Index offset(std::string_view name) const override { return tensor(name).offset; }
  [[nodiscard]] Index size() const { return size_; }
  // Of the tensors whose gradients are made per sample: trunk and head, the trunk's first.
  [[nodiscard]] Index dense_size() const override { return dense_size_; }
  [[nodiscard]] Index trunk_dense_size() const override { return feature_weight_; }

  // Offsets of the head's tensors.
  [[nodiscard]] Index feature_weight() const { return feature_weight_; }
  [[nodiscard]] Index feature_bias() const { return feature_bias_; }
  [[nodiscard]] Index head_weight() const { return head_weight_; }
  [[nodiscard]] Index head_bias() const { return head_bias_; }  // -1 when the head has none

 private:
  Index add(Tensor tensor);
  [[nodiscard]] const Tensor* find(std::string_view name) const;

  std::vector<Tensor> tensors_;
  Index size_ = 0;
  Index dense_size_ = 0;
  Index feature_weight_ = 0;
  Index feature_bias_ = 0;
  Index head_weight_ = 0;
  Index head_bias_ = -1;
};

// Where several ranks train one network, each number of the flat array has one owner, who adds its gradient
// up and moves it: of the dense tensors taken together a share, of each other tensor a share of its rows.
// These are one rank's, ascending.
std::vector<IndexRange> owned_parts(const ParameterLayout& layout, int rank, int size);

// Every tensor within its own bounds. A value depends on (seed, tensor, index) alone.
template <class T>
void initialise(const ParameterLayout& layout, std::uint64_t seed, T* values);

}  // namespace nouq
