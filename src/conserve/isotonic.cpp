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
      block = {last.begin, block.end, last.value + (block.value - last.value) * (block.weight / weight),
               weight};
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
}

}  // namespace nouq
