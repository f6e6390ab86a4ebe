#include "kernels/target.h"

#include <atomic>

#include <nouq/kernels.h>

#include "core/error.h"

namespace nouq {
namespace {

// Every processor with AVX2 and FMA has the half-precision conversions Highway also switches on.
bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

bool has_avx512() {
#if defined(__x86_64__)
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#else
  return false;
#endif
}

bool is_supported(Target target) {
  return target == Target::portable || (target == Target::avx2 && NOUQ_BEST_TARGET >= 1 && has_avx2()) ||
         (target == Target::avx512 && NOUQ_BEST_TARGET >= 2 && has_avx512());
}

std::atomic<Target>& current() {
  static std::atomic<Target> target = supported_targets().back();
  return target;
}

}  // namespace

std::vector<Target> supported_targets() {
  std::vector<Target> targets;
  for (const Target target : {Target::portable, Target::avx2, Target::avx512})
    if (is_supported(target)) targets.push_back(target);
  return targets;
}

Target current_target() { return current().load(std::memory_order_relaxed); }

void force_target(Target target) {
  require(is_supported(target),
          "the kernels for {} are not supported by this processor, or not compiled (NOUQ_TARGET)",
          name(target));
  current() = target;
}

std::string_view name(Target target) {
  switch (target) {
    case Target::avx2:
      return "AVX2";
    case Target::avx512:
      return "AVX-512";
    case Target::portable:
      break;
  }
  return "portable";
}

std::string kernel_target() { return std::string(name(current_target())); }

}  // namespace nouq
