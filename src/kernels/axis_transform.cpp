#include "kernels/axis_transform.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <nouq/kernels.h>

#include "core/error.h"
#include "kernels/rows.h"
#include "kernels/synthesis.h"

namespace nouq {

template <class T>
AxisTransform<T>::AxisTransform(Index length, Index frequencies)
    : length_(length), frequencies_(frequencies) {
  require(length >= 1, "transform of an axis of {} points: expected at least 1", length);
  require(frequencies >= 1, "transform with {} frequencies: expected at least 1", frequencies);
  cosines_.resize(frequencies * half());
  sines_.resize(frequencies * half());
  for (Index f = 0; f < frequencies; ++f) {
    for (Index x = 0; x < half(); ++x) {
      // f x modulo N in integers: the angle stays small and the table exact to rounding.
      const double angle =
          2.0 * std::numbers::pi * static_cast<double>(f * x % length) / static_cast<double>(length);
      const bool at_zero = 2 * f * x % length == 0;  // exactly 0, where std::sin(pi) would be 1e-16
      cosines_[f * half() + x] = static_cast<T>(std::cos(angle));
      sines_[f * half() + x] = at_zero ? T(0) : static_cast<T>(std::sin(angle));
    }
  }
}

template <class T>
void AxisTransform<T>::analyse(const T* in, Index points, Index columns, T* out, T* scratch) const {
  for (Index j = 0; j < columns; j += column_block) {
    const Index width = std::min(column_block, columns - j);
    T* even = scratch;
    T* odd = scratch + half() * width;
    fold(in + j, length_, points, width, columns, even, odd);
    const Index depth = std::min(half(), points);  // folded rows beyond are zero
    multiply(
        Product<T>{frequencies_, width, depth, cosines_.data(), half(), 1, even, width, out + j, columns});
    multiply(Product<T>{frequencies_ - 1, width, depth, sines_.data() + half(), half(), 1, odd, width,
                        out + frequencies_ * columns + j, columns});
  }
}

template <class T>
void AxisTransform<T>::synthesise_linear(const T* in, Index points, Index columns, const Linear& linear,
                                         T* out) const {
  nouq::synthesise(Synthesis<T>{length_, points, columns, frequencies_, cosines_.data(), sines_.data(), in,
                                out, linear.h, linear.depth, linear.b, linear.bias, linear.factor});
}

template <class T>
void AxisTransform<T>::synthesise(const T* in, Index points, Index columns, T* out) const {
  synthesise_linear(in, points, columns, {}, out);
}

template class AxisTransform<float>;
template class AxisTransform<double>;

}  // namespace nouq
