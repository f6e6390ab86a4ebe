#include "kernels/mixing.h"

#include "kernels/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mixing.cpp"
#include <hwy/foreach_target.h>

#include "kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace nouq {
namespace HWY_NAMESPACE {
namespace {

enum class Conjugate { none, left, right };

// C = A B with complex numbers; the imaginary parts of A and of the rows of B and C lie a fixed distance
// behind the real ones.
template <class T>
struct ComplexProduct {
  Index rows, columns, depth;
  const T* a;
  Index a_row_stride, a_depth_stride, a_imaginary;
  const T* b;  // rows of 2 * columns numbers
  T* c;        // rows of 2 * columns numbers
};

template <Conjugate conjugate, std::size_t height, bool whole, class T>
HWY_NOINLINE void complex_tile(const ComplexProduct<T>& p, Index i, Index j, Lanes<T, whole> lanes) {
  // Products with the real and with the imaginary part of A are summed apart: independent chains, combined at
  // the end.
  Vector<T> real[height][2];
  Vector<T> imaginary[height][2];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < height; ++r) {
    real[r][0] = real[r][1] = imaginary[r][0] = imaginary[r][1] = hn::Zero(lanes.tag);
  }
  const T* HWY_RESTRICT a = p.a + i * p.a_row_stride;
  const T* HWY_RESTRICT b = p.b + j;
  T* HWY_RESTRICT c = p.c + i * 2 * p.columns + j;
  // The rows of C come from memory: asked for now, they are there when the sums are.
#pragma GCC unroll 16
  for (std::size_t r = 0; r < height; ++r) {
    __builtin_prefetch(c + static_cast<Index>(r) * 2 * p.columns, 1);
    __builtin_prefetch(c + static_cast<Index>(r) * 2 * p.columns + p.columns, 1);
  }
  for (Index k = 0; k < p.depth; ++k) {
    const Vector<T> b_real = lanes.load(b);
    const Vector<T> b_imaginary = lanes.load(b + p.columns);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < height; ++r) {
      const T* element = a + static_cast<Index>(r) * p.a_row_stride;
      const Vector<T> a_real = hn::Set(lanes.tag, element[0]);
      const Vector<T> a_imaginary = hn::Set(lanes.tag, element[p.a_imaginary]);
      real[r][0] = hn::MulAdd(a_real, b_real, real[r][0]);
      real[r][1] = hn::MulAdd(a_imaginary, b_imaginary, real[r][1]);
      imaginary[r][0] = hn::MulAdd(a_real, b_imaginary, imaginary[r][0]);
      imaginary[r][1] = hn::MulAdd(a_imaginary, b_real, imaginary[r][1]);
    }
    a += p.a_depth_stride;
    b += 2 * p.columns;
  }
#pragma GCC unroll 16
  for (std::size_t r = 0; r < height; ++r, c += 2 * p.columns) {
    Vector<T> re, im;
    if constexpr (conjugate == Conjugate::none) {
      re = hn::Sub(real[r][0], real[r][1]);
      im = hn::Add(imaginary[r][0], imaginary[r][1]);
    } else {
      re = hn::Add(real[r][0], real[r][1]);
      im = conjugate == Conjugate::left ? hn::Sub(imaginary[r][0], imaginary[r][1])
                                        : hn::Sub(imaginary[r][1], imaginary[r][0]);
    }
    lanes.store(re, c);
    lanes.store(im, c + p.columns);
  }
}

template <Conjugate conjugate, class T>
void complex_multiply(const ComplexProduct<T>& p) {
  over_columns<T>(p.columns, [&](auto lanes, Index j) HWY_ATTR {
    const auto tile = [&]<std::size_t height>(Index i)
                          HWY_ATTR { complex_tile<conjugate, height>(p, i, j, lanes); };
    over_tiles<accumulators / 4>(p.rows, tile);
  });
}

}  // namespace

template <class T>
void mix_forward(const Mixing<T>& s, const T* coefficients, const T* weight, T* mixed) {
  complex_multiply<Conjugate::none>(ComplexProduct<T>{s.batch, s.outputs, s.inputs, coefficients,
                                                      2 * s.inputs, 1, s.inputs, weight, mixed});
}

namespace {

// A square block, as many rows as a vector of 128 bits has lanes: all targets but the scalar one have those.
#if HWY_TARGET == HWY_SCALAR
template <class T>
inline constexpr Index block_side = 1;

template <class T>
void transpose_block(const T* from, Index, T* to, Index) {
  *to = *from;
}
#else
template <class T>
inline constexpr Index block_side = 16 / sizeof(T);
template <class T>
using Block = hn::FixedTag<T, 16 / sizeof(T)>;

HWY_INLINE void transpose_block(const float* HWY_RESTRICT from, Index stride, float* HWY_RESTRICT to,
                                Index to_stride) {
  const Block<float> d;
  const auto r0 = hn::LoadU(d, from), r1 = hn::LoadU(d, from + stride);
  const auto r2 = hn::LoadU(d, from + 2 * stride), r3 = hn::LoadU(d, from + 3 * stride);
  const auto even = hn::InterleaveLower(d, r0, r2), odd = hn::InterleaveLower(d, r1, r3);
  const auto even_end = hn::InterleaveUpper(d, r0, r2), odd_end = hn::InterleaveUpper(d, r1, r3);
  hn::StoreU(hn::InterleaveLower(d, even, odd), d, to);
  hn::StoreU(hn::InterleaveUpper(d, even, odd), d, to + to_stride);
  hn::StoreU(hn::InterleaveLower(d, even_end, odd_end), d, to + 2 * to_stride);
  hn::StoreU(hn::InterleaveUpper(d, even_end, odd_end), d, to + 3 * to_stride);
}

HWY_INLINE void transpose_block(const double* HWY_RESTRICT from, Index stride, double* HWY_RESTRICT to,
                                Index to_stride) {
  const Block<double> d;
  const auto r0 = hn::LoadU(d, from), r1 = hn::LoadU(d, from + stride);
  hn::StoreU(hn::InterleaveLower(d, r0, r1), d, to);
  hn::StoreU(hn::InterleaveUpper(d, r0, r1), d, to + to_stride);
}
#endif

// [in][2][out] to [out][2][in], by blocks; what is left at the edges number by number. Columns of 16 numbers,
// a cache line of floats, are written whole.
template <class T>
void transpose_parts(const Mixing<T>& s, const T* HWY_RESTRICT weight, T* HWY_RESTRICT transposed) {
  constexpr Index side = block_side<T>, line = 16;
  const Index from_stride = 2 * s.outputs, to_stride = 2 * s.inputs;
  const Index blocked_in = s.inputs / side * side, blocked_out = s.outputs / side * side;
  for (Index part = 0; part < 2; ++part) {
    const T* HWY_RESTRICT from = weight + part * s.outputs;
    T* HWY_RESTRICT to = transposed + part * s.inputs;
    for (Index i0 = 0; i0 < blocked_in; i0 += line) {
      const Index i1 = i0 + line < blocked_in ? i0 + line : blocked_in;
      for (Index o = 0; o < blocked_out; o += side) {
        for (Index i = i0; i < i1; i += side)
          transpose_block(from + i * from_stride + o, from_stride, to + o * to_stride + i, to_stride);
      }
    }
    for (Index i = 0; i < s.inputs; ++i) {
      for (Index o = i < blocked_in ? blocked_out : 0; o < s.outputs; ++o)
        to[o * to_stride + i] = from[i * from_stride + o];
    }
  }
}

}  // namespace

template <class T>
void mix_to_input(const Mixing<T>& s, const T* mixed_gradient, const T* weight, T* transposed, T* gradient) {
  transpose_parts(s, weight, transposed);
  complex_multiply<Conjugate::right>(ComplexProduct<T>{s.batch, s.inputs, s.outputs, mixed_gradient,
                                                       2 * s.outputs, 1, s.outputs, transposed, gradient});
}

template <class T>
void mix_to_weight(const Mixing<T>& s, const T* coefficients, const T* mixed_gradient, T* weight_gradient) {
  complex_multiply<Conjugate::left>(ComplexProduct<T>{s.inputs, s.outputs, s.batch, coefficients, 1,
                                                      2 * s.inputs, s.inputs, mixed_gradient,
                                                      weight_gradient});
}

}  // namespace HWY_NAMESPACE
}  // namespace nouq
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nouq {

template <class T>
void mix(const Mixing<T>& sizes, const T* coefficients, const T* weight, T* mixed) {
  NOUQ_CHOOSE(template mix_forward<T>)(sizes, coefficients, weight, mixed);
}
template <class T>
void mix_adjoint_input(const Mixing<T>& sizes, const T* mixed_gradient, const T* weight, T* transposed,
                       T* gradient) {
  NOUQ_CHOOSE(template mix_to_input<T>)(sizes, mixed_gradient, weight, transposed, gradient);
}
template <class T>
void mix_adjoint_weight(const Mixing<T>& sizes, const T* coefficients, const T* mixed_gradient,
                        T* weight_gradient) {
  NOUQ_CHOOSE(template mix_to_weight<T>)(sizes, coefficients, mixed_gradient, weight_gradient);
}

template void mix(const Mixing<float>&, const float*, const float*, float*);
template void mix(const Mixing<double>&, const double*, const double*, double*);
template void mix_adjoint_input(const Mixing<float>&, const float*, const float*, float*, float*);
template void mix_adjoint_input(const Mixing<double>&, const double*, const double*, double*, double*);
template void mix_adjoint_weight(const Mixing<float>&, const float*, const float*, float*);
template void mix_adjoint_weight(const Mixing<double>&, const double*, const double*, double*);

}  // namespace nouq
#endif
