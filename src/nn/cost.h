// What a training step and a forward pass cost: multiply-adds and bytes, counted from the algorithm the
// engine runs.
//
// Only products count as work (transforms, mixing, linear layers, head): GELU, sums and copies are not in the
// figure, so the fraction of peak is what is left after them. Traffic is what cannot stay in cache: weights,
// gradients, Adam's moments and the fields kept for the backward pass.
#pragma once

#include <algorithm>

#include "nn/parameters.h"

namespace nouq {

struct Cost {
  double forward_flops = 0;
  double output_flops = 0;  // those of the forward pass that are the last linear map's
  double step_flops = 0;
  double step_bytes = 0;
};

inline Cost cost_of(const FnoOptions& o, const Shape& grid, Index batch) {
  const auto lengths = padded_lengths(o, grid);
  const std::size_t axes = grid.size();
  const ParameterLayout layout(o);
  const auto number = [](Index n) { return static_cast<double>(n); };
  const double width = number(o.width), lifted = number(o.lifted_channels());
  const double points = number(element_count(grid)), padded = number(element_count(lengths));
  // One transform between the field and its real coefficients, per sample: axis 0 on slices, then the others.
  // `inner` cuts the slices and rows to the unpadded field.
  const auto transform = [&](bool inner) {
    double total = 0, columns = width;
    for (std::size_t j = 0; j < axes; ++j) {
      const bool last = j + 1 == axes;
      const double rows = number(2 * (last ? o.modes[j] : o.modes[j] + 1) - 1);
      double outer = 1;
      for (std::size_t i = j + 1; i < axes; ++i) outer *= number(inner ? grid[i] : lengths[i]);
      total += outer * number(lengths[j] / 2 + 1) * rows * columns;
      columns *= rows;
    }
    return total;
  };
  const double mixing = 4 * number(layout.mode_count()) * width * width;
  const double inner_blocks = number(std::max<Index>(0, o.blocks - 2));
  const bool several = o.blocks > 1;
  const double head = points * number(o.features) * (width + number(o.outputs));
  const double first = (several ? padded : points) * lifted * width;
  double forward = number(o.blocks) * mixing + first + head + transform(true);
  if (several) forward += 2 * transform(false) + points * width * width;  // between first and last block
  forward += inner_blocks * (2 * transform(false) + padded * width * width);
  double backward = number(o.blocks) * 2 * mixing + 2 * head + transform(true) + first;
  if (several) backward += 2 * points * width * width + 2 * transform(false);
  backward += inner_blocks * (2 * padded * width * width + 2 * transform(false));
  Cost cost;
  cost.forward_flops = 2 * number(batch) * forward;
  cost.output_flops = 2 * number(batch) * points * number(o.features * o.outputs);
  cost.step_flops = 2 * number(batch) * (forward + backward);
  const double fields = number(std::max<Index>(0, o.blocks - 1)) * 7 * padded * width;
  cost.step_bytes = 4 * (10 * number(layout.size()) + number(batch) * fields);
  return cost;
}

}  // namespace nouq
