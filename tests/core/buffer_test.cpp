#include "core/buffer.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace nouq {
namespace {

TEST(Buffer, IsAlignedToACacheLine) {
  for (const std::size_t size : {1U, 3U, 17U, 1000U}) {
    Buffer<float> buffer(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0U);
    EXPECT_EQ(buffer.size(), size);
  }
}

TEST(Buffer, IsFilledWithItsValue) {
  const Buffer<double> buffer(5, 2.5);
  EXPECT_TRUE(std::all_of(buffer.begin(), buffer.end(), [](double v) { return v == 2.5; }));
  EXPECT_EQ(buffer.end() - buffer.begin(), 5);
}

TEST(Buffer, GrowsButNeverShrinks) {
  Buffer<int> buffer(10);
  const int* memory = buffer.data();
  buffer.resize(3);
  EXPECT_EQ(buffer.size(), 3U);
  buffer.resize(10);
  EXPECT_EQ(buffer.data(), memory);
  buffer.resize(100000);
  buffer.fill(1);
  EXPECT_EQ(buffer[99999], 1);
}

TEST(Buffer, IsEmptyAfterBeingMovedFromAndMayBeUsedAgain) {
  Buffer<int> source(10, 4);
  Buffer<int> target(std::move(source));
  EXPECT_EQ(target[9], 4);
  EXPECT_TRUE(source.empty());  // NOLINT(bugprone-use-after-move): what this test is about
  source.resize(10);
  source.fill(5);
  target = std::move(source);
  EXPECT_EQ(target.size(), 10U);
  EXPECT_EQ(target[9], 5);
  EXPECT_TRUE(source.empty());  // NOLINT(bugprone-use-after-move)
}

TEST(Buffer, RefusesASizeThatCannotBeCountedInBytes) {
  Buffer<double> buffer(4, 1.0);
  EXPECT_THROW(buffer.resize(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
  EXPECT_TRUE(buffer.empty() || buffer[3] == 1.0);
}

}  // namespace
}  // namespace nouq
