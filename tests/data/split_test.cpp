#include "data/split.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "data/expect_error.h"

namespace nouq {
namespace {

TEST(Split, PartsAreDisjointSortedAndReproducible) {
  const Split first = split(100, {60, 25, 10}, 7);
  std::set<Index> all;
  for (const auto* part : {&first.train, &first.validation, &first.test}) {
    EXPECT_TRUE(std::is_sorted(part->begin(), part->end()));
    all.insert(part->begin(), part->end());
  }
  EXPECT_EQ(first.train.size(), 60U);
  EXPECT_EQ(first.validation.size(), 25U);
  EXPECT_EQ(first.test.size(), 10U);
  EXPECT_EQ(all.size(), 95U);
  EXPECT_GE(*all.begin(), 0);
  EXPECT_LT(*all.rbegin(), 100);
  EXPECT_EQ(split(100, {60, 25, 10}, 7).train, first.train);
  EXPECT_NE(split(100, {60, 25, 10}, 8).train, first.train);
}

// Part of every saved result, so pinned.
TEST(Split, KeepsItsChoiceForEver) {
  const Split parts = split(10, {4, 3, 3}, 1);
  EXPECT_EQ(parts.train, (std::vector<Index>{3, 7, 8, 9}));
  EXPECT_EQ(parts.test, (std::vector<Index>{2, 5, 6}));
}

TEST(Split, RefusesMoreThanThereIs) {
  EXPECT_ERROR(split(10, {8, 2, 1}, 1), "8 training, 2 validation and 1 test samples: there are only 10");
  EXPECT_ERROR(split(10, {-1, 2, 1}, 1), "-1 training");
}

TEST(SplitCounts, RoundsAndGivesEveryWantedPartASample) {
  const SplitCounts usual = split_counts(400, {0.8, 0.1, 0.1});
  EXPECT_EQ(usual.train, 320);
  EXPECT_EQ(usual.validation, 40);
  EXPECT_EQ(usual.test, 40);
  const SplitCounts few = split_counts(3, {0.9, 0.05, 0.05});
  EXPECT_EQ(few.train, 1);
  EXPECT_EQ(few.validation, 1);
  EXPECT_EQ(few.test, 1);
  EXPECT_EQ(split_counts(5, {1.0, 0.0, 0.0}).train, 5);
  const SplitCounts none = split_counts(5, {0.0, 0.5, 0.5});
  EXPECT_EQ(none.train, 0);
  EXPECT_EQ(none.validation + none.test, 5);
  EXPECT_ERROR(split_counts(2, {0.8, 0.1, 0.1}),
               "2 samples are too few to split into fractions 0.8, 0.1, 0.1");
  EXPECT_ERROR(split_counts(10, {0.8, 0.1, 0.2}), "must add up to 1");
  EXPECT_ERROR(split_counts(10, {1.2, -0.1, -0.1}), "must not be negative");
}

TEST(Shuffled, IsAPermutationThatDependsOnTheEpoch) {
  auto order = shuffled(50, 3, 0);
  EXPECT_NE(order, shuffled(50, 3, 1));
  EXPECT_EQ(order, shuffled(50, 3, 0));
  std::sort(order.begin(), order.end());
  for (Index i = 0; i < 50; ++i) EXPECT_EQ(order[i], i);
}

}  // namespace
}  // namespace nouq
