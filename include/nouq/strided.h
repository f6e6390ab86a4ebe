// Arrays of the caller, wherever their numbers lie: float or double, row-major, column-major or strided.
//
// Why: a solver has its fields already, in its own order; it should not copy them to ask a question.
// When: `Input` for what the library reads, `Output` for what it writes, e.g. Input(u.data(), {100, 20}) or
// Input(u.data(), {{100, 20}, Order::column_major}).
// Contract: the memory stays the caller's, and must hold what the layout says. Strides count elements, not
// bytes; those of an input may be 0 (one number for a whole axis) or negative.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>

#include <nouq/export.h>

namespace nouq {

enum class Real : std::int32_t { float32 = 1, float64 = 2 };
enum class Order { row_major, column_major };

// A shape and where its elements lie.
struct NOUQ_API Layout {
  static constexpr int max_rank = 6;  // a sample, a member of it, three axes, a channel

  Layout() = default;
  Layout(std::initializer_list<std::int64_t> extents, Order order = Order::row_major);
  Layout(std::span<const std::int64_t> extents, Order order);
  // Throws when there are more than max_rank extents, or not as many strides.
  Layout(std::span<const std::int64_t> extents, std::span<const std::int64_t> strides);

  int rank = 0;
  std::array<std::int64_t, max_rank> extent{};
  std::array<std::int64_t, max_rank> stride{};
};

// The numbers under a layout; none when `data` is null.
template <class Void>
struct Strided {
  template <class T>
  using Like = std::conditional_t<std::is_const_v<Void>, const T, T>;

  Strided() = default;
  Strided(Like<float>* values, const Layout& where) : data(values), type(Real::float32), layout(where) {}
  Strided(Like<double>* values, const Layout& where) : data(values), type(Real::float64), layout(where) {}

  Void* data = nullptr;
  Real type = Real::float64;
  Layout layout;
};
using Input = Strided<const void>;
using Output = Strided<void>;

}  // namespace nouq
