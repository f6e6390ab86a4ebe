#include "api/predict_call.h"

#include <algorithm>

#include "api/strided_copy.h"
#include "core/error.h"
#include "uq/conformal.h"
#include "uq/trust.h"

namespace nouq {
namespace {

bool same_extents(const Layout& a, const Layout& b) {
  return a.rank == b.rank && std::equal(a.extent.begin(), a.extent.begin() + a.rank, b.extent.begin());
}

void push_front(Layout& layout, Index extent) {
  for (auto* numbers : {&layout.extent, &layout.stride})
    std::rotate(numbers->begin(), numbers->end() - 1, numbers->end());
  layout.extent[0] = extent;
  layout.stride[0] = 0;
  ++layout.rank;
}

void push_back(Layout& layout, Index extent) { layout.extent[layout.rank++] = extent; }

// Brings an output that is there into the form [samples, (members), axes..., channels].
void check_output(const char* name, Output& output, const PredictCall& call, Index members, Index channels) {
  if (output.data == nullptr) return;
  require_writable(name, output);
  Layout bare;
  if (members > 0) push_back(bare, members);
  for (const Index extent : call.grid) push_back(bare, extent);
  Layout full = bare;
  push_front(full, call.samples);
  push_back(full, channels);
  if (same_extents(output.layout, full)) return;
  if (call.samples != 1 || channels != 1 || !same_extents(output.layout, bare)) {
    fail("{} of shape {}: expected {}", name, to_string(shape_of(output.layout)), to_string(shape_of(full)));
  }
  push_front(output.layout, 1);
}

// Brings the inputs into their form and reads the sizes of the call from them.
void check_inputs(const Surrogate& surrogate, const Input& given, PredictCall& call) {
  require_readable("inputs", given);
  const std::size_t axes = surrogate.grid.size();
  const auto channels = std::ssize(surrogate.input_channels);
  const std::size_t rank = given.layout.rank;
  const bool bare = rank == axes && channels == 1;
  const bool full =
      rank == axes + 2 && given.layout.extent[axes + 1] == channels && given.layout.extent[0] >= 1;
  if (!bare && !full) {
    fail("inputs of shape {}: expected [samples, {} axes, {} channels]{}", to_string(shape_of(given.layout)),
         axes, channels, channels == 1 ? fmt::format(", or the {} axes alone", axes) : "");
  }
  call.inputs = given;
  if (bare) push_front(call.inputs.layout, 1);
  call.samples = call.inputs.layout.extent[0];
  call.grid = {given.layout.extent.data() + (bare ? 0 : 1), axes};
}

}  // namespace

bool wants_trust(const Outputs& outputs) {
  return outputs.score != nullptr || outputs.verdict != nullptr || outputs.witnesses != nullptr ||
         outputs.trust != nullptr;
}

PredictCall checked_call(const Surrogate& surrogate, Index members, const Input& given,
                         const Outputs& outputs) {
  PredictCall call;
  call.outputs = outputs;
  check_inputs(surrogate, given, call);
  check_output("mean", call.outputs.mean, call, 0, surrogate.channels());
  check_output("deviation", call.outputs.deviation, call, 0, surrogate.channels());
  require(outputs.samples.data == nullptr || members > 0,
          "samples are asked for: the method '{}' of this model has none", surrogate.method);
  check_output("samples", call.outputs.samples, call, members, surrogate.channels());
  require(outputs.band.data == nullptr || has_conformal(surrogate),
          "a band is asked for: this model was not calibrated for it");
  check_output("band", call.outputs.band, call, 0, surrogate.channels());
  require(!wants_trust(outputs) || has_trust(surrogate),
          "trust is asked for: this model was not calibrated for it");
  return call;
}

}  // namespace nouq
