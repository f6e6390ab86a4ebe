// What a training step and a forward pass cost: multiply-adds and bytes, counted from the algorithm the
// engine runs.
//
// Only products count as work (transforms, mixing, linear layers, head): GELU, sums and copies are not in the
// figure, so the fraction of peak is what is left after them. Traffic is what cannot stay in cache: weights,
// Adam's moments and the fields kept for the backward pass.
#pragma once

#include "nn/architecture.h"
#include "nn/parameters.h"

namespace nouq {

struct Cost {
  double forward_flops = 0;
  double output_flops = 0;  // those of the forward pass that are the last linear map's
  double step_flops = 0;
  double step_bytes = 0;
};

inline Cost cost_of(const NetworkOptions& o, const Shape& grid, Index batch) {
  const auto number = [](Index n) { return static_cast<double>(n); };
  const TrunkCost trunk = find_architecture(o.architecture).cost(o, grid);
  const double points = number(element_count(grid));
  const double head = points * number(o.features) * (number(o.width) + number(o.outputs));
  const double forward = trunk.forward + head;
  Cost cost;
  cost.forward_flops = 2 * number(batch) * forward;
  cost.output_flops = 2 * number(batch) * points * number(o.features * o.outputs);
  cost.step_flops = 2 * number(batch) * (forward + trunk.backward + 2 * head);
  // Weights are read twice and written once, each of the two moments read and written.
  cost.step_bytes = 4 * (7 * number(ParameterLayout(o).size()) + number(batch) * trunk.kept_numbers);
  return cost;
}

}  // namespace nouq
