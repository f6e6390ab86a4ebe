#include <cmath>
#include <numbers>

#include <nouq/kernels.h>

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gelu.cpp"
#include <hwy/foreach_target.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nouq {
namespace HWY_NAMESPACE {
namespace {

using FloatVector = Vector<float>;

// exp(-v) for v >= 0: 2^n times a polynomial in the remainder. Beyond 87 the result would be subnormal: it is
// zero there, so that even the largest z cannot bring it back.
HWY_INLINE FloatVector exp_of_minus(Tag<float> d, FloatVector v) {
  const auto normal = hn::Lt(v, hn::Set(d, 87.0F));
  v = hn::Min(v, hn::Set(d, 87.0F));
  // n is rounded by adding a number so large that its last digit counts ones; n is then in its last bits,
  // too.
  const FloatVector shift = hn::Set(d, 12582912.0F);  // 3 2^22
  const FloatVector shifted = hn::Add(hn::Mul(v, hn::Set(d, -1.44269504F)), shift);
  const FloatVector n = hn::Sub(shifted, shift);
  // ln 2 in two parts, so that n ln 2 is subtracted exactly
  FloatVector r = hn::NegMulAdd(n, hn::Set(d, 0.693359375F), hn::Neg(v));
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4F), r);
  FloatVector p = hn::Set(d, 1.0F / 720.0F);
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F / 120.0F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F / 24.0F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F / 6.0F));
  p = hn::MulAdd(p, r, hn::Set(d, 0.5F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0F));
  const hn::RebindToSigned<Tag<float>> di;
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(di, shifted));
  return hn::IfThenElseZero(normal, hn::BitCast(d, hn::Add(hn::BitCast(di, p), exponent)));
}

// 1 / s for s >= 1, to float rounding.
HWY_INLINE FloatVector reciprocal(Tag<float> d, FloatVector s) {
#if HWY_ARCH_ARM_A64
  return hn::Div(hn::Set(d, 1.0F), s);  // its estimate has 8 bits: too few for one Newton step
#else
  const FloatVector t = hn::ApproximateReciprocal(s);
  return hn::Mul(t, hn::NegMulAdd(s, t, hn::Set(d, 2.0F)));
#endif
}

// Phi(z), and exp(-z^2/2) on the way. The upper tail 1 - Phi(|z|) is exp(-z^2/2) times a polynomial in
// t = 1 / (1 + p |z|) (Abramowitz & Stegun 7.1.26, |error| < 8e-8 here).
HWY_INLINE FloatVector distribution(Tag<float> d, FloatVector z, FloatVector* bell) {
  const FloatVector magnitude = hn::Abs(z);
  const FloatVector s = hn::MulAdd(magnitude, hn::Set(d, 0.3275911F * 0.70710678F), hn::Set(d, 1.0F));
  const FloatVector t = reciprocal(d, s);
  *bell = exp_of_minus(d, hn::Mul(hn::Mul(z, z), hn::Set(d, 0.5F)));
  FloatVector p = hn::Set(d, 0.5F * 1.061405429F);
  p = hn::MulAdd(p, t, hn::Set(d, 0.5F * -1.453152027F));
  p = hn::MulAdd(p, t, hn::Set(d, 0.5F * 1.421413741F));
  p = hn::MulAdd(p, t, hn::Set(d, 0.5F * -0.284496736F));
  p = hn::MulAdd(p, t, hn::Set(d, 0.5F * 0.254829592F));
  const FloatVector tail = hn::Mul(hn::Mul(p, t), *bell);
  return hn::IfThenElse(hn::Lt(z, hn::Zero(d)), tail, hn::Sub(hn::Set(d, 1.0F), tail));
}

HWY_INLINE void gelu_vector(Tag<float> d, FloatVector z, FloatVector* value, FloatVector* derivative) {
  FloatVector bell;
  const FloatVector phi = distribution(d, z, &bell);
  *value = hn::Mul(z, phi);
  *derivative = hn::MulAdd(hn::Mul(z, hn::Set(d, 0.398942280F)), bell, phi);
}

// Four independent vectors at a time hide the latency of the long dependency chain.
template <bool with_derivative>
void gelu_all(const float* z, Index count, float* value, float* derivative) {
  const Tag<float> d;
  const Index n = hn::Lanes(d);
  constexpr Index group = 4;
  Index i = 0;
  for (; i + group * n <= count; i += group * n) {
    FloatVector v[group];
    FloatVector g[group];
#pragma GCC unroll 4
    for (Index u = 0; u < group; ++u) gelu_vector(d, hn::LoadU(d, z + i + u * n), &v[u], &g[u]);
#pragma GCC unroll 4
    for (Index u = 0; u < group; ++u) {
      hn::StoreU(v[u], d, value + i + u * n);
      if constexpr (with_derivative) hn::StoreU(g[u], d, derivative + i + u * n);
    }
  }
  for (; i < count; i += n) {
    const Lanes<float, false> lanes{d, static_cast<std::size_t>(count - i < n ? count - i : n)};
    FloatVector v, g;
    gelu_vector(d, lanes.load(z + i), &v, &g);
    lanes.store(v, value + i);
    if constexpr (with_derivative) lanes.store(g, derivative + i);
  }
}

}  // namespace

void gelu_value(const float* z, Index count, float* value) { gelu_all<false>(z, count, value, nullptr); }
void gelu_both(const float* z, Index count, float* value, float* derivative) {
  gelu_all<true>(z, count, value, derivative);
}

}  // namespace HWY_NAMESPACE
}  // namespace nouq
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nouq {

template <>
void gelu(const float* z, Index count, float* value) {
  NOUQ_CHOOSE(gelu_value)(z, count, value);
}
template <>
void gelu_with_derivative(const float* z, Index count, float* value, float* derivative) {
  NOUQ_CHOOSE(gelu_both)(z, count, value, derivative);
}

// Double serves checks, not speed: the library's erfc and exp.
template <>
void gelu_with_derivative(const double* z, Index count, double* value, double* derivative) {
  for (Index i = 0; i < count; ++i) {
    const double x = z[i];
    const double phi = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    value[i] = x * phi;
    derivative[i] = phi + x * std::exp(-0.5 * x * x) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  }
}
template <>
void gelu(const double* z, Index count, double* value) {
  for (Index i = 0; i < count; ++i) value[i] = z[i] * 0.5 * std::erfc(-z[i] / std::numbers::sqrt2);
}

}  // namespace nouq
#endif
