#include "kernels/rows.h"

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nouq {
namespace HWY_NAMESPACE {
namespace {

template <class T>
struct FoldRow {
  const T *row, *mirror;
  T *even, *odd;
  template <class L>
  HWY_ATTR void operator()(L lanes, Index j) const {
    const Vector<T> a = row ? lanes.load(row + j) : hn::Zero(lanes.tag);
    const Vector<T> b = mirror ? lanes.load(mirror + j) : hn::Zero(lanes.tag);
    lanes.store(hn::Add(a, b), even + j);
    lanes.store(hn::Sub(a, b), odd + j);
  }
};

// `width` vectors at once do not wait for each other's sums.
template <class T>
struct SumRows {
  const T* in;
  Index rows, columns;
  T* sum;
  template <std::size_t width, class L>
  HWY_ATTR void operator()(L lanes, Index j) const {
    const std::size_t n = hn::Lanes(lanes.tag);
    Vector<T> s[width];
    for (std::size_t v = 0; v < width; ++v) s[v] = hn::Zero(lanes.tag);
    for (Index r = 0; r < rows; ++r) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < width; ++v) s[v] = hn::Add(s[v], lanes.load(in + r * columns + j + v * n));
    }
    for (std::size_t v = 0; v < width; ++v)
      lanes.store(hn::Add(lanes.load(sum + j + v * n), s[v]), sum + j + v * n);
  }
};

template <class T>
struct MultiplyElements {
  const T *a, *b;
  T* out;
  template <class L>
  HWY_ATTR void operator()(L lanes, Index j) const {
    lanes.store(hn::Mul(lanes.load(a + j), lanes.load(b + j)), out + j);
  }
};

template <class T>
struct AddElements {
  const T* a;
  T* out;
  template <class L>
  HWY_ATTR void operator()(L lanes, Index j) const {
    lanes.store(hn::Add(lanes.load(a + j), lanes.load(out + j)), out + j);
  }
};

template <class T>
struct AddDeviations {
  const T *value, *centre;
  T *sum, *squares;
  template <class L>
  HWY_ATTR void operator()(L lanes, Index j) const {
    const Vector<T> deviation = hn::Sub(lanes.load(value + j), lanes.load(centre + j));
    lanes.store(hn::Add(lanes.load(sum + j), deviation), sum + j);
    lanes.store(hn::MulAdd(deviation, deviation, lanes.load(squares + j)), squares + j);
  }
};

// `width` vectors of a row at once: its terms are read once for all of them.
template <class T>
struct GatherRow {
  const RowTerm<T>*first, *last;
  const T* in;
  RowStrides strides;
  T* out;
  template <std::size_t width, class L>
  HWY_ATTR void operator()(L lanes, Index j) const {
    const std::size_t n = hn::Lanes(lanes.tag);
    Vector<T> sum[width];
    for (std::size_t v = 0; v < width; ++v) sum[v] = hn::Zero(lanes.tag);
    for (const RowTerm<T>* term = first; term != last; ++term) {
      const T* row = in + term->major * strides.major + term->minor * strides.minor + j;
      const Vector<T> weight = hn::Set(lanes.tag, term->weight);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < width; ++v) sum[v] = hn::MulAdd(weight, lanes.load(row + v * n), sum[v]);
    }
#pragma GCC unroll 4
    for (std::size_t v = 0; v < width; ++v) lanes.store(sum[v], out + j + v * n);
  }
};

}  // namespace

template <class T>
void fold_rows(const T* in, Index length, Index points, Index columns, Index in_stride, T* even, T* odd) {
  for (Index x = 0; x <= length / 2; ++x) {
    const Index mirror = length - x;
    const bool paired = x > 0 && mirror > x;
    over_columns<T>(columns, FoldRow<T>{x < points ? in + x * in_stride : nullptr,
                                        paired && mirror < points ? in + mirror * in_stride : nullptr,
                                        even + x * columns, odd + x * columns});
  }
}

template <class T>
void sum_rows(const T* in, Index rows, Index columns, T* sum) {
  over_column_pairs<T>(columns, SumRows<T>{in, rows, columns, sum});
}

template <class T>
void multiply_vectors(const T* a, const T* b, Index count, T* out) {
  over_columns<T>(count, MultiplyElements<T>{a, b, out});
}

template <class T>
void add_vectors(const T* a, Index count, T* out) {
  over_columns<T>(count, AddElements<T>{a, out});
}

template <class T>
void add_deviation_vectors(const T* value, const T* centre, Index count, T* sum, T* squares) {
  over_columns<T>(count, AddDeviations<T>{value, centre, sum, squares});
}

// Whether all are finite: x * 0 is 0 for finite x and NaN otherwise, so a sum of them tells; four sums at
// once, since one would wait for itself. NaN beside `least` is found by the sum.
template <class T>
bool check_values(T least, const T* values, Index count) {
  const Tag<T> d;
  const Index n = hn::Lanes(d);
  constexpr Index sums = 4;
  const Vector<T> zero = hn::Zero(d), bound = hn::Set(d, least);
  Vector<T> sum[sums] = {zero, zero, zero, zero}, low[sums] = {bound, bound, bound, bound};
  Index i = 0;
  for (; i + sums * n <= count; i += sums * n) {
    for (Index s = 0; s < sums; ++s) {
      const Vector<T> x = hn::LoadU(d, values + i + s * n);
      sum[s] = hn::MulAdd(x, zero, sum[s]);
      low[s] = hn::Min(low[s], x);
    }
  }
  for (Index s = 1; s < sums; ++s) {
    sum[0] = hn::Add(sum[0], sum[s]);
    low[0] = hn::Min(low[0], low[s]);
  }
  bool good = hn::AllTrue(d, hn::And(hn::Eq(sum[0], zero), hn::Eq(low[0], bound)));
  for (; i < count; ++i) good = good && values[i] * T(0) == T(0) && values[i] >= least;
  return good;
}

// out(j) = a . b(j) for a few rows of b at once, which share the loads of a and do not wait for each other;
// each is summed in the same way, however many there are.
template <std::size_t rows, class T>
HWY_INLINE void dot_rows(const T* a, const T* b, Index count, T* out) {
  const Tag<T> d;
  const Index n = hn::Lanes(d);
  Vector<T> even[rows], odd[rows];
  for (std::size_t j = 0; j < rows; ++j) even[j] = odd[j] = hn::Zero(d);
  Index i = 0;
  for (; i + 2 * n <= count; i += 2 * n) {
    const Vector<T> first = hn::LoadU(d, a + i), second = hn::LoadU(d, a + i + n);
    for (std::size_t j = 0; j < rows; ++j) {
      const T* own = b + static_cast<Index>(j) * count + i;
      even[j] = hn::MulAdd(first, hn::LoadU(d, own), even[j]);
      odd[j] = hn::MulAdd(second, hn::LoadU(d, own + n), odd[j]);
    }
  }
  for (; i < count; i += n) {
    const Lanes<T, false> lanes{d, static_cast<std::size_t>(count - i < n ? count - i : n)};
    for (std::size_t j = 0; j < rows; ++j)
      even[j] = hn::MulAdd(lanes.load(a + i), lanes.load(b + static_cast<Index>(j) * count + i), even[j]);
  }
  for (std::size_t j = 0; j < rows; ++j) out[j] = hn::GetLane(hn::SumOfLanes(d, hn::Add(even[j], odd[j])));
}

template <class T>
T dot_vectors(const T* a, const T* b, Index count) {
  T out;
  dot_rows<1>(a, b, count, &out);
  return out;
}

template <class T>
void dot_all(const T* a, Index a_rows, const T* b, Index b_rows, Index count, T* out) {
  for (Index r = 0; r < a_rows; ++r, a += count, out += b_rows) {
    Index j = 0;
    for (; j + 2 <= b_rows; j += 2) dot_rows<2>(a, b + j * count, count, out + j);
    if (j < b_rows) dot_rows<1>(a, b + j * count, count, out + j);
  }
}

template <class T>
void gather_row_terms(const RowTable<T>& table, const T* in, RowStrides in_strides, Index columns, T* out,
                      RowStrides out_strides) {
  const RowTerm<T>* terms = table.terms.data();
  const auto place = [&](std::size_t r) {
    return out + table.out[r].major * out_strides.major + table.out[r].minor * out_strides.minor;
  };
  // Rows lie far apart, in no order the processor could foresee: they are asked for some rows ahead.
  constexpr std::size_t ahead = 8;
  for (std::size_t r = 0; r < table.out.size(); ++r) {
    if (r + ahead < table.out.size()) {
      T* row_ahead = place(r + ahead);
      for (Index j = 0; j < columns; j += static_cast<Index>(64 / sizeof(T)))
        __builtin_prefetch(row_ahead + j, 1);
      for (Index t = table.first_term[r + ahead]; t < table.first_term[r + ahead + 1]; ++t) {
        const T* row = in + terms[t].major * in_strides.major + terms[t].minor * in_strides.minor;
        for (Index j = 0; j < columns; j += static_cast<Index>(64 / sizeof(T))) __builtin_prefetch(row + j);
      }
    }
    over_column_pairs<T>(columns, GatherRow<T>{terms + table.first_term[r], terms + table.first_term[r + 1],
                                               in, in_strides, place(r)});
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nouq
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nouq {

template <class T>
void fold(const T* in, Index length, Index points, Index columns, Index in_stride, T* even, T* odd) {
  NOUQ_CHOOSE(template fold_rows<T>)(in, length, points, columns, in_stride, even, odd);
}
template <class T>
void add_rows(const T* in, Index rows, Index columns, T* sum) {
  NOUQ_CHOOSE(template sum_rows<T>)(in, rows, columns, sum);
}
template <class T>
void multiply_elements(const T* a, const T* b, Index count, T* out) {
  NOUQ_CHOOSE(template multiply_vectors<T>)(a, b, count, out);
}
template <class T>
void add_elements(const T* a, Index count, T* out) {
  NOUQ_CHOOSE(template add_vectors<T>)(a, count, out);
}
template <class T>
void add_deviations(const T* value, const T* centre, Index count, T* sum, T* squares) {
  NOUQ_CHOOSE(template add_deviation_vectors<T>)(value, centre, count, sum, squares);
}
template <class T>
bool all_finite_from(T least, const T* values, Index count) {
  return NOUQ_CHOOSE(template check_values<T>)(least, values, count);
}
template <class T>
T dot(const T* a, const T* b, Index count) {
  return NOUQ_CHOOSE(template dot_vectors<T>)(a, b, count);
}
template <class T>
void dots(const T* a, Index a_rows, const T* b, Index b_rows, Index count, T* out) {
  NOUQ_CHOOSE(template dot_all<T>)(a, a_rows, b, b_rows, count, out);
}
template <class T>
void gather_rows(const RowTable<T>& table, const T* in, RowStrides in_strides, Index columns, T* out,
                 RowStrides out_strides) {
  NOUQ_CHOOSE(template gather_row_terms<T>)(table, in, in_strides, columns, out, out_strides);
}

#define NOUQ_INSTANTIATE(T)                                         \
  template void fold(const T*, Index, Index, Index, Index, T*, T*); \
  template void add_rows(const T*, Index, Index, T*);               \
  template void multiply_elements(const T*, const T*, Index, T*);   \
  template void add_elements(const T*, Index, T*);                  \
  template void add_deviations(const T*, const T*, Index, T*, T*);  \
  template bool all_finite_from(T, const T*, Index);                \
  template T dot(const T*, const T*, Index);                        \
  template void dots(const T*, Index, const T*, Index, Index, T*);  \
  template void gather_rows(const RowTable<T>&, const T*, RowStrides, Index, T*, RowStrides);
NOUQ_INSTANTIATE(float)
NOUQ_INSTANTIATE(double)
#undef NOUQ_INSTANTIATE

}  // namespace nouq
#endif
