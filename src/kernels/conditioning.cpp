#include "kernels/conditioning.h"

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conditioning.cpp"
#include <hwy/foreach_target.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nouq {
namespace HWY_NAMESPACE {
namespace {

using V = Vector<double>;

// The two sums of a run whose points share a row.
struct SharedRow {
  const GaussianField& field;
  Index point;
  V *sum, *spread;
  template <class L>
  HWY_ATTR void operator()(L lanes, Index j) const {
    const V w = lanes.load(field.weight + point + j);
    *sum = hn::MulAdd(w, lanes.load(field.mean + point + j), *sum);
    *spread = hn::MulAdd(hn::Mul(w, w), lanes.load(field.variance + point + j), *spread);
  }
};

// Those of a run with a row for every point.
struct OwnRows {
  const GaussianField& field;
  Index point;
  double *sums, *spreads;
  template <class L>
  HWY_ATTR void operator()(L lanes, Index j) const {
    V sum = lanes.load(sums + j), spread = lanes.load(spreads + j);
    SharedRow{field, point, &sum, &spread}(lanes, j);
    lanes.store(sum, sums + j);
    lanes.store(spread, spreads + j);
  }
};

template <bool same_row>
struct Condition {
  const GaussianField& field;
  Index point;
  const double *gain, *inverse;  // of the first point's row
  double *mean, *variance;
  template <class L>
  HWY_ATTR void operator()(L lanes, Index j) const {
    const Index p = point + j;
    const V g = same_row ? hn::Set(lanes.tag, *gain) : lanes.load(gain + j);
    const V i = same_row ? hn::Set(lanes.tag, *inverse) : lanes.load(inverse + j);
    const V before = lanes.load(field.variance + p);
    const V cross = hn::Mul(lanes.load(field.weight + p), before);
    const V after = hn::NegMulAdd(hn::Mul(cross, cross), i, before);
    lanes.store(hn::NegMulAdd(cross, g, lanes.load(field.mean + p)), mean + p);
    lanes.store(hn::Max(hn::Zero(lanes.tag), after), variance + p);
  }
};

}  // namespace

void sum_runs(std::span<const Run> runs, const GaussianField& field, double* sums, double* spreads) {
  const Tag<double> d;
  for (const Run& run : runs) {
    if (run.row < 0) continue;
    if (!run.same_row) {
      over_columns<double>(run.length, OwnRows{field, run.point, sums + run.row, spreads + run.row});
      continue;
    }
    V sum = hn::Zero(d), spread = sum;
    over_columns<double>(run.length, SharedRow{field, run.point, &sum, &spread});
    sums[run.row] += hn::GetLane(hn::SumOfLanes(d, sum));
    spreads[run.row] += hn::GetLane(hn::SumOfLanes(d, spread));
  }
}

void condition_runs(std::span<const Run> runs, const GaussianField& field, const double* gain,
                    const double* inverse, double* mean, double* variance) {
  const double none = 0;
  for (const Run& run : runs) {
    const double *g = run.row < 0 ? &none : gain + run.row, *i = run.row < 0 ? &none : inverse + run.row;
    if (run.same_row)
      over_columns<double>(run.length, Condition<true>{field, run.point, g, i, mean, variance});
    else
      over_columns<double>(run.length, Condition<false>{field, run.point, g, i, mean, variance});
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nouq
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nouq {

void add_row_sums(std::span<const Run> runs, const GaussianField& field, double* sums, double* spreads) {
  NOUQ_CHOOSE(sum_runs)(runs, field, sums, spreads);
}

void condition_on_rows(std::span<const Run> runs, const GaussianField& field, const double* gain,
                       const double* inverse, double* mean, double* variance) {
  NOUQ_CHOOSE(condition_runs)(runs, field, gain, inverse, mean, variance);
}

}  // namespace nouq
#endif
