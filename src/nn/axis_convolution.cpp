// The convolution of <nouq/kernels.h>, on kernels/axis_transform.h.
//
// Why beside SpectralTransform: one axis needs no complex modes over the whole batch, so a sample is worked
// through alone and its lines stay in cache.
#include <algorithm>

#include <nouq/kernels.h>

#include "core/buffer.h"
#include "core/threads.h"
#include "kernels/axis_transform.h"

namespace nouq {

template <class T>
class AxisConvolution<T>::Lines {
 public:
  Lines(const Shape& lengths, std::size_t axis, Index modes, Index width);

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

template <class T>
AxisConvolution<T>::Lines::Lines(const Shape& lengths, std::size_t axis, Index modes, Index width)
    : transform_(lengths.at(axis), modes), modes_(modes), width_(width) {
  for (std::size_t j = 0; j < axis; ++j) inner_ *= lengths[j];
  for (std::size_t j = axis + 1; j < lengths.size(); ++j) outer_ *= lengths[j];
  scaled_.resize(modes_ * matrices * width_ * width_);
}

template <class T>
T AxisConvolution<T>::Lines::synthesis_weight(Index frequency) const {
  const bool alone = frequency == 0 || 2 * frequency == transform_.length();
  return static_cast<T>((alone ? 1.0 : 2.0) / static_cast<double>(transform_.length()));
}

// Two sets of coefficients, the gradient of one mode's matrices, and what a transform asks for or gives.
template <class T>
Index AxisConvolution<T>::Lines::scratch_size() const {
  const Index lines = transform_.length() * inner_ * width_;
  return 2 * coefficient_size() + 2 * width_ * width_ + std::max(transform_.scratch_size(), lines);
}

template <class T>
void AxisConvolution<T>::Lines::prepare(const T* weight) {
  const Index size = width_ * width_;
  for (Index f = 0; f < modes_; ++f) {
    const T w = synthesis_weight(f);
    T* to = scaled_.data() + f * matrices * size;
    for (Index i = 0; i < width_; ++i) {
      for (Index o = 0; o < width_; ++o) {
        const Index at = i * width_ + o, transposed = o * width_ + i;
        const T a = w * weight[2 * f * size + at], b = w * weight[(2 * f + 1) * size + at];
        to[real * size + at] = to[real_t * size + transposed] = a;
        to[imaginary * size + at] = to[imaginary_t * size + transposed] = b;
        to[minus_imaginary * size + at] = to[minus_imaginary_t * size + transposed] = -b;
      }
    }
  }
}

template <class T>
void AxisConvolution<T>::Lines::analyse(const T* field, T* coefficients, T* scratch) const {
  const Index columns = inner_ * width_, length = transform_.length();
  for (Index o = 0; o < outer_; ++o)
    transform_.analyse(field + o * length * columns, length, columns,
                       coefficients + o * transform_.rows() * columns, scratch);
}

template <class T>
void AxisConvolution<T>::Lines::add_synthesis(const T* coefficients, T* out, T* scratch) const {
  const Index columns = inner_ * width_, length = transform_.length();
  for (Index o = 0; o < outer_; ++o) {
    transform_.synthesise(coefficients + o * transform_.rows() * columns, length, columns, scratch);
    add_elements(scratch, length * columns, out + o * length * columns);
  }
}

// Along axis 0 the lines lie one block of rows apart; along another one those of a block are neighbours.
template <class T>
template <class Action>
void AxisConvolution<T>::Lines::over_lines(Index row, Action&& action) const {
  const Index block = transform_.rows() * inner_ * width_;
  if (inner_ == 1) return action(outer_, block, row * width_);
  for (Index o = 0; o < outer_; ++o) action(inner_, width_, o * block + row * inner_ * width_);
}

template <class T>
void AxisConvolution<T>::Lines::map_row(const T* from, Index in, const T* matrix, bool accumulate, Index out,
                                        T* to) const {
  const Index shift = (out - in) * inner_ * width_;
  over_lines(in, [&](Index rows, Index stride, Index offset) {
    multiply(Product<T>{rows, width_, width_, from + offset, stride, 1, matrix, width_, to + offset + shift,
                        stride, nullptr, accumulate});
  });
}

template <class T>
void AxisConvolution<T>::Lines::add_outer(const T* from, Index from_row, const T* to, Index to_row,
                                          T* gradient) const {
  const Index shift = (to_row - from_row) * inner_ * width_;
  over_lines(from_row, [&](Index rows, Index stride, Index offset) {
    multiply(Product<T>{width_, width_, rows, from + offset, 1, stride, to + offset + shift, stride, gradient,
                        width_, nullptr, true});
  });
}

template <class T>
void AxisConvolution<T>::Lines::forward(const T* field, T* coefficients, T* out, T* scratch) const {
  T* mixed = scratch;
  T* rest = scratch + coefficient_size();
  analyse(field, coefficients, rest);
  for (Index f = 0; f < modes_; ++f) {
    const Index c = transform_.cosine_row(f), s = transform_.sine_row(f);
    map_row(coefficients, c, matrix(f, real), false, c, mixed);
    if (f == 0) continue;  // no sine
    map_row(coefficients, s, matrix(f, imaginary), true, c, mixed);
    map_row(coefficients, s, matrix(f, real), false, s, mixed);
    map_row(coefficients, c, matrix(f, minus_imaginary), true, s, mixed);
  }
  add_synthesis(mixed, out, rest);
}

template <class T>
void AxisConvolution<T>::Lines::backward(const T* out_gradient, const T* coefficients, T* field_gradient,
                                         T* weight_gradient, T* scratch) const {
  const Index size = width_ * width_;
  T* g = scratch;  // of C', S' without w
  T* back = scratch + coefficient_size();
  T* by_real = back + coefficient_size();
  T* by_imaginary = by_real + size;
  T* rest = by_real + 2 * size;
  analyse(out_gradient, g, rest);
  for (Index f = 0; f < modes_; ++f) {
    const Index c = transform_.cosine_row(f), s = transform_.sine_row(f);
    const T w = synthesis_weight(f);
    std::fill_n(by_real, 2 * size, T(0));
    add_outer(coefficients, c, g, c, by_real);
    map_row(g, c, matrix(f, real_t), false, c, back);
    if (f > 0) {
      add_outer(coefficients, s, g, s, by_real);
      add_outer(coefficients, c, g, s, by_imaginary);
      for (Index i = 0; i < size; ++i) by_imaginary[i] = -by_imaginary[i];
      add_outer(coefficients, s, g, c, by_imaginary);
      map_row(g, s, matrix(f, minus_imaginary_t), true, c, back);
      map_row(g, s, matrix(f, real_t), false, s, back);
      map_row(g, c, matrix(f, imaginary_t), true, s, back);
    }
    for (Index i = 0; i < 2 * size; ++i) weight_gradient[2 * f * size + i] += w * by_real[i];
  }
  add_synthesis(back, field_gradient, rest);
}

template <class T>
AxisConvolution<T>::AxisConvolution(const Shape& lengths, std::size_t axis, Index modes, Index width)
    : lines_(std::make_unique<Lines>(lengths, axis, modes, width)) {}
template <class T>
AxisConvolution<T>::~AxisConvolution() = default;
template <class T>
AxisConvolution<T>::AxisConvolution(AxisConvolution&&) noexcept = default;
template <class T>
AxisConvolution<T>& AxisConvolution<T>::operator=(AxisConvolution&&) noexcept = default;

template <class T>
Index AxisConvolution<T>::weight_size() const {
  return lines_->weight_size();
}
template <class T>
Index AxisConvolution<T>::coefficient_size() const {
  return lines_->coefficient_size();
}
template <class T>
Index AxisConvolution<T>::scratch_size() const {
  return lines_->scratch_size();
}
template <class T>
void AxisConvolution<T>::prepare(const T* weight) {
  lines_->prepare(weight);
}
template <class T>
void AxisConvolution<T>::forward(const T* field, T* coefficients, T* out, T* scratch) const {
  lines_->forward(field, coefficients, out, scratch);
}
template <class T>
void AxisConvolution<T>::backward(const T* out_gradient, const T* coefficients, T* field_gradient,
                                  T* weight_gradient, T* scratch) const {
  lines_->backward(out_gradient, coefficients, field_gradient, weight_gradient, scratch);
}

template class AxisConvolution<float>;
template class AxisConvolution<double>;

void for_each_index(int threads, Index count, const std::function<void(Index)>& action) {
  parallel_for(threads, count, action);
}

int worker_index() { return thread_index(); }

}  // namespace nouq
