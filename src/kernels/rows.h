// Small operations on rows of channels: folding, sums, gathers, products by element; add_rows and
// add_elements are among the public ones.
//
// Contract: row-major, any sizes; sums run over rows in ascending order.
#pragma once

#include <algorithm>
#include <vector>

#include <nouq/array.h>
#include <nouq/kernels.h>

#include "core/buffer.h"

namespace nouq {

// Asks the cache for numbers that will soon be read, or written: what comes from memory unforeseen is waited
// for. Of long arrays for the first alone, or they would drive out each other.
inline constexpr Index fetched_at_once = 1 << 14;
template <class T>
inline void fetch_to_read(const T* values, Index count) {
  for (Index i = 0; i < std::min(count, fetched_at_once); i += static_cast<Index>(cache_line / sizeof(T)))
    __builtin_prefetch(values + i);
}
template <class T>
inline void fetch_to_write(T* values, Index count) {
  for (Index i = 0; i < std::min(count, fetched_at_once); i += static_cast<Index>(cache_line / sizeof(T)))
    __builtin_prefetch(values + i, 1);
}

// Even and odd parts of an axis of `length` points: even(x) = in(x) + in(N-x), odd(x) = in(x) - in(N-x) for 0
// < x < N/2; x = 0 and (N even) x = N/2 have no partner: even(x) = odd(x) = in(x), and the sines it meets
// there are zero. Rows from `points` on count as zero. `even` and `odd` are [N/2 + 1][columns]; `in_stride`
// is the distance of input rows.
template <class T>
void fold(const T* in, Index length, Index points, Index columns, Index in_stride, T* even, T* odd);

// out(i) = a(i) * b(i); out may be a or b
template <class T>
void multiply_elements(const T* a, const T* b, Index count, T* out);

// sum(i) += value(i) - centre(i), squares(i) += (value(i) - centre(i))^2
template <class T>
void add_deviations(const T* value, const T* centre, Index count, T* sum, T* squares);

// Whether all values are finite and none is below `least`.
template <class T>
bool all_finite_from(T least, const T* values, Index count);

// a(i) . b(i) summed over i
template <class T>
T dot(const T* a, const T* b, Index count);

// out(r, j) = a(r) . b(j): every row of a with every row of b, each as dot() sums it. For a few rows of b;
// many are a matrix product (product.h).
template <class T>
void dots(const T* a, Index a_rows, const T* b, Index b_rows, Index count, T* out);

// A sparse real matrix applied to rows: each output row is a weighted sum of input rows. A row is named by
// two numbers and found at major * major_stride + minor * minor_stride, so that one table serves every
// layout.
template <class T>
struct RowTerm {
  std::int32_t major;
  std::int32_t minor;
  T weight;
};
template <class T>
struct RowTable {
  std::vector<RowTerm<T>> out;    // where each output row goes; its weight is not used
  std::vector<Index> first_term;  // one per output row, plus the end
  std::vector<RowTerm<T>> terms;
};
struct RowStrides {
  Index major;
  Index minor;
};
template <class T>
void gather_rows(const RowTable<T>& table, const T* in, RowStrides in_strides, Index columns, T* out,
                 RowStrides out_strides);

}  // namespace nouq
