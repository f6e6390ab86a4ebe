#include "train/instruction_set.h"

#include <algorithm>

#include "core/communicator.h"
#include "core/error.h"
#include "train/trainer.h"

namespace nouq {
namespace {

struct Begun {
  std::string with;
  std::filesystem::path checkpoint;
};

// Of the first checkpoint that says; all that do must agree.
Begun common_beginning(std::span<const std::filesystem::path> checkpoints) {
  Begun common;
  for (const std::filesystem::path& checkpoint : checkpoints) {
    const Begun one{begun_with(checkpoint), checkpoint};
    if (one.with.empty()) continue;
    if (common.with.empty()) common = one;
    require(
        one.with == common.with,
        "{} was begun with {} instructions and {} with {}: no processor ends with these bits; remove one of "
        "them, or set any_processor (--any-processor) to go on all the same",
        common.checkpoint.string(), common.with, one.checkpoint.string(), one.with);
  }
  return common;
}

}  // namespace

std::string InstructionSetInUse::keep_to(std::span<const std::filesystem::path> checkpoints) {
  const Begun begun = common_beginning(checkpoints);
  if (begun.with.empty() || begun.with == name(current_target())) return {};
  const auto supported = supported_targets();
  const auto found = std::find_if(supported.begin(), supported.end(),
                                  [&](Target target) { return name(target) == begun.with; });
  require(
      found != supported.end() && ranks().size() == 1,
      "{}: begun with {} instructions, and {} uses {}: the result would have other last digits than a run on "
      "one processor; go on where {} is in use, or set any_processor (--any-processor) to go on here",
      begun.checkpoint.string(), begun.with, ranks().size() == 1 ? "this processor" : "this job",
      name(current_target()), begun.with);
  force_target(*found);
  return begun.with;
}

}  // namespace nouq
