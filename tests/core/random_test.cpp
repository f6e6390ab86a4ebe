#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <nouq/random.h>

namespace nouq {
namespace {

TEST(Stream, IsAPureFunctionOfItsArguments) {
  const Stream a(7, Purpose::tests, 3);
  const Stream b(7, Purpose::tests, 3);
  for (std::uint64_t i : {0U, 1U, 1000000U}) EXPECT_EQ(a.bits(i), b.bits(i));
}

TEST(Stream, SeedPurposeIndexAndCounterAllMatter) {
  const std::set<std::uint64_t> values = {
      Stream(1, Purpose::tests, 0).bits(0),          Stream(2, Purpose::tests, 0).bits(0),
      Stream(1, Purpose::split, 0).bits(0),          Stream(1, Purpose::tests, 1).bits(0),
      Stream(1, Purpose::tests, 0).bits(1),          Stream(1, Purpose::tests, 1ULL << 40U).bits(0),
      Stream(1ULL << 40U, Purpose::tests, 0).bits(0)};
  EXPECT_EQ(values.size(), 7U);
}

// Philox 4x32-10 with counter (0, 0, 0, 8) and key 0: the value is part of the file formats' promise, so it
// is pinned.
TEST(Stream, KeepsItsValuesForEver) {
  EXPECT_EQ(Stream(0, Purpose::tests, 0).bits(0), 0xd73f05cac498e74dULL);
}

TEST(Stream, UniformHasTheRightMoments) {
  const Stream stream(11, Purpose::tests);
  double sum = 0, squares = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double u = stream.uniform(static_cast<std::uint64_t>(i));
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / n, 0.5, 0.004);
  EXPECT_NEAR(squares / n, 1.0 / 3.0, 0.004);
}

TEST(Stream, NormalHasTheRightMoments) {
  const Stream stream(12, Purpose::tests);
  double sum = 0, squares = 0, fourth = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double z = stream.normal(static_cast<std::uint64_t>(i));
    sum += z;
    squares += z * z;
    fourth += z * z * z * z;
  }
  EXPECT_NEAR(sum / n, 0.0, 0.015);
  EXPECT_NEAR(squares / n, 1.0, 0.02);
  EXPECT_NEAR(fourth / n, 3.0, 0.15);
}

TEST(Permutation, HoldsEveryNumberOnceAndDependsOnTheStream) {
  auto order = permutation(1000, Stream(3, Purpose::tests, 0));
  EXPECT_NE(order, permutation(1000, Stream(3, Purpose::tests, 1)));
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (std::int64_t i = 0; i < 1000; ++i) EXPECT_EQ(order[i], i);
}

}  // namespace
}  // namespace nouq
