// What the tests of the kernels share: random cases, guarded outputs, every target in turn.
//
// Inputs are vectors of exactly the size a kernel may read, so that an address-sanitised build sees a read
// beyond them; outputs are Guarded, so that every build sees a write beyond them.
#pragma once

#include <cmath>
#include <complex>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nouq/array.h>
#include <nouq/random.h>

#include "kernels/target.h"

namespace nouq::test {

using Scalars = ::testing::Types<float, double>;

// Cases per kernel, scalar type and target.
inline constexpr std::uint64_t case_count = 200;

// Relative to the sum of the absolute values of the terms added up.
template <class T>
inline constexpr double tolerance = std::is_same_v<T, float> ? 1e-6 : 1e-13;

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The random choices of one case, drawn one after the other.
class Draw {
 public:
  explicit Draw(std::uint64_t index) : stream_(2024, Purpose::tests, index) {}

  // Both ends included.
  Index between(Index low, Index high) {
    return low + static_cast<Index>(stream_.below(static_cast<std::uint64_t>(high - low + 1), counter_++));
  }
  Index pick(std::initializer_list<Index> choices) {
    return choices.begin()[between(0, std::ssize(choices) - 1)];
  }
  bool coin() { return between(0, 1) == 1; }
  // Row widths around and off every vector length.
  Index width() { return pick({1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65, 100}); }
  Index axis_length() { return coin() ? pick({1, 2, 3, 4, 5, 8, 29, 100, 109}) : between(1, 60); }

  template <class T>
  std::vector<T> values(Index count) {
    std::vector<T> result(at(count));
    for (T& value : result) value = static_cast<T>(stream_.normal(counter_++));
    return result;
  }

 private:
  Stream stream_;
  std::uint64_t counter_ = 0;
};

template <class T>
std::vector<double> widened(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

template <class T>
std::vector<double> magnitudes(const std::vector<T>& values) {
  std::vector<double> result;
  for (const T value : values) result.push_back(std::abs(static_cast<double>(value)));
  return result;
}

// An output between two bands of sentinels. Without a band behind, the output ends where its memory ends,
// and the address sanitizer watches that end instead.
template <class T>
class Guarded {
 public:
  Guarded(Index count, bool band_behind)
      : count_(count), values_(at(front + count + (band_behind ? behind : 0)), sentinel) {}
  explicit Guarded(const std::vector<T>& start, bool band_behind) : Guarded(std::ssize(start), band_behind) {
    std::copy(start.begin(), start.end(), data());
  }

  T* data() { return values_.data() + front; }
  T operator[](Index i) const { return values_[at(front + i)]; }
  [[nodiscard]] Index size() const { return count_; }
  [[nodiscard]] std::vector<T> values() const {
    return {values_.begin() + front, values_.begin() + front + count_};
  }
  [[nodiscard]] bool bands_intact() const {
    for (Index i = 0; i < std::ssize(values_); ++i) {
      if ((i < front || i >= front + count_) && values_[at(i)] != sentinel) return false;
    }
    return true;
  }

  static constexpr T sentinel = T(-987654321);

 private:
  static constexpr Index front = 33;  // odd: no output is aligned to a vector
  static constexpr Index behind = 64;
  Index count_;
  std::vector<T> values_;
};

// |got - wanted| <= tolerance * scale, element by element; NaN fails. Bands must be intact.
template <class T>
void expect_close(const Guarded<T>& got, const std::vector<double>& wanted,
                  const std::vector<double>& scale) {
  ASSERT_EQ(got.size(), std::ssize(wanted));
  ASSERT_EQ(wanted.size(), scale.size());
  EXPECT_TRUE(got.bands_intact()) << "wrote outside the output";
  for (Index i = 0; i < got.size(); ++i) {
    const double error = std::abs(static_cast<double>(got[i]) - wanted[at(i)]);
    ASSERT_TRUE(error <= tolerance<T> * scale[at(i)])
        << "element " << i << " is " << got[i] << ", expected " << wanted[at(i)] << ", error " << error
        << " where the terms add up to " << scale[at(i)];
  }
}

// Complex rows as kernels/mixing.h stores them: `columns` real parts, then `columns` imaginary parts.
template <class T>
std::vector<std::complex<double>> joined(const std::vector<T>& split, Index rows, Index columns) {
  std::vector<std::complex<double>> result;
  for (Index r = 0; r < rows; ++r) {
    for (Index j = 0; j < columns; ++j) {
      const Index i = 2 * r * columns + j;
      result.emplace_back(split[at(i)], split[at(i + columns)]);
    }
  }
  return result;
}

// Runs `body` on every target of this processor, then goes back to the one in use before.
template <class Body>
void on_every_target(const Body& body) {
  struct Restore {
    Target before = current_target();
    ~Restore() { force_target(before); }
  } restore;
  for (const Target target : supported_targets()) {
    SCOPED_TRACE(std::string(name(target)));
    force_target(target);
    body();
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// Runs `body(draw)` for every random case on every target.
template <class Body>
void on_every_case(const Body& body) {
  on_every_target([&] {
    for (std::uint64_t index = 0; index < case_count; ++index) {
      SCOPED_TRACE("case " + std::to_string(index));
      Draw draw(index);
      body(draw);
      if (::testing::Test::HasFatalFailure()) return;
    }
  });
}

}  // namespace nouq::test
