// A spectral convolution along one axis of a field: keep the lowest modes of every line along the axis,
// multiply the channels of each mode by its own complex matrix, go back. Forward and adjoint.
//
// With the real coefficients C(f), S(f) of a line (kernels/axis_transform.h), the matrix R(f) = A + i B and
// w(f) = (1 at frequency zero and at an even axis' Nyquist frequency, else 2) / length:
//
//   C'(f) = w (C A + S B)      S'(f) = w (S A - C B)      out(x) = sum_f cos C'(f) + sin S'(f)
//
// Why beside SpectralTransform: one axis needs no complex modes over the whole batch, so a sample is worked
// through alone and its lines stay in cache; the weights are modes * width^2, not their product over axes.
// Contract: fields are [lengths.back()]...[lengths[0]][channel], padding included. A weight is
// [modes][2][in][out], A then B. prepare() before the first pass and whenever the weights have changed; the
// passes may then be called from many threads, each with its own scratch.
#pragma once

#include "core/buffer.h"
#include "kernels/axis_transform.h"

namespace nouq {

template <class T>
class AxisConvolution {
 public:
  AxisConvolution(const Shape& lengths, std::size_t axis, Index modes, Index width);

  [[nodiscard]] Index weight_size() const { return modes_ * 2 * width_ * width_; }
  [[nodiscard]] Index coefficient_size() const { return lines() * transform_.rows() * width_; }
  [[nodiscard]] Index scratch_size() const;

  void prepare(const T* weight);

  // Writes the coefficients of `field`, which backward() asks for again; adds the convolution to `out`.
  void forward(const T* field, T* coefficients, T* out, T* scratch) const;
  // From the gradient of `out`: adds that of `field` and that of the weight.
  void backward(const T* out_gradient, const T* coefficients, T* field_gradient, T* weight_gradient,
                T* scratch) const;

 private:
  [[nodiscard]] Index lines() const { return outer_ * inner_; }
  [[nodiscard]] T synthesis_weight(Index frequency) const;
  void analyse(const T* field, T* coefficients, T* scratch) const;
  void add_synthesis(const T* coefficients, T* out, T* scratch) const;
  // Calls `action(rows, stride, offset)` for each set of lines of one row of coefficients that one product
  // can take: `rows` lines, `stride` numbers apart.
  template <class Action>
  void over_lines(Index row, Action&& action) const;
  // For all lines: row `out` of `to` (+)= row `in` of `from` times the matrix.
  void map_row(const T* from, Index in, const T* matrix, bool accumulate, Index out, T* to) const;
  // gradient += from(row)' to(row), the sum over all lines.
  void add_outer(const T* from, Index from_row, const T* to, Index to_row, T* gradient) const;

  // The matrices of one mode, scaled by w: A, B, -B and their transposes.
  enum Matrix { real, imaginary, minus_imaginary, real_t, imaginary_t, minus_imaginary_t, matrices };
  [[nodiscard]] const T* matrix(Index mode, Matrix which) const {
    return scaled_.data() + (mode * matrices + which) * width_ * width_;
  }

  AxisTransform<T> transform_;
  Index modes_, width_;
  Index outer_ = 1, inner_ = 1;  // lines before and after the axis
  Buffer<T> scaled_;             // [mode][matrices][width][width]
};

}  // namespace nouq
