// The loops that networks are made of, vectorised for the processor at hand: for trunks of your own
// (<nouq/architecture.h>).
//
// Contract: T is float or double. Row-major, any sizes, zero included. Every sum runs in ascending order of
// its index, so results do not depend on tiling or threads. Nothing is allocated.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nouq/array.h>
#include <nouq/export.h>

namespace nouq {

// The real matrix product all layers are made of: C = A B, C += A B, C = bias + A B, or C = factor * (A B) by
// element. A may be walked in any order through its two strides, so a transposed A costs nothing. General
// BLAS calls lose a factor of two on matrices this small; here a tile of C stays in registers while A is
// broadcast and B is read as rows of channels.
template <class T>
struct Product {
  Index rows = 0;     // of C and A
  Index columns = 0;  // of C and B
  Index depth = 0;    // the summed index k
  const T* a = nullptr;
  Index a_row_stride = 0;  // A(i, k) = a[i * a_row_stride + k * a_depth_stride]
  Index a_depth_stride = 1;
  const T* b = nullptr;
  Index b_stride = 0;  // B(k, j) = b[k * b_stride + j]
  T* c = nullptr;
  Index c_stride = 0;
  const T* bias = nullptr;    // one row added to every row of C; may be null
  bool accumulate = false;    // add to C instead of replacing it
  const T* factor = nullptr;  // multiplies each element of C, in C's own layout; may be null
};
NOUQ_API void multiply(const Product<float>& product);
NOUQ_API void multiply(const Product<double>& product);

// gelu(z) = z Phi(z) with the normal distribution function Phi, in its exact form, and its derivative:
// float32 within 1e-6 of the exact value for every finite z (double: to rounding). NaN stays NaN, and an
// infinity gives no finite number. `value` may be `z` itself. The derivative costs next to nothing once the
// value is there: both come from one exponential.
template <class T>
NOUQ_API void gelu(const T* z, Index count, T* value);
template <class T>
NOUQ_API void gelu_with_derivative(const T* z, Index count, T* value, T* derivative);

// sum(j) += sum over rows of in(row, j)
template <class T>
NOUQ_API void add_rows(const T* in, Index rows, Index columns, T* sum);
// out(i) += a(i)
template <class T>
NOUQ_API void add_elements(const T* a, Index count, T* out);

// A spectral convolution along one axis of a field: keep the lowest modes of every line along the axis,
// multiply the channels of each mode by its own complex matrix, go back. Forward and adjoint.
//
// With C(f) = sum_x cos(2 pi f x / N) h(x), S(f) = sum_x sin(2 pi f x / N) h(x), the matrix R(f) = A + i B
// and w(f) = (1 at frequency zero and at an even axis' Nyquist frequency, else 2) / N:
//
//   C'(f) = w (C A + S B)      S'(f) = w (S A - C B)      out(x) = sum_f cos C'(f) + sin S'(f)
//
// Fields are [lengths.back()]...[lengths[0]][channel], padding included. A weight is [modes][2][in][out], A
// then B. prepare() before the first pass and whenever the weights have changed; the passes may then be
// called from many threads, each with its own scratch.
template <class T>
class NOUQ_API AxisConvolution {
 public:
  AxisConvolution(const Shape& lengths, std::size_t axis, Index modes, Index width);
  ~AxisConvolution();
  AxisConvolution(AxisConvolution&&) noexcept;
  AxisConvolution& operator=(AxisConvolution&&) noexcept;
  AxisConvolution(const AxisConvolution&) = delete;
  AxisConvolution& operator=(const AxisConvolution&) = delete;

  [[nodiscard]] Index weight_size() const;
  [[nodiscard]] Index coefficient_size() const;
  [[nodiscard]] Index scratch_size() const;

  void prepare(const T* weight);
  // Writes the coefficients of `field`, which backward() asks for again; adds the convolution to `out`.
  void forward(const T* field, T* coefficients, T* out, T* scratch) const;
  // From the gradient of `out`: adds that of `field` and that of the weight.
  void backward(const T* out_gradient, const T* coefficients, T* field_gradient, T* weight_gradient,
                T* scratch) const;

 private:
  class Lines;
  std::unique_ptr<Lines> lines_;
};

// Calls action(i) for i = 0 .. count-1 from at most `threads` threads, in no particular order; returns when
// all are done. Of several errors the one of the lowest index is thrown. An action finds memory of its own by
// worker_index(), 0 .. threads-1.
NOUQ_API void for_each_index(int threads, Index count, const std::function<void(Index)>& action);
NOUQ_API int worker_index();

// The instruction set that the loops run on, chosen from what this processor can do: "avx512", "avx2" or
// "portable".
NOUQ_API std::string kernel_target();

}  // namespace nouq
