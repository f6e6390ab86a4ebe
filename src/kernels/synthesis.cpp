#include "kernels/synthesis.h"

#include <algorithm>

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/synthesis.cpp"
#include <hwy/foreach_target.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nouq {
namespace HWY_NAMESPACE {
namespace {

template <std::size_t width, bool whole, class T>
HWY_INLINE void store_row(const Synthesis<T>& s, Index row, Index j, Lanes<T, whole> lanes,
                          const Vector<T>* sums) {
  const std::size_t n = hn::Lanes(lanes.tag);
  const Index place = row * s.columns + j;
#pragma GCC unroll 4
  for (std::size_t v = 0; v < width; ++v) {
    const Index at = place + static_cast<Index>(v * n);
    lanes.store(s.factor ? hn::Mul(sums[v], lanes.load(s.factor + at)) : sums[v], s.out + at);
  }
}

// Rows x .. x+height-1 together with their mirror images N-x, N-x-1, ...: sum[0] holds the even (cosine) part
// and sum[1] the odd (sine) part of each row; their sum and difference then collect the linear layer of the
// two rows.
template <std::size_t height, std::size_t width, bool whole, class T>
HWY_NOINLINE void synthesis_tile(const Synthesis<T>& s, Index x, Index j, Lanes<T, whole> lanes) {
  const std::size_t n = hn::Lanes(lanes.tag);
  const Index half = s.length / 2 + 1;
  Vector<T> even[height][width];
  Vector<T> odd[height][width];

  const T* HWY_RESTRICT c = s.coefficients + j;
#pragma GCC unroll 4
  for (std::size_t v = 0; v < width; ++v) {
    const Vector<T> constant = lanes.load(c + v * n);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < height; ++r) {
      even[r][v] = hn::Mul(hn::Set(lanes.tag, s.cosines[x + static_cast<Index>(r)]), constant);
      odd[r][v] = hn::Zero(lanes.tag);
    }
  }
  const T* HWY_RESTRICT sine_rows = c + (s.frequencies - 1) * s.columns;
  const T* HWY_RESTRICT cosine = s.cosines + x;
  const T* HWY_RESTRICT sine = s.sines + x;
  for (Index f = 1; f < s.frequencies; ++f) {
    c += s.columns;
    sine_rows += s.columns;
    cosine += half;
    sine += half;
    Vector<T> cosine_row[width];
    Vector<T> sine_row[width];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < width; ++v) {
      cosine_row[v] = lanes.load(c + v * n);
      sine_row[v] = lanes.load(sine_rows + v * n);
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < height; ++r) {
      const Vector<T> cosine_factor = hn::Set(lanes.tag, cosine[r]);
      const Vector<T> sine_factor = hn::Set(lanes.tag, sine[r]);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < width; ++v) {
        even[r][v] = hn::MulAdd(cosine_factor, cosine_row[v], even[r][v]);
        odd[r][v] = hn::MulAdd(sine_factor, sine_row[v], odd[r][v]);
      }
    }
  }

#pragma GCC unroll 4
  for (std::size_t v = 0; v < width; ++v) {
    const Vector<T> bias = s.bias ? lanes.load(s.bias + j + v * n) : hn::Zero(lanes.tag);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < height; ++r) {
      const Vector<T> e = hn::Add(even[r][v], bias);
      even[r][v] = hn::Add(e, odd[r][v]);  // now the row x + r
      odd[r][v] = hn::Sub(e, odd[r][v]);   // now the row N - x - r
    }
  }

  // A mirror row that is not wanted (beyond `points`, or x = 0 whose mirror is itself) repeats a wanted row
  // instead.
  const Index last = s.points - 1;
  const T* HWY_RESTRICT h = s.depth > 0 ? s.h + x * s.depth : nullptr;
  const T* HWY_RESTRICT b = s.depth > 0 ? s.b + j : nullptr;
  const T* mirror[height];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < height; ++r) {
    mirror[r] = s.depth > 0 ? s.h + std::min(last, s.length - x - static_cast<Index>(r)) * s.depth : nullptr;
  }
  for (Index i = 0; i < s.depth; ++i) {
    Vector<T> row[width];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < width; ++v) row[v] = lanes.load(b + v * n);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < height; ++r) {
      const Vector<T> factor = hn::Set(lanes.tag, h[static_cast<Index>(r) * s.depth + i]);
      const Vector<T> mirror_factor = hn::Set(lanes.tag, mirror[r][i]);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < width; ++v) {
        even[r][v] = hn::MulAdd(factor, row[v], even[r][v]);
        odd[r][v] = hn::MulAdd(mirror_factor, row[v], odd[r][v]);
      }
    }
    b += s.columns;
  }

#pragma GCC unroll 16
  for (std::size_t r = 0; r < height; ++r) {
    const Index row = x + static_cast<Index>(r);
    const Index mirrored = s.length - row;
    store_row<width>(s, row, j, lanes, even[r]);
    if (mirrored < s.points && mirrored > row) store_row<width>(s, mirrored, j, lanes, odd[r]);
  }
}

template <class T>
void synthesise_all(const Synthesis<T>& s) {
  const Index rows = std::min(s.points, s.length / 2 + 1);
  over_column_pairs<T>(s.columns, [&]<std::size_t width>(auto lanes, Index j) HWY_ATTR {
    const auto tile = [&]<std::size_t height>(Index x)
                          HWY_ATTR { synthesis_tile<height, width>(s, x, j, lanes); };
    over_tiles<accumulators / (2 * width)>(rows, tile);
  });
}

}  // namespace

void synthesise_float(const Synthesis<float>& synthesis) { synthesise_all(synthesis); }
void synthesise_double(const Synthesis<double>& synthesis) { synthesise_all(synthesis); }

}  // namespace HWY_NAMESPACE
}  // namespace nouq
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nouq {

void synthesise(const Synthesis<float>& synthesis) { NOUQ_CHOOSE(synthesise_float)(synthesis); }
void synthesise(const Synthesis<double>& synthesis) { NOUQ_CHOOSE(synthesise_double)(synthesis); }

}  // namespace nouq
#endif
