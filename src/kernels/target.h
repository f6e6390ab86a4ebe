// Which instruction set the kernels run on: chosen once, at run time, from what this processor can do.
//
// Why: one binary serves every machine. The vector code is written once with Highway and compiled for several
// targets; this header picks among them without needing Highway's run-time library. When: kernels call the
// macro NOUQ_CHOOSE at the end of their file; tests call `force_target` to try each one. Contract: a target
// is only ever chosen when the processor supports it and the build has it (the CMake option NOUQ_TARGET names
// the best one to compile). Results may differ in the last bits between targets, never between runs or thread
// counts on one target.
#pragma once

#include <string_view>
#include <vector>

namespace nouq {

enum class Target { portable, avx2, avx512 };

// The targets that this processor supports and this build has, the best last.
std::vector<Target> supported_targets();
// The one in use: the best, unless forced.
Target current_target();
// For tests, benchmarks and train/instruction_set.h. An unsupported target is an error; otherwise nothing is
// allocated, so that destructors may call it.
void force_target(Target target);
std::string_view name(Target target);

}  // namespace nouq

// How many of the targets are compiled: the number of the best one (cmake/target.cmake).
#ifndef NOUQ_BEST_TARGET
#define NOUQ_BEST_TARGET 2
#endif

// Kernels are arrays of fixed-size vectors held in registers, so scalable vectors (SVE) are left out, and of
// the x86 targets all but the two that matter. What remains for every other processor is Highway's static
// target (NEON on Arm).
#define NOUQ_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#define NOUQ_CHOOSE_PORTABLE(function) (&HWY_NAMESPACE::function)

#if NOUQ_BEST_TARGET >= 2
#define HWY_DISABLED_TARGETS NOUQ_DISABLED_TARGETS
#elif NOUQ_BEST_TARGET == 1
#define HWY_DISABLED_TARGETS (NOUQ_DISABLED_TARGETS | HWY_AVX3)
#else
#define HWY_DISABLED_TARGETS (NOUQ_DISABLED_TARGETS | HWY_AVX3 | HWY_AVX2)
#endif

#if defined(__x86_64__) && NOUQ_BEST_TARGET >= 2
#define NOUQ_CHOOSE(function)                                             \
  (::nouq::current_target() == ::nouq::Target::avx512 ? &N_AVX3::function \
   : ::nouq::current_target() == ::nouq::Target::avx2 ? &N_AVX2::function \
                                                      : NOUQ_CHOOSE_PORTABLE(function))
#elif defined(__x86_64__) && NOUQ_BEST_TARGET == 1
#define NOUQ_CHOOSE(function) \
  (::nouq::current_target() == ::nouq::Target::avx2 ? &N_AVX2::function : NOUQ_CHOOSE_PORTABLE(function))
#else
#define NOUQ_CHOOSE(function) NOUQ_CHOOSE_PORTABLE(function)
#endif
