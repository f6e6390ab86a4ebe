// Arrays with a shape: `Array<T>` owns its values, `ArrayView<T>` looks at somebody else's.
//
// Why: data sets, fields and model tensors all are "a shape and numbers in C order". One small pair of types
// serves them. When: `nouq::Array<float> inputs({samples, 100, 20, 1});` and fill it, or copy from a vector
// with the constructor that takes values. Contract: always contiguous, C order (last index
// fastest). An array begins on a cache line, so that vectors do not straddle two. A view is as long-lived as
// what it looks at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <nouq/error.h>
#include <nouq/export.h>

namespace nouq {

using Index = std::int64_t;
using Shape = std::vector<Index>;

namespace detail {

// Memory on a cache line; large pieces on huge pages where the system offers them. Throws std::bad_alloc.
NOUQ_API void* allocate_aligned(std::size_t bytes);
NOUQ_API void release_aligned(void* memory);
// Gives the whole pages among these bytes of such memory back to the system: they stay allocated, but what
// they held is lost.
NOUQ_API void give_back(void* memory, std::size_t bytes);
[[noreturn]] NOUQ_API void fail_extent(Index extent);
[[noreturn]] NOUQ_API void fail_uncountable();
[[noreturn]] NOUQ_API void fail_row(Index row, std::span<const Index> shape);
[[noreturn]] NOUQ_API void fail_row_count(Index rows, std::span<const Index> shape);
[[noreturn]] NOUQ_API void fail_value_count(std::span<const Index> shape, std::size_t values);

}  // namespace detail

// For standard containers.
template <class T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() = default;
  template <class Other>
  AlignedAllocator(const AlignedAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(detail::allocate_aligned(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t) { detail::release_aligned(memory); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

// Number of elements; throws when an extent is negative or the product does not fit.
inline Index element_count(std::span<const Index> shape) {
  Index count = 1;
  for (const Index extent : shape) {
    if (extent < 0) detail::fail_extent(extent);
    if (__builtin_mul_overflow(count, extent, &count)) detail::fail_uncountable();
  }
  return count;
}

// "[2, 100, 20, 1]", for messages.
inline std::string to_string(std::span<const Index> shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

template <class T>
class ArrayView {
 public:
  ArrayView() = default;
  // No data, no elements: the view of an Array that was never filled is empty, like the Array.
  ArrayView(T* data, Shape shape)
      : data_(data), shape_(std::move(shape)), size_(data == nullptr ? 0 : element_count(shape_)) {}
  // A view of changeable values is also a view of values.
  template <class U>
  requires(std::is_same_v<const U, T>) ArrayView(const ArrayView<U>& other)
      : ArrayView(other.data(), other.shape()) {}

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] Index extent(std::size_t axis) const { return shape_.at(axis); }
  [[nodiscard]] std::size_t rank() const { return shape_.size(); }
  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T& operator[](Index i) const { return data_[i]; }
  [[nodiscard]] T* begin() const { return data_; }
  [[nodiscard]] T* end() const { return data_ + size_; }
  [[nodiscard]] std::span<T> span() const { return {data_, static_cast<std::size_t>(size_)}; }

  // The sub-array at index i of the first axis.
  [[nodiscard]] ArrayView row(Index i) const {
    if (rank() == 0 || i < 0 || i >= shape_[0]) detail::fail_row(i, shape_);
    Shape rest(shape_.begin() + 1, shape_.end());
    const Index stride = element_count(rest);
    return {data_ + i * stride, std::move(rest)};
  }

 private:
  T* data_ = nullptr;
  Shape shape_;
  Index size_ = 0;
};

template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(Shape shape, T value = T{})
      : values_(static_cast<std::size_t>(element_count(shape)), value), shape_(std::move(shape)) {}
  Array(Shape shape, const std::vector<T>& values) : Array(std::move(shape), values.begin(), values.end()) {}
  // Values of another array, in another shape or of another type.
  template <std::input_iterator Iterator>
  Array(Shape shape, Iterator first, Iterator last) : values_(first, last), shape_(std::move(shape)) {
    if (std::ssize(values_) != element_count(shape_)) detail::fail_value_count(shape_, values_.size());
  }

  [[nodiscard]] T* data() { return values_.data(); }
  [[nodiscard]] const T* data() const { return values_.data(); }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] Index extent(std::size_t axis) const { return shape_.at(axis); }
  [[nodiscard]] std::size_t rank() const { return shape_.size(); }
  [[nodiscard]] Index size() const { return std::ssize(values_); }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] T& operator[](Index i) { return values_[i]; }
  [[nodiscard]] const T& operator[](Index i) const { return values_[i]; }
  [[nodiscard]] auto begin() { return values_.begin(); }
  [[nodiscard]] auto end() { return values_.end(); }
  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.end(); }
  [[nodiscard]] std::span<T> span() { return values_; }
  [[nodiscard]] std::span<const T> span() const { return values_; }
  [[nodiscard]] ArrayView<T> view() { return {data(), shape_}; }
  [[nodiscard]] ArrayView<const T> view() const { return {data(), shape_}; }
  [[nodiscard]] ArrayView<T> row(Index i) { return view().row(i); }
  [[nodiscard]] ArrayView<const T> row(Index i) const { return view().row(i); }

  // Keeps the first rows and gives the memory of the others back: no copy is made.
  void keep_rows(Index rows) {
    if (rank() == 0 || rows < 0 || rows > shape_[0]) detail::fail_row_count(rows, shape_);
    shape_[0] = rows;
    values_.resize(element_count(shape_));
    detail::give_back(values_.data() + values_.size(), (values_.capacity() - values_.size()) * sizeof(T));
  }

  friend bool operator==(const Array&, const Array&) = default;

 private:
  std::vector<T, AlignedAllocator<T>> values_;
  Shape shape_;
};

}  // namespace nouq
