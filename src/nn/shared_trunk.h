// Trunks whose samples are spread over the ranks of a group.
//
// A rank has its share of every batch (core/group.h) and works on no other sample. A trunk all of whose
// tensors are dense needs nothing for that: it is given a smaller batch. One with tensors that all samples
// share adds their gradients up over the whole batch; their rows (the first axis, a row per Fourier mode) are
// shared among the ranks as well, and what meets a row has to travel to the rank that owns it. Such a trunk
// derives from SharedTrunk.
#pragma once

#include "core/group.h"
#include "nn/architecture.h"

namespace nouq {

template <class T>
class SharedTrunk : public Trunk<T> {
 public:
  // Once, before the first batch. The group must outlive the trunk. backward() then writes the gradients of
  // the rows that this rank owns, of those of its samples' dense tensors its part, and none by the inputs.
  virtual void share_with(Group& group) = 0;
  // Before every forward(), whose own `batch` are this rank's samples: how many there are on all ranks.
  virtual void announce(Index batch) = 0;
};

}  // namespace nouq
