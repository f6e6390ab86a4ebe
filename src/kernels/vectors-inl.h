// What the vector kernels share: tags, tile sizes, loads and stores of the last, partial vector of a row.
// Included once per target (Highway's convention), so there is no ordinary include guard.
#if defined(NOUQ_KERNELS_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NOUQ_KERNELS_VECTORS_INL_H
#undef NOUQ_KERNELS_VECTORS_INL_H
#else
#define NOUQ_KERNELS_VECTORS_INL_H
#endif

#include <cstddef>

#include <hwy/highway.h>
#include <nouq/array.h>

HWY_BEFORE_NAMESPACE();
namespace nouq {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Accumulators that fit in registers beside the operands: 26 of 32, or 12 of 16.
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr std::size_t accumulators = 26;
#else
inline constexpr std::size_t accumulators = 12;
#endif

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;

// Whether masked loads and stores of floats leave the other lanes' memory alone. Elsewhere (NEON) Highway
// blends whole vectors: a read beyond the array, and a write over what another thread may just have written.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_SCALAR
inline constexpr bool masks_memory = true;
#else
inline constexpr bool masks_memory = false;
#endif

// One column block of a row: `whole` vectors, or the first `rest` lanes of one.
template <class T, bool whole>
struct Lanes {
  Tag<T> tag;
  std::size_t rest = 0;

  HWY_INLINE Vector<T> load(const T* p) const {
    if constexpr (whole) {
      return hn::LoadU(tag, p);
    } else if constexpr (masks_memory) {
      return hn::MaskedLoad(hn::FirstN(tag, rest), tag, p);
    } else {
      HWY_ALIGN T lanes[hn::MaxLanes(Tag<T>())] = {};
      for (std::size_t i = 0; i < rest; ++i) lanes[i] = p[i];
      return hn::Load(tag, lanes);
    }
  }
  HWY_INLINE void store(Vector<T> v, T* p) const {
    if constexpr (whole) {
      hn::StoreU(v, tag, p);
    } else if constexpr (masks_memory) {
      hn::BlendedStore(v, hn::FirstN(tag, rest), tag, p);
    } else {
      HWY_ALIGN T lanes[hn::MaxLanes(Tag<T>())];
      hn::Store(v, tag, lanes);
      for (std::size_t i = 0; i < rest; ++i) p[i] = lanes[i];
    }
  }
};

// Runs `body(lanes, j)` over the columns, whole vectors first, then the rest.
template <class T, class Body>
HWY_INLINE void over_columns(Index columns, const Body& body) {
  const Index n = hn::Lanes(Tag<T>());
  Index j = 0;
  for (; j + n <= columns; j += n) body(Lanes<T, true>{}, j);
  if (j < columns) body(Lanes<T, false>{{}, static_cast<std::size_t>(columns - j)}, j);
}

// The same with pairs of vectors before single ones: runs `body<width>(lanes, j)`, width = 2 or 1.
template <class T, class Body>
HWY_INLINE void over_column_pairs(Index columns, const Body& body) {
  const Index pair = 2 * static_cast<Index>(hn::Lanes(Tag<T>()));
  const Index paired = columns / pair * pair;
  for (Index j = 0; j < paired; j += pair) body.template operator()<2>(Lanes<T, true>{}, j);
  over_columns<T>(columns - paired,
                  [&](auto lanes, Index j) HWY_ATTR { body.template operator()<1>(lanes, paired + j); });
}

// Runs `body<height>(first)` for exactly this height: every one up to the largest has its own code.
template <std::size_t largest, class Body>
HWY_INLINE void with_height(Index height, Index first, const Body& body) {
  if (height == static_cast<Index>(largest)) {
    body.template operator()<largest>(first);
  } else if constexpr (largest > 1) {
    with_height<largest - 1>(height, first, body);
  }
}

// Runs `body<height>(first)` over the rows, in tiles of nearly equal height.
template <std::size_t tallest, class Body>
HWY_INLINE void over_tiles(Index rows, const Body& body) {
  const Index tiles = (rows + static_cast<Index>(tallest) - 1) / static_cast<Index>(tallest);
  if (tiles <= 1) return rows > 0 ? with_height<tallest>(rows, 0, body) : void();
  const Index height = rows / tiles, taller = rows % tiles;
  for (Index tile = 0, first = 0; tile < tiles; ++tile) {
    const Index own = tile < taller ? height + 1 : height;
    with_height<tallest>(own, first, body);
    first += own;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace nouq
HWY_AFTER_NAMESPACE();
#endif
