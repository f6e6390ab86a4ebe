#include "conserve/isotonic.h"

namespace nouq {

void isotonic_regression(std::span<const double> values, std::span<const double> weights,
                         std::vector<IsotonicBlock>& blocks) {
  blocks.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    IsotonicBlock block{i, i + 1, values[i], weights[i]};
    while (!blocks.empty() && blocks.back().value >= block.value) {
      const IsotonicBlock& last = blocks.back();
      const double weight = last.weight + block.weight;
      // From the heavier value: its lighter partner may be larger by many orders.
      const bool heavier = block.weight > last.weight;
      const double from = heavier ? block.value : last.value, to = heavier ? last.value : block.value;
      const double share = (heavier ? last.weight : block.weight) / weight;
      block = {last.begin, block.end, from + (to - from) * share, weight};
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
}

}  // namespace nouq
