#include "core/threads.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

namespace nouq {
namespace {

class ThreadsTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Counts, ThreadsTest, ::testing::Values(1, 2, 3, 8));

TEST_P(ThreadsTest, EveryPieceRunsOnce) {
  for (const std::int64_t count : {0, 1, 2, 7, 1000}) {
    std::vector<int> runs(count, 0);
    parallel_for(GetParam(), count, [&](std::int64_t i) { ++runs[i]; });
    for (const int run : runs) EXPECT_EQ(run, 1);
  }
}

TEST_P(ThreadsTest, TheExceptionOfTheLowestIndexReachesTheCaller) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    try {
      parallel_for(GetParam(), 100, [](std::int64_t i) {
        if (i % 10 == 7) fail("piece {}", i);
      });
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "piece 7");
    }
  }
}

TEST_P(ThreadsTest, AnyExceptionPasses) {
  EXPECT_THROW(parallel_for(GetParam(), 5, [](std::int64_t) { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST_P(ThreadsTest, LoopsMayBeNested) {
  std::vector<std::int64_t> sums(6, 0);
  parallel_for(GetParam(), 6, [&](std::int64_t i) {
    std::vector<std::int64_t> parts(50, 0);
    parallel_for(GetParam(), 50, [&](std::int64_t k) { parts[k] = i * k; });
    for (const std::int64_t part : parts) sums[i] += part;
  });
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(sums[i], 1225 * i);
}

TEST_P(ThreadsTest, AnExceptionOfANestedLoopReachesTheOuterCaller) {
  try {
    parallel_for(GetParam(), 6, [&](std::int64_t i) {
      parallel_for(GetParam(), 6, [&](std::int64_t k) { require(i < 2 || k < 3, "piece {} {}", i, k); });
    });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "piece 2 3");
  }
}

TEST_P(ThreadsTest, ThreadIndexIsBelowTheNumberOfThreads) {
  std::atomic<bool> within = true;
  parallel_for(GetParam(), 200, [&](std::int64_t) {
    if (thread_index() < 0 || thread_index() >= GetParam()) within = false;
  });
  EXPECT_TRUE(within);
  EXPECT_EQ(thread_index(), 0);
}

// A member of an ensemble trained on one thread of many has scratch memory for one thread.
TEST_P(ThreadsTest, ThreadIndexIsThatOfTheInnermostLoop) {
  std::atomic<bool> within = true;
  std::atomic<bool> restored = true;
  parallel_for(GetParam(), 200, [&](std::int64_t) {
    const int outer = thread_index();
    parallel_for(1, 3, [&](std::int64_t) { within = within && thread_index() == 0; });
    parallel_for(8, 1, [&](std::int64_t) { within = within && thread_index() == 0; });
    restored = restored && thread_index() == outer;
  });
  EXPECT_TRUE(within);
  EXPECT_TRUE(restored);
}

// As Python's multiprocessing does it: the child has one thread, whatever the parent had.
TEST(Threads, AForkedChildGoesOn) {
  std::atomic<std::int64_t> sum = 0;
  parallel_for(4, 100, [&](std::int64_t i) { sum += i; });
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    sum = 0;
    parallel_for(4, 100, [&](std::int64_t i) { sum += i; });
    _exit(sum == 4950 && thread_index() == 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "hung, or wrong";
  parallel_for(4, 100, [&](std::int64_t i) { sum += i; });
  EXPECT_EQ(sum, 9900) << "the parent's loops go on as before";
}

TEST(Threads, AWishIsCheckedAndNamed) {
  EXPECT_EQ(resolve_threads(0), available_threads());
  EXPECT_GE(available_threads(), 1);
  EXPECT_EQ(resolve_threads(3), 3);
  for (const int wish : {-1, 1025}) {
    try {
      (void)resolve_threads(wish);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("threads = " + std::to_string(wish)), std::string::npos);
    }
  }
}

TEST_P(ThreadsTest, AProgramOfItsOwnIsOutsideOfTheLoop) {
  std::atomic<bool> outside = true, restored = true;
  parallel_for(GetParam(), 200, [&](std::int64_t) {
    const int index = thread_index();
    {
      const OutsideLoops own;
      outside = outside && thread_index() == 0;
    }
    restored = restored && thread_index() == index;
  });
  EXPECT_TRUE(outside);
  EXPECT_TRUE(restored);
}

// Both pieces of an inner loop wait for each other, which ends well only when each has a thread of its own.
bool inner_loops_meet() {
  std::atomic<int> met = 0;
  parallel_for(2, 2, [&](std::int64_t) {
    std::atomic<int> arrived = 0;
    parallel_for(2, 2, [&](std::int64_t) {
      ++arrived;
      for (int i = 0; i < 2000 && arrived < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      met += arrived == 2 && thread_index() < 2 ? 1 : 0;
    });
  });
  return met == 4;
}

TEST(Threads, NestedLoopsHaveTheirOwnThreadsWhileAskedFor) {
  const int before = omp_get_max_active_levels();
  {
    const NestedLoops nested;
    EXPECT_TRUE(inner_loops_meet());
  }
  EXPECT_EQ(omp_get_max_active_levels(), before);
}

}  // namespace
}  // namespace nouq
