// The truncated discrete Fourier transform of one axis, in a real basis.
//
//   analyse     C(f) = sum_x cos(2 pi f x / N) u(x),  S(f) = sum_x sin(2 pi f x / N) u(x)
//   synthesise  u(x) = sum_f cos(2 pi f x / N) C(f) + sin(2 pi f x / N) S(f)      (the exact transpose)
//
// Why: a Fourier neural operator keeps a dozen of some hundred frequencies. A product with a small matrix of
// cosines and sines then beats a fast transform by far, works for every length (109 is prime), and its
// transpose, needed for gradients, is as simple. Complex modes of several axes are signed sums of these real
// coefficients (nn/fno/spectral_transform.h). Contract: any length N >= 1, frequencies f = 0 .. frequencies-1
// (f = 0 has no sine), any number of columns; rows of coefficients are ordered C(0), C(1), ..., S(1), S(2),
// ...
#pragma once

#include <vector>

#include <nouq/array.h>

#include "core/buffer.h"

namespace nouq {

template <class T>
class AxisTransform {
 public:
  AxisTransform(Index length, Index frequencies);

  [[nodiscard]] Index length() const { return length_; }
  [[nodiscard]] Index frequencies() const { return frequencies_; }
  [[nodiscard]] Index rows() const { return 2 * frequencies_ - 1; }
  [[nodiscard]] Index cosine_row(Index f) const { return f; }
  [[nodiscard]] Index sine_row(Index f) const { return frequencies_ - 1 + f; }  // f >= 1

  // in: [points][columns], the rows from `points` to N-1 count as zero; out: [rows()][columns].
  // `scratch` holds scratch_size() numbers.
  void analyse(const T* in, Index points, Index columns, T* out, T* scratch) const;
  // in: [rows()][columns]; out: [points][columns], the first `points` <= N rows.
  void synthesise(const T* in, Index points, Index columns, T* out) const;
  // The same, plus bias and h B, times a factor: see kernels/synthesis.h.
  struct Linear {
    const T* h = nullptr;  // [points][depth]
    Index depth = 0;
    const T* b = nullptr;       // [depth][columns]
    const T* bias = nullptr;    // [columns], may be null
    const T* factor = nullptr;  // [points][columns], may be null
  };
  void synthesise_linear(const T* in, Index points, Index columns, const Linear& linear, T* out) const;

  [[nodiscard]] Index scratch_size() const { return 2 * half() * column_block; }

 private:
  // Columns are folded in blocks, so that a block's even and odd parts stay in the first-level cache.
  static constexpr Index column_block = 64;
  [[nodiscard]] Index half() const { return length_ / 2 + 1; }

  Index length_;
  Index frequencies_;
  Buffer<T> cosines_;  // [frequencies][half]
  Buffer<T> sines_;
};

}  // namespace nouq
