// What is kept of the training inputs to tell how new another one is (uq/novelty.h).
#include <algorithm>
#include <cmath>

#include "nn/network.h"
#include "uq/novelty.h"

namespace nouq {
namespace {

constexpr Index most_numbers = 6144, least_inputs = 24;

std::vector<Index> evenly_spaced(Index count, Index of) {
  std::vector<Index> places(count);
  for (Index i = 0; i < count; ++i) places[i] = i * of / count;
  return places;
}

}  // namespace

void keep_training_inputs(const ScaledData& train, int threads, Surrogate& surrogate) {
  constexpr Index batch = 20;
  Network<float> network(surrogate.network, shape_of(train.data().grid), threads);
  const Index size = network.pooled_size();
  const Index wanted = std::min(train.size(), std::max(least_inputs, most_numbers / size));
  if (wanted < 2) return;
  const std::vector<Index> places = evenly_spaced(wanted, train.size());
  Buffer<float> inputs(batch * train.data().inputs.row(0).size());
  Buffer<float> targets(batch * train.data().outputs.row(0).size());
  Array<double> kept({wanted, size});
  for (Index first = 0; first < wanted; first += batch) {
    const Index count = std::min(batch, wanted - first);
    const std::vector<Index> part(places.begin() + first, places.begin() + first + count);
    train.gather(part, inputs.data(), targets.data());
    network.trunk_forward(surrogate.weights.at(0).data(), inputs.data(), count);
    network.write_pooled(count, kept.data() + first * size);
  }
  if (!std::all_of(kept.begin(), kept.end(), [](double v) { return std::isfinite(v); })) return;
  surrogate.state["trust.training"] = std::move(kept);
}

}  // namespace nouq
