// The weights of a network: one flat array, and a table that says which part is which tensor.
//
// Why: optimiser, checkpoints and model files treat all weights alike; layers find theirs by offset.
// Contract: linear weights are [in][out], the head's [outputs][features]; the spectral weight of a block is
// [modes][in][2][out], real and imaginary rows (kernels/mixing.h). All dense tensors come before all spectral
// ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"
#include "nn/fno_options.h"

namespace nouq {

struct Tensor {
  std::string name;
  Shape shape;
  Index offset = 0;
  [[nodiscard]] Index size() const { return element_count(shape); }
};

class ParameterLayout {
 public:
  explicit ParameterLayout(const FnoOptions& options);

  [[nodiscard]] const std::vector<Tensor>& tensors() const { return tensors_; }
  [[nodiscard]] const Tensor& tensor(std::string_view name) const;
  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] Index dense_size() const { return dense_size_; }
  [[nodiscard]] Index mode_count() const { return mode_count_; }

  // Offsets, for the layers. lift is [inputs + axes + 1][width]: weights, then the bias as the last row.
  [[nodiscard]] Index lift() const { return lift_; }
  [[nodiscard]] Index linear_weight(Index block) const {
    return blocks_[static_cast<std::size_t>(block)].weight;
  }
  [[nodiscard]] Index linear_bias(Index block) const { return blocks_[static_cast<std::size_t>(block)].bias; }
  [[nodiscard]] Index spectral(Index block) const {
    return blocks_[static_cast<std::size_t>(block)].spectral;
  }
  [[nodiscard]] Index feature_weight() const { return feature_weight_; }
  [[nodiscard]] Index feature_bias() const { return feature_bias_; }
  [[nodiscard]] Index head_weight() const { return head_weight_; }
  [[nodiscard]] Index head_bias() const { return head_bias_; }  // -1 when the head has none

 private:
  struct Block {
    Index weight = 0;
    Index bias = 0;
    Index spectral = 0;
  };
  Index add(std::string name, Shape shape);

  std::vector<Tensor> tensors_;
  std::vector<Block> blocks_;
  Index size_ = 0;
  Index dense_size_ = 0;
  Index mode_count_ = 0;
  Index lift_ = 0;
  Index feature_weight_ = 0;
  Index feature_bias_ = 0;
  Index head_weight_ = 0;
  Index head_bias_ = -1;
};

// The authors' initialisation: spectral weights (U[0,1) + i U[0,1)) / width^2, non-negative; everything else
// uniform within
// +-1/sqrt(fan in). A value depends on (seed, tensor, index) alone.
template <class T>
void initialise(const ParameterLayout& layout, const FnoOptions& options, std::uint64_t seed, T* values);

}  // namespace nouq
