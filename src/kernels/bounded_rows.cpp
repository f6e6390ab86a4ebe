#include "kernels/bounded_rows.h"

#include <limits>

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/bounded_rows.cpp"
#include <hwy/foreach_target.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nouq {
namespace HWY_NAMESPACE {
namespace {

using V = Vector<double>;
using M = hn::Mask<Tag<double>>;

// As many rows as a vector has lanes, beginning with row `first`; their entries lie `rows_per_block` apart.
struct VectorOfRows {
  Index entries;
  const double *value, *step, *weight, *lower, *upper;
  V target, noise_variance;

  struct Sums {
    V value, slope, size;  // F, -F', and the size of the terms of F, by which rounding is judged
  };

  HWY_INLINE static V load(const double* array, Index e) {
    return hn::LoadU(Tag<double>(), array + e * rows_per_block);
  }
  HWY_INLINE V clip(Index e, V u) const { return hn::Min(hn::Max(u, load(lower, e)), load(upper, e)); }

  template <bool sized>
  HWY_INLINE void add(Index e, V lambda, Sums* sums) const {
    const V s = load(step, e), w = load(weight, e);
    const V free = hn::NegMulAdd(lambda, s, load(value, e)), u = clip(e, free);
    sums->value = hn::MulAdd(w, u, sums->value);
    if constexpr (sized) sums->size = hn::Add(sums->size, hn::Abs(hn::Mul(w, u)));
    sums->slope = hn::IfThenElse(hn::Eq(u, free), hn::MulAdd(w, s, sums->slope), sums->slope);
  }

  // Two entries at a time: the additions of one row wait for each other.
  template <bool sized>
  HWY_INLINE Sums evaluate(V lambda) const {
    const V zero = hn::Zero(Tag<double>());
    Sums even{zero, zero, zero}, odd = even;
    Index e = 0;
    for (; e + 2 <= entries; e += 2) {
      add<sized>(e, lambda, &even);
      add<sized>(e + 1, lambda, &odd);
    }
    if (e < entries) add<sized>(e, lambda, &even);
    return {hn::NegMulAdd(noise_variance, lambda, hn::Sub(hn::Add(even.value, odd.value), target)),
            hn::Add(hn::Add(even.slope, odd.slope), noise_variance),
            hn::Add(hn::Add(even.size, odd.size), hn::Abs(target))};
  }

  // Newton's method inside a bracket, every lane by itself, until F is small beside what its terms were at
  // first; *error is what remains of it.
  HWY_INLINE V find_root(V* error) const {
    const Tag<double> d;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    V low = hn::Set(d, -infinity), high = hn::Set(d, infinity), lambda = hn::Zero(d);
    Sums at = evaluate<true>(lambda);
    const V enough = hn::Mul(hn::Set(d, 1e-14), at.size);
    M stuck = hn::FirstN(d, 0);
    constexpr int passes = 60;  // five or so are common; what needs more is solved by itself
    for (int pass = 0; pass < passes; ++pass) {
      const M done = hn::Or(stuck, hn::Le(hn::Abs(at.value), enough));
      if (hn::AllTrue(d, done)) break;
      const M positive = hn::Gt(at.value, hn::Zero(d));
      low = hn::IfThenElse(positive, lambda, low);
      high = hn::IfThenElse(positive, high, lambda);
      const V newton = hn::Add(lambda, hn::Div(at.value, at.slope));
      const M inside = hn::And(hn::Gt(newton, low), hn::Lt(newton, high));
      const V middle = hn::MulAdd(hn::Set(d, 0.5), hn::Sub(high, low), low);
      const V next = hn::IfThenElse(inside, newton, middle);
      const M goes_on = hn::And(hn::Gt(next, low), hn::Lt(next, high));
      stuck = hn::Or(stuck, hn::Not(hn::Or(goes_on, done)));
      lambda = hn::IfThenElse(hn::AndNot(done, goes_on), next, lambda);
      at = evaluate<false>(lambda);
    }
    *error = hn::Abs(at.value);
    return lambda;
  }

  // Writes the moved values; returns the size of their terms, which may be smaller than it was.
  template <class L>
  HWY_INLINE V store(L lanes, V lambda, Index stride, double* projected) const {
    V size = hn::Abs(target);
    for (Index e = 0; e < entries; ++e) {
      const V u = clip(e, hn::NegMulAdd(lambda, load(step, e), load(value, e)));
      size = hn::Add(size, hn::Abs(hn::Mul(load(weight, e), u)));
      lanes.store(u, projected + e * stride);
    }
    return size;
  }
};

// The fields' values of one block, beside each other as its other arrays are.
HWY_INLINE void load_block(const BoundedRowsProblem& problem, Index first) {
  const Index count = HWY_MIN(rows_per_block, problem.rows - first);
  const Index entries = problem.entries, stride = problem.field_stride;
  const double* from = problem.value + first;
  double* to = problem.scratch;
  if (count == rows_per_block) {
    for (Index e = 0; e < entries; ++e)
      hwy::CopyBytes<rows_per_block * sizeof(double)>(from + e * stride, to + e * rows_per_block);
    return;
  }
  for (Index e = 0; e < entries; ++e) {
    for (Index j = 0; j < rows_per_block; ++j)
      to[e * rows_per_block + j] = j < count ? from[e * stride + j] : 0;
  }
}

}  // namespace

void solve_rows(const BoundedRowsProblem& p, double* projected, double* multipliers, unsigned char* solved) {
  const Tag<double> d;
  const Index n = hn::Lanes(d);
  for (Index r = 0; r < p.rows; r += n) {
    const Index lane = r % rows_per_block, block = (r - lane) * p.entries + lane;
    if (lane == 0) load_block(p, r);
    const Lanes<double, false> lanes{d, static_cast<std::size_t>(HWY_MIN(n, p.rows - r))};
    const VectorOfRows rows{
        p.entries,       p.scratch + lane, p.step + block,           p.weight + block,
        p.lower + block, p.upper + block,  lanes.load(p.target + r), lanes.load(p.noise_variance + r)};
    V error;
    const V lambda = rows.find_root(&error);
    lanes.store(lambda, multipliers + r);
    const V size = r + n <= p.rows ? rows.store(Lanes<double, true>{}, lambda, p.field_stride, projected + r)
                                   : rows.store(lanes, lambda, p.field_stride, projected + r);
    const M done = hn::Le(error, hn::Mul(hn::Set(d, 1e-14), size));
    HWY_ALIGN double flags[hn::MaxLanes(Tag<double>())];
    hn::Store(hn::IfThenElseZero(done, hn::Set(d, 1.0)), d, flags);
    for (Index j = 0; j < n && r + j < p.rows; ++j) solved[r + j] = flags[j] != 0 ? 1 : 0;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nouq
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nouq {

void solve_bounded_rows(const BoundedRowsProblem& problem, double* projected, double* lambda,
                        unsigned char* solved) {
  NOUQ_CHOOSE(solve_rows)(problem, projected, lambda, solved);
}

}  // namespace nouq
#endif
