#include "kernels/synthesis.h"

#include <algorithm>

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/synthesis.cpp"
#include <hwy/cache_control.h>
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

// Asks the cache, while a tile is being summed, for the rows of the next one: those that go up and their
// mirror images, which go down. Why: the processor foresees one direction but not the two together, and a
// field that came from memory took up to 1.7 times as long as one in the cache. After the last tile it is the
// first of the slice behind. Nothing may be there: asking does no harm, but a pointer there would, so places
// are numbers.
template <class T>
class NextRows {
 public:
  // Rows of `columns` numbers; `x` and `height` are the next tile's, `rows` is where tiles end; `share` of a
  // row is asked for in a step.
  HWY_INLINE NextRows(const T* field, const Synthesis<T>& s, Index columns, Index share, Index x,
                      Index height, Index rows) {
    const auto base = reinterpret_cast<Index>(field);
    const Index row = columns * static_cast<Index>(sizeof(T));
    const Index slice = x < rows ? base : base + s.length * row;
    const Index first = x < rows ? x : 0;
    rising_ = slice + first * row;
    falling_ = slice + (s.length - first - height) * row;
    step_ = height * share;
  }
  // At step i of s.depth: as large a part of the rows as has been summed of the tile.
  HWY_INLINE void ask(Index i) const {
    for (const Index place : {rising_, falling_})
      __builtin_prefetch(
          reinterpret_cast<const char*>(place + i * step_));  // NOLINT(performance-no-int-to-ptr)
  }

 private:
  Index rising_, falling_, step_;  // bytes
};

// Rows x .. x+height-1 together with their mirror images N-x, N-x-1, ...: sum[0] holds the even (cosine) part
// and sum[1] the odd (sine) part of each row; their sum and difference then collect the linear layer of the
// two rows.
template <std::size_t height, std::size_t width, bool whole, class T>
HWY_NOINLINE void synthesis_tile(const Synthesis<T>& s, Index share, Index x, Index rows, Index j,
                                 Lanes<T, whole> lanes) {
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
  const Index next = x + static_cast<Index>(height);
  const NextRows<T> next_h(s.h, s, s.depth, sizeof(T), next, height, rows);
  // Without a factor, h is asked for twice: cheaper than a question in the loop.
  const NextRows<T> next_factor(s.factor ? s.factor : s.h, s, s.columns, share, next, height, rows);
  for (Index i = 0; i < s.depth; ++i) {
    next_h.ask(i);
    next_factor.ask(i);
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
  const Index share = s.columns * static_cast<Index>(sizeof(T)) / std::max<Index>(1, s.depth);
  over_column_pairs<T>(s.columns, [&]<std::size_t width>(auto lanes, Index j) HWY_ATTR {
    const auto tile = [&]<std::size_t height>(Index x)
                          HWY_ATTR { synthesis_tile<height, width>(s, share, x, rows, j, lanes); };
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
