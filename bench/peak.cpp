#include "peak.h"

#include <algorithm>
#include <chrono>

#include "core/buffer.h"
#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "peak.cpp"
#include <hwy/foreach_target.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nouq {
namespace HWY_NAMESPACE {

// Twelve independent chains keep two pipes of latency four busy. Returns the floating-point operations done.
double fma_loop(long repetitions, float* sink) {
  const Tag<float> d;
  Vector<float> sum[12];
  for (int i = 0; i < 12; ++i) sum[i] = hn::Set(d, static_cast<float>(i));
  const Vector<float> a = hn::Set(d, 0.999F);
  const Vector<float> b = hn::Set(d, 1e-3F);
  for (long r = 0; r < repetitions; ++r) {
#pragma GCC unroll 12
    for (int i = 0; i < 12; ++i) sum[i] = hn::MulAdd(sum[i], a, b);
  }
  for (int i = 1; i < 12; ++i) sum[0] = hn::Add(sum[0], sum[i]);
  *sink = hn::GetLane(hn::SumOfLanes(d, sum[0]));
  return 2.0 * 12.0 * static_cast<double>(hn::Lanes(d)) * static_cast<double>(repetitions);
}

}  // namespace HWY_NAMESPACE
}  // namespace nouq
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nouq::bench {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

double measure_fma_peak() {
  double best = 0;
  float sink = 0;
  for (int round = 0; round < 10; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const double operations = NOUQ_CHOOSE(fma_loop)(4000000, &sink);
    best = std::max(best, operations / seconds_since(start));
  }
  return best * 1e-9 + (sink > 1e30F ? 1.0 : 0.0);  // the sum is used, so the loop cannot be left out
}

double measure_bandwidth() {
  const std::size_t n = std::size_t{1} << 25U;
  Buffer<float> a(n, 1.0F), b(n, 2.0F), c(n, 0.0F);
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + 3.0F * b[i];
    best = std::max(best, 3.0 * static_cast<double>(n) * sizeof(float) / seconds_since(start));
  }
  return best * 1e-9 + (c[n / 2] > 1e30F ? 1.0 : 0.0);
}

}  // namespace nouq::bench
#endif
