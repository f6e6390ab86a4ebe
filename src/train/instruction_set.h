// The instruction set that a training was begun with, in use again while it goes on.
//
// Why: sums of other vectors have other last digits, so a run that was interrupted on one processor and goes
// on with the best instructions of another would end with bits that neither makes. When: before the first
// network of a training with checkpoints. Contract: `keep_to` changes the instruction set of the whole
// process, other threads' predictions included, until this object goes; it refuses by name what this process
// cannot use. Ranks of a job agreed on one when they started: there a difference is an error, never a change.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "kernels/target.h"

namespace nouq {

class InstructionSetInUse {
 public:
  InstructionSetInUse() = default;
  InstructionSetInUse(const InstructionSetInUse&) = delete;
  InstructionSetInUse& operator=(const InstructionSetInUse&) = delete;
  ~InstructionSetInUse() { force_target(before_); }

  // Uses what these checkpoints, of which some or all may not be there, were begun with. Returns its name
  // when that is another than before, else nothing.
  std::string keep_to(std::span<const std::filesystem::path> checkpoints);

 private:
  Target before_ = current_target();
};

}  // namespace nouq
