// Ranks in step: shares, what is gathered and spread, and the end of a group that is given up.
#include "core/group.h"

#include <numeric>

#include <gtest/gtest.h>

#include "support/message.h"
#include "support/thread_ranks.h"

namespace nouq {
namespace {

TEST(Group, SharesAreContiguousAndDifferByOneAtMost) {
  for (const Index count : {0, 1, 5, 6, 20}) {
    for (const int size : {1, 2, 3, 7}) {
      Index end = 0;
      for (int rank = 0; rank < size; ++rank) {
        const IndexRange own = share_of(count, rank, size);
        EXPECT_EQ(own.begin, end);
        EXPECT_LE(own.size(), (count + size - 1) / size);
        EXPECT_GE(own.size(), count / size);
        end = own.end;
      }
      EXPECT_EQ(end, count);
    }
  }
}

std::vector<int> first(int count) {
  std::vector<int> members(count);
  std::iota(members.begin(), members.end(), 0);
  return members;
}

TEST(Group, RowsAreGatheredInTheOrderOfTheRanks) {
  for (const int size : {1, 2, 5}) {
    test::run_ranks(size, [&](Communicator& ranks) {
      const auto group = ranks.group(first(size));
      const auto fill = [&](std::vector<double>& rows) {
        const IndexRange own = group->share(4);
        for (Index i = 3 * own.begin; i < 3 * own.end; ++i) rows[i] = static_cast<double>(i);
      };
      std::vector<double> expected(12), all(12), at_first(12);
      std::iota(expected.begin(), expected.end(), 0.0);
      fill(all);
      gather_rows(*group, 4, 3, all.data());
      EXPECT_EQ(all, expected);
      fill(at_first);
      gather_rows_at_first(*group, 4, 3, at_first.data());
      if (group->rank() == 0) {
        EXPECT_EQ(at_first, expected);
      }
      EXPECT_TRUE(agreed(*group, group->rank() == 0));
      EXPECT_FALSE(agreed(*group, group->rank() > 0));
    });
  }
}

TEST(Group, ARankCountsWhatItSendsToOthers) {
  test::run_ranks(3, [&](Communicator& ranks) {
    const auto group = ranks.group(first(3));
    std::vector<float> rows(6);
    gather_rows(*group, 3, 2, rows.data());
    EXPECT_EQ(group->bytes_sent(), 2U * 2U * sizeof(float));
  });
  std::vector<float> rows(6);
  gather_rows(group_of_one(), 3, 2, rows.data());
  EXPECT_EQ(group_of_one().bytes_sent(), 0U);
}

TEST(Group, WhoWaitsForARankThatIsGoneCanBeFreed) {
  test::run_ranks(2, [&](Communicator& ranks) {
    if (ranks.rank() == 1) return;
    const auto group = ranks.group(first(2));
    std::jthread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      group->abandon();
    });
    std::vector<float> rows(2);
    const auto waits = [&] { gather_rows(*group, 2, 1, rows.data()); };
    EXPECT_EQ(test::message_of(waits), "the ranks that share the network have been given up");
    EXPECT_EQ(test::message_of(waits), "the ranks that share the network have been given up");
  });
}

}  // namespace
}  // namespace nouq
