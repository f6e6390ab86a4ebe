#include <nouq/kernels.h>

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/product.cpp"
#include <hwy/foreach_target.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nouq {
namespace HWY_NAMESPACE {
namespace {

// A tile of `height` rows and `width` vectors of C, from column j on.
template <std::size_t height, std::size_t width, bool whole, class T>
HWY_NOINLINE void product_tile(const Product<T>& p, Index i, Index j, Lanes<T, whole> lanes) {
  const std::size_t n = hn::Lanes(lanes.tag);
  Vector<T> sum[height][width];
#pragma GCC unroll 4
  for (std::size_t v = 0; v < width; ++v) {
    const Vector<T> start = p.bias ? lanes.load(p.bias + j + v * n) : hn::Zero(lanes.tag);
#pragma GCC unroll 32
    for (std::size_t r = 0; r < height; ++r) sum[r][v] = start;
  }
  const T* HWY_RESTRICT a = p.a + i * p.a_row_stride;
  const T* HWY_RESTRICT b = p.b + j;
  const Index row_stride = p.a_row_stride;
  for (Index k = 0; k < p.depth; ++k) {
    Vector<T> row[width];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < width; ++v) row[v] = lanes.load(b + v * n);
#pragma GCC unroll 32
    for (std::size_t r = 0; r < height; ++r) {
      const Vector<T> factor = hn::Set(lanes.tag, a[static_cast<Index>(r) * row_stride]);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < width; ++v) sum[r][v] = hn::MulAdd(factor, row[v], sum[r][v]);
    }
    a += p.a_depth_stride;
    b += p.b_stride;
  }
  // What concerns the whole tile is asked once, not of each of its vectors.
  const auto over_tile = [&](auto&& each) HWY_ATTR {
    Index place = i * p.c_stride + j;
#pragma GCC unroll 32
    for (std::size_t r = 0; r < height; ++r, place += p.c_stride) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < width; ++v) each(sum[r][v], place + static_cast<Index>(v * n));
    }
  };
  if (p.factor) {
    over_tile([&](Vector<T>& s, Index place) HWY_ATTR { s = hn::Mul(s, lanes.load(p.factor + place)); });
  }
  if (p.accumulate) {
    over_tile([&](Vector<T>& s, Index place) HWY_ATTR { s = hn::Add(s, lanes.load(p.c + place)); });
  }
  over_tile([&](const Vector<T>& s, Index place) HWY_ATTR { lanes.store(s, p.c + place); });
}

// Tiles of a single vector's width end at 16 rows: every height is code of its own.
template <std::size_t width>
inline constexpr std::size_t tallest_product = accumulators / width < 16 ? accumulators / width : 16;

template <class T>
void multiply_all(const Product<T>& p) {
  over_column_pairs<T>(p.columns, [&]<std::size_t width>(auto lanes, Index j) HWY_ATTR {
    const auto tile = [&]<std::size_t height>(Index i)
                          HWY_ATTR { product_tile<height, width>(p, i, j, lanes); };
    over_tiles<tallest_product<width>>(p.rows, tile);
  });
}

}  // namespace

void multiply_float(const Product<float>& product) { multiply_all(product); }
void multiply_double(const Product<double>& product) { multiply_all(product); }

}  // namespace HWY_NAMESPACE
}  // namespace nouq
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nouq {

void multiply(const Product<float>& product) { NOUQ_CHOOSE(multiply_float)(product); }
void multiply(const Product<double>& product) { NOUQ_CHOOSE(multiply_double)(product); }

}  // namespace nouq
#endif
