#include "data/hdf5_lzf.h"

#include <algorithm>

#include <hdf5.h>

namespace nouq::hdf5 {
namespace {

// One step of the stream: `length` literal bytes at `from`, or `length` bytes from `distance` back.
struct Step {
  bool literal = false;
  std::size_t from = 0;
  std::size_t length = 0;
  std::size_t distance = 0;
};

// Reads the step at `at` and moves on; nothing when the input ends within it.
std::optional<Step> next_step(std::span<const unsigned char> packed, std::size_t& at) {
  const unsigned control = packed[at++];
  Step step;
  if (control < 32U) {
    step = {true, at, control + 1U, 0};
    at += step.length;
    return at <= packed.size() ? std::optional(step) : std::nullopt;
  }
  step.length = (control >> 5U) + 2U;
  if (control >> 5U == 7U) {
    if (at >= packed.size()) return std::nullopt;
    step.length += packed[at++];
  }
  if (at >= packed.size()) return std::nullopt;
  step.distance = (static_cast<std::size_t>(control & 31U) << 8U) + packed[at++] + 1U;
  return step;
}

std::size_t run_filter(unsigned flags, std::size_t /*count*/, const unsigned* /*values*/, std::size_t bytes,
                       std::size_t* capacity, void** buffer) noexcept {
  if ((flags & H5Z_FLAG_REVERSE) == 0) return 0;
  const std::span packed(static_cast<const unsigned char*>(*buffer), bytes);
  const auto size = lzf_size(packed);
  if (!size || *size == 0) return 0;
  void* output = H5allocate_memory(*size, false);
  if (output == nullptr) return 0;
  lzf_decode(packed, std::span(static_cast<unsigned char*>(output), *size));
  H5free_memory(*buffer);
  *buffer = output;
  *capacity = *size;
  return *size;
}

}  // namespace

std::optional<std::size_t> lzf_size(std::span<const unsigned char> packed) {
  std::size_t size = 0;
  for (std::size_t at = 0; at < packed.size();) {
    const auto step = next_step(packed, at);
    if (!step || (!step->literal && step->distance > size)) return std::nullopt;
    size += step->length;
  }
  return size;
}

void lzf_decode(std::span<const unsigned char> packed, std::span<unsigned char> output) {
  std::size_t to = 0;
  for (std::size_t at = 0; at < packed.size();) {
    const auto step = next_step(packed, at);
    if (step->literal) {
      std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(step->from), step->length,
                  output.begin() + static_cast<std::ptrdiff_t>(to));
    } else {  // byte by byte: the source may overlap what is being written
      for (std::size_t i = 0; i < step->length; ++i) output[to + i] = output[to + i - step->distance];
    }
    to += step->length;
  }
}

void register_lzf() {
  if (H5Zfilter_avail(lzf_filter_id) > 0) return;
  static const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, lzf_filter_id, 0,         1, "lzf",
                                      nullptr,          nullptr,       run_filter};
  H5Zregister(&filter);
}

}  // namespace nouq::hdf5
