#include "api/strided_copy.h"

#include <gtest/gtest.h>
#include <nouq/random.h>

#include "data/expect_error.h"

namespace nouq {
namespace {

// A dense array of random shape whose axes lie in memory in a random order.
struct Case {
  explicit Case(std::uint64_t seed) {
    const Stream stream(seed, Purpose::tests);
    const std::size_t rank = stream.below(7, 0);
    const auto order = permutation(static_cast<Index>(rank), Stream(seed, Purpose::tests, 1));
    Shape shape(rank), strides(rank);
    for (std::size_t a = 0; a < rank; ++a) shape[a] = 1 + static_cast<Index>(stream.below(4, a + 1));
    Index step = 1;
    for (const Index a : order) {
      strides[a] = step;
      step *= shape[a];
    }
    layout = Layout(shape, strides);
    size = step;
  }
  // Where element i in row-major order lies, by the book.
  [[nodiscard]] Index place(Index i) const {
    Index at = 0;
    for (int a = layout.rank - 1; a >= 0; --a) {
      const std::size_t axis = a;
      at += i % layout.extent[axis] * layout.stride[axis];
      i /= layout.extent[axis];
    }
    return at;
  }
  Layout layout;
  Index size = 1;
};

TEST(StridedCopy, GathersAndScattersInRowMajorOrder) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Case c(seed);
    std::vector<double> memory(c.size);
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<double>(i);
    std::vector<float> gathered(memory.size());
    const Index first_extent = c.layout.rank == 0 ? 1 : c.layout.extent[0];
    gather(Input(memory.data(), c.layout), 0, first_extent, gathered.data());
    for (Index i = 0; i < c.size; ++i) {
      ASSERT_EQ(gathered[i], static_cast<float>(c.place(i))) << seed;
    }
    std::vector<float> back(memory.size());
    scatter(gathered.data(), Output(back.data(), c.layout), 0, first_extent);
    for (std::size_t i = 0; i < memory.size(); ++i) ASSERT_EQ(back[i], static_cast<float>(i)) << seed;
  }
}

TEST(StridedCopy, TakesAPartOfTheFirstExtent) {
  const std::vector<double> memory = {0, 1, 2, 3, 4, 5};
  std::vector<double> part(2);
  gather(Input(memory.data(), {{3, 2}, Order::column_major}), 1, 1, part.data());
  EXPECT_EQ(part, (std::vector<double>{1, 4}));
}

TEST(StridedCopy, LeavesContiguousNumbersWhereTheyAre) {
  std::vector<double> memory(6);
  const Input row(memory.data(), {3, 1, 2});
  EXPECT_EQ(contiguous<double>(row), memory.data());
  EXPECT_EQ(contiguous<float>(row), nullptr);
  EXPECT_EQ(contiguous<double>(Input(memory.data(), {{3, 2}, Order::column_major})), nullptr);
  EXPECT_EQ(contiguous<double>(Input(memory.data(), {{3, 1}, Order::column_major})), memory.data());
}

TEST(StridedCopy, InputsMayRepeatAndOutputsMayNot) {
  std::vector<double> memory = {7};
  const std::array<std::int64_t, 2> extents = {2, 3}, none = {0, 0}, overlap = {1, 1};
  std::vector<double> out(6);
  gather(Input(memory.data(), Layout(extents, none)), 0, 2, out.data());
  EXPECT_EQ(out, std::vector<double>(6, 7.0));
  EXPECT_ERROR(require_writable("mean", Output(out.data(), Layout(extents, none))),
               "mean of shape [2, 3] has strides that make elements overlap");
  EXPECT_ERROR(require_writable("mean", Output(out.data(), Layout(extents, overlap))),
               "mean of shape [2, 3] has strides that make elements overlap");
  EXPECT_NO_THROW(require_writable("mean", Output(out.data(), {{2, 3}, Order::column_major})));
}

TEST(StridedCopy, RefusesWhatCannotBeCounted) {
  std::vector<double> memory(1);
  const std::int64_t huge = std::int64_t{1} << 62;
  const std::array<std::int64_t, 1> two = {2}, far = {huge};
  EXPECT_ERROR(require_readable("x", Input(memory.data(), Layout(two, far))),
               "x has a stride of 4611686018427387904 for 2 elements: further than memory reaches");
  const std::array<std::int64_t, 1> negative = {-1};
  EXPECT_ERROR(require_readable("x", Input(memory.data(), Layout(negative, two))),
               "array extent -1 is negative");
  EXPECT_ERROR(require_readable("x", Input()), "x is missing (a null pointer)");
  EXPECT_ERROR(Layout({1, 1, 1, 1, 1, 1, 1}), "an array of 7 extents: expected at most 6");
}

}  // namespace
}  // namespace nouq
