// Isotonic regression: the nearest rising sequence, in a weighted square norm.
//
// Pool adjacent violators, O(n): minimises sum of w_i (u_i - z_i)^2 over u_0 <= u_1 <= ... The solution is
// constant on blocks, each the weighted mean of its z; the blocks are what Newton's method needs.
#pragma once

#include <span>
#include <vector>

namespace nouq {

struct IsotonicBlock {
  std::size_t begin = 0, end = 0;
  double value = 0;
  double weight = 0;
};

// Blocks of the nearest sequence that does not fall, in order. Weights must be positive.
void isotonic_regression(std::span<const double> values, std::span<const double> weights,
                         std::vector<IsotonicBlock>& blocks);

}  // namespace nouq
