// One call of predict(), its arrays checked against the model and brought into one form.
//
// Contract: afterwards every array that is there has the samples as its first extent, and all extents agree.
// Allocates nothing unless it throws.
#pragma once

#include <nouq/model.h>

#include "uq/surrogate.h"

namespace nouq {

struct PredictCall {
  Input inputs;  // [samples, axes..., (channels)]
  Outputs outputs;
  Index samples = 0;
  std::span<const Index> grid;  // looks at `given`
};

bool wants_trust(const Outputs& outputs);

// `members` are those of the method. Throws unless the call can be answered.
PredictCall checked_call(const Surrogate& surrogate, Index members, const Input& given,
                         const Outputs& outputs);

}  // namespace nouq
