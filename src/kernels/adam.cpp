#include "kernels/adam.h"

#include <cmath>

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam.cpp"
#include <hwy/foreach_target.h>

#include "kernels/vectors-inl.h"

#ifndef NOUQ_KERNELS_ADAM_CONSTANTS
#define NOUQ_KERNELS_ADAM_CONSTANTS
namespace nouq {
namespace {

// Formed in double: 1 - 0.999^t loses digits in float.
template <class T>
struct AdamConstants {
  explicit AdamConstants(const AdamStep& o)
      : decay(static_cast<T>(o.decay)),
        beta1(static_cast<T>(o.beta1)),
        rest1(static_cast<T>(1.0 - o.beta1)),
        beta2(static_cast<T>(o.beta2)),
        rest2(static_cast<T>(1.0 - o.beta2)),
        inverse_root(static_cast<T>(1.0 / std::sqrt(1.0 - std::pow(o.beta2, static_cast<double>(o.step))))),
        rate(static_cast<T>(o.rate / (1.0 - std::pow(o.beta1, static_cast<double>(o.step))))),
        epsilon(static_cast<T>(o.epsilon)) {}
  T decay, beta1, rest1, beta2, rest2, inverse_root, rate, epsilon;
};

}  // namespace
}  // namespace nouq
#endif

HWY_BEFORE_NAMESPACE();
namespace nouq {
namespace HWY_NAMESPACE {
namespace {

template <bool whole, class T>
HWY_INLINE void adam_vector(const AdamConstants<T>& c, Lanes<T, whole> lanes, const T* gradient, T* w, T* m,
                            T* v) {
  const Tag<T> d = lanes.tag;
  const Vector<T> weight = lanes.load(w);
  const Vector<T> g = hn::MulAdd(hn::Set(d, c.decay), weight, lanes.load(gradient));
  const Vector<T> first = hn::MulAdd(hn::Set(d, c.beta1), lanes.load(m), hn::Mul(hn::Set(d, c.rest1), g));
  const Vector<T> second =
      hn::MulAdd(hn::Set(d, c.beta2), lanes.load(v), hn::Mul(hn::Mul(hn::Set(d, c.rest2), g), g));
  const Vector<T> scale = hn::MulAdd(hn::Sqrt(second), hn::Set(d, c.inverse_root), hn::Set(d, c.epsilon));
  lanes.store(first, m);
  lanes.store(second, v);
  lanes.store(hn::Sub(weight, hn::Div(hn::Mul(hn::Set(d, c.rate), first), scale)), w);
}

}  // namespace

template <class T>
void adam_all(const AdamConstants<T>& c, const T* gradient, Index count, T* w, T* m, T* v) {
  const Tag<T> d;
  const Index n = hn::Lanes(d);
  Index i = 0;
  for (; i + n <= count; i += n) adam_vector(c, Lanes<T, true>{d}, gradient + i, w + i, m + i, v + i);
  if (i < count) {
    adam_vector(c, Lanes<T, false>{d, static_cast<std::size_t>(count - i)}, gradient + i, w + i, m + i,
                v + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nouq
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nouq {

template <class T>
void adam(const AdamStep& options, const T* gradient, Index count, T* weights, T* first_moment,
          T* second_moment) {
  NOUQ_CHOOSE(template adam_all<T>)
  (AdamConstants<T>(options), gradient, count, weights, first_moment, second_moment);
}

template void adam(const AdamStep&, const float*, Index, float*, float*, float*);
template void adam(const AdamStep&, const double*, Index, double*, double*, double*);

}  // namespace nouq
#endif
