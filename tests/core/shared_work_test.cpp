// Tasks over ranks: each performed once, news and results at rank 0, errors with the rank, stops, silence.
#include "core/shared_work.h"

#include <atomic>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/message.h"
#include "support/thread_ranks.h"

namespace nouq {
namespace {

// Squares of the indices.
class Squares : public SharedWork {
 public:
  Squares(Index count, int workers) : count_(count), workers_(workers) {}
  [[nodiscard]] Index count() const override { return count_; }
  [[nodiscard]] int workers() const override { return workers_; }
  [[nodiscard]] std::string identity() const override { return "squares"; }
  Bytes perform(Index task, std::span<const std::byte>, Desk& desk) override {
    desk.tell(task, Packer().add(task + 1).take());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Packer().add(task * task).take();
  }
  void hear(Index task, std::span<const std::byte> news) override {
    heard[task] = Unpacker(news).number<Index>();
  }
  void receive(Index task, std::span<const std::byte> result, bool whole) override {
    EXPECT_TRUE(heard.contains(task)) << "news come before the result";
    if (!whole) return;
    EXPECT_TRUE(results.emplace(task, Unpacker(result).number<Index>()).second);
  }
  void follow_up(Index) override { ++followed; }

  std::map<Index, Index> heard, results;
  std::atomic<Index> followed = 0;

 private:
  Index count_;
  int workers_;
};

TEST(SharedWork, EveryTaskIsPerformedOnceWhateverTheRanks) {
  for (const int size : {1, 2, 3, 7}) {
    for (const int workers : {1, 3}) {
      for (const Index count : {Index{1}, Index{5}, Index{40}}) {
        test::run_ranks(size, [&](Communicator& ranks) {
          Squares work(count, workers);
          EXPECT_TRUE(share(ranks, work));
          if (ranks.rank() > 0) return;
          EXPECT_EQ(std::ssize(work.results), count);
          for (const auto& [task, square] : work.results) EXPECT_EQ(square, task * task);
          for (const auto& [task, news] : work.heard) EXPECT_EQ(news, task + 1);
          EXPECT_EQ(work.followed, count);
        });
      }
    }
  }
}

TEST(SharedWork, OneWorkAfterAnotherAndAWordBetween) {
  test::run_ranks(3, [&](Communicator& ranks) {
    Squares first(9, 2), second(4, 1);
    EXPECT_TRUE(share(ranks, first));
    EXPECT_EQ(agreed(ranks, ranks.rank() == 0 ? "the third" : "?"), "the third");
    EXPECT_TRUE(share(ranks, second));
    EXPECT_EQ(second.results.size(), ranks.rank() == 0 ? 4U : 0U);
  });
}

class Failing final : public Squares {
 public:
  using Squares::Squares;
  Bytes perform(Index task, std::span<const std::byte> given, Desk& desk) override {
    require(task != 3, "task = 3: expected another");
    return Squares::perform(task, given, desk);
  }
};

TEST(SharedWork, AnErrorEndsAllAndNamesTheRank) {
  std::string message;
  const auto others = test::run_ranks(3, [&](Communicator& ranks) {
    Failing work(20, 1);
    if (ranks.rank() > 0) {
      share(ranks, work);
      return;
    }
    message = test::message_of([&] { share(ranks, work); });
  });
  EXPECT_TRUE(message.ends_with(": task = 3: expected another")) << message;
  EXPECT_TRUE(message.starts_with("rank ")) << message;
  EXPECT_EQ(others[1], "released");
  EXPECT_EQ(others[2], "released");
}

class Endless final : public Squares {
 public:
  explicit Endless(bool asks) : Squares(4, 1), asks_(asks) {}
  Bytes perform(Index, std::span<const std::byte>, Desk& desk) override {
    running = true;
    while (!desk.stopping()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return {};
  }
  void hear(Index, std::span<const std::byte>) override {}
  void receive(Index, std::span<const std::byte>, bool whole) override { EXPECT_FALSE(whole); }
  bool should_stop() override { return asks_ && running; }
  std::atomic<bool> running = false;

 private:
  bool asks_;
};

TEST(SharedWork, WhicheverRankAsksAllStop) {
  for (const int asking : {0, 2}) {
    test::run_ranks(3, [&](Communicator& ranks) {
      Endless work(ranks.rank() == asking);
      EXPECT_FALSE(share(ranks, work));
      EXPECT_EQ(work.followed, 0);
    });
  }
}

class Named final : public Squares {
 public:
  explicit Named(std::string name) : Squares(2, 1), name_(std::move(name)) {}
  [[nodiscard]] std::string identity() const override { return name_; }

 private:
  std::string name_;
};

TEST(SharedWork, RanksWithOtherDataAreFoundOut) {
  std::string message;
  test::run_ranks(2, [&](Communicator& ranks) {
    Named work(ranks.rank() == 0 ? "these data" : "those data");
    if (ranks.rank() == 0)
      message = test::message_of([&] { share(ranks, work); });
    else
      share(ranks, work);
  });
  EXPECT_EQ(message,
            "rank 1 was about to do other work than rank 0; do all machines have the same data, the same "
            "settings and the same nouq?");
}

TEST(SharedWork, ARankThatHangsIsNoticed) {
  using namespace std::chrono_literals;
  const Patience short_patience{20ms, 1000ms};
  std::string message;
  test::run_ranks(3, [&](Communicator& ranks) {
    Endless work(false);
    if (ranks.rank() == 2) {  // says hello and then no more
      while (!ranks.poll()) std::this_thread::sleep_for(1ms);
      ranks.post(0, Packer().add(std::uint8_t{1}).add(std::string("squares")).add(std::string()).take());
      return;
    }
    if (ranks.rank() == 0)
      message = test::message_of([&] { share(ranks, work, short_patience); });
    else
      share(ranks, work, short_patience);
  });
  EXPECT_EQ(message, "rank 2 has not been heard of for 1 s; it hangs, or its machine does");
}

TEST(SharedWork, AMessageThatEndsEarlyIsAFailure) {
  const Bytes bytes = Packer().add(std::string("ab")).take();
  Unpacker whole(bytes);
  EXPECT_EQ(whole.text(), "ab");
  Unpacker cut(std::span<const std::byte>(bytes).first(bytes.size() - 1));
  EXPECT_EQ(test::message_of([&] { (void)cut.text(); }),
            "a message between ranks ends early: 1 bytes, expected 2");
}

TEST(Ranks, OneProcessLeadsAPartDoesNot) {
  EXPECT_TRUE(leads(ranks()));
  EXPECT_EQ(ranks().size(), 1);
  OnePart part({2, 4});
  use_ranks(&part);
  EXPECT_FALSE(leads(ranks()));
  EXPECT_THROW(release_others(ranks()), Released);
  use_ranks(nullptr);
  EXPECT_NO_THROW(release_others(ranks()));
}

}  // namespace
}  // namespace nouq
