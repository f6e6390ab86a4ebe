#include "kernels/product.h"

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
  T* HWY_RESTRICT c = p.c + i * p.c_stride + j;
#pragma GCC unroll 32
  for (std::size_t r = 0; r < height; ++r, c += p.c_stride) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < width; ++v) {
      if (p.factor) sum[r][v] = hn::Mul(sum[r][v], lanes.load(p.factor + (c - p.c) + v * n));
      if (p.accumulate) sum[r][v] = hn::Add(sum[r][v], lanes.load(c + v * n));
      lanes.store(sum[r][v], c + v * n);
    }
  }
}

// Calls the tile of exactly `rows` rows: every height up to the largest has its own code.
template <std::size_t height, std::size_t width, bool whole, class T>
void product_rows(const Product<T>& p, Index rows, Index i, Index j, Lanes<T, whole> lanes) {
  if (rows == static_cast<Index>(height)) {
    product_tile<height, width, whole>(p, i, j, lanes);
  } else if constexpr (height > 1) {
    product_rows<height - 1, width, whole>(p, rows, i, j, lanes);
  }
}

// All rows of one column block, in tiles of nearly equal height.
template <std::size_t width, bool whole, class T>
void product_panel(const Product<T>& p, Index j, Lanes<T, whole> lanes) {
  constexpr Index tallest = std::size_t{accumulators} / width < 16 ? accumulators / width : 16;
  const Index tiles = (p.rows + tallest - 1) / tallest;
  for (Index tile = 0; tile < tiles; ++tile) {
    const Index first = p.rows * tile / tiles;
    const Index last = p.rows * (tile + 1) / tiles;
    product_rows<tallest, width, whole>(p, last - first, first, j, lanes);
  }
}

template <class T>
void multiply_all(const Product<T>& p) {
  const Index n = static_cast<Index>(hn::Lanes(Tag<T>()));
  Index j = 0;
  for (; j + 2 * n <= p.columns; j += 2 * n) product_panel<2>(p, j, Lanes<T, true>{});
  for (; j + n <= p.columns; j += n) product_panel<1>(p, j, Lanes<T, true>{});
  if (j < p.columns) product_panel<1>(p, j, Lanes<T, false>{{}, static_cast<std::size_t>(p.columns - j)});
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
