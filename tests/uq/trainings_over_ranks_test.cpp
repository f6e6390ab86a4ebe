// Networks over ranks and over parts are those of one process, with one folder for all ranks or one for each,
// interrupted or not.
#include <filesystem>

#include <gtest/gtest.h>

#include "core/file.h"
#include "data/temporary_folder.h"
#include "support/small_fit.h"
#include "support/thread_ranks.h"
#include "uq/trainings.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

constexpr Index networks = 5;

std::vector<TrainerOptions> wanted_trainings() {
  std::vector<TrainerOptions> wanted;
  for (Index k = 0; k < networks; ++k) {
    wanted.push_back(test::small_options());
    wanted.back().epochs = 3;
    wanted.back().seed = static_cast<std::uint64_t>(k);
  }
  wanted.push_back(wanted.front());  // equal ones are trained once
  return wanted;
}

TrainingsOptions options_in(const fs::path& folder, Communicator* ranks = nullptr, int threads = 1) {
  TrainingsOptions options;
  options.threads = threads;
  options.folder = folder;
  options.ranks = ranks;
  return options;
}

class OverRanks : public testing::Test {
 protected:
  std::optional<std::vector<TrainedNetwork>> run(TrainingsOptions options, FitObserver* observer = nullptr) {
    return run_trainings(wanted_, train_scaled_, validation_scaled_, options, observer);
  }
  std::vector<std::vector<float>> weights(const std::optional<std::vector<TrainedNetwork>>& networks_now) {
    std::vector<std::vector<float>> all;
    for (const TrainedNetwork& one : networks_now.value()) all.push_back(one.weights);
    return all;
  }
  std::vector<std::vector<float>> of_one_process() { return weights(run(options_in(""))); }
  fs::path folder(const std::string& name) const { return folder_ / name; }

  std::vector<TrainerOptions> wanted_ = wanted_trainings();

 private:
  test::TemporaryFolder folder_;
  DataSet train_ = test::small_data(11, 1), validation_ = test::small_data(4, 2);
  ScaledData train_scaled_{train_, {}, {}}, validation_scaled_{validation_, {}, {}};
};

TEST_F(OverRanks, TheWeightsAreThoseOfOneProcess) {
  const auto expected = of_one_process();
  for (const int size : {2, 3, 7}) {
    for (const int threads : {1, 2}) {
      for (const bool shared : {true, false}) {
        const std::string name = fmt::format("{}-{}-{}", size, threads, shared);
        test::run_ranks(size, [&](Communicator& ranks) {
          const int own = shared ? 0 : ranks.rank();
          const auto trained = run(options_in(folder(name + fmt::format("-{}", own)), &ranks, threads));
          ASSERT_EQ(trained->size(), expected.size());
          if (ranks.rank() > 0) return;
          EXPECT_EQ(weights(trained), expected) << name;
        });
        EXPECT_EQ(list_files(folder(name + "-0")).size(), static_cast<std::size_t>(networks));
        EXPECT_FALSE(fs::exists(folder(name + "-1"))) << "a rank leaves nothing behind";
      }
    }
  }
}

// Rank 0 would train a network that it misses: with the networks left in the folder nothing hides that.
TEST_F(OverRanks, CheckpointsOfOtherFoldersReachRank0) {
  test::run_ranks(3, [&](Communicator& ranks) {
    TrainingsOptions options = options_in(folder(fmt::format("sent-{}", ranks.rank())), &ranks);
    options.weights_back = false;
    EXPECT_TRUE(run(options).has_value());
  });
  EXPECT_EQ(list_files(folder("sent-0")).size(), static_cast<std::size_t>(networks));
}

// Stops after some epochs; hears what is told of every network.
class Listener final : public FitObserver {
 public:
  explicit Listener(Index stop_after) : left_(stop_after) {}
  void on_start(std::span<const double> costs, Index) override { started = std::ssize(costs); }
  void on_resume(Index, Index next_epoch) override { resumed += next_epoch; }
  void on_epoch(Index, const EpochRecord&, Index) override { --left_; }
  void on_finish(Index) override { ++finished; }
  void on_released(const std::string&) override { ++released; }
  bool should_stop() override { return left_ <= 0; }
  Index started = 0, resumed = 0, finished = 0;
  std::atomic<Index> released = 0;

 private:
  Index left_;
};

TEST_F(OverRanks, AStoppedJobGoesOnWithOtherRanks) {
  for (TrainerOptions& one : wanted_) one.epochs = 60;
  const auto expected = of_one_process();
  for (const bool shared : {true, false}) {
    const auto folder_of = [&](const Communicator& ranks) {
      return folder(fmt::format("stopped-{}-{}", shared, shared ? 0 : ranks.rank()));
    };
    test::run_ranks(3, [&](Communicator& ranks) {
      Listener listener(ranks.rank() == 0 ? 4 : 1000);
      EXPECT_FALSE(run(options_in(folder_of(ranks), &ranks), &listener).has_value());
      EXPECT_LT(listener.finished, networks);
    });
    test::run_ranks(2, [&](Communicator& ranks) {
      Listener listener(100000);
      const auto trained = run(options_in(folder_of(ranks), &ranks), &listener);
      if (ranks.rank() > 0) return;
      EXPECT_EQ(weights(trained), expected);
      EXPECT_EQ(listener.started, networks);
      EXPECT_EQ(listener.finished, networks);
      EXPECT_EQ(listener.released, networks);
      EXPECT_GT(listener.resumed, 0);
    });
  }
}

TEST_F(OverRanks, ANetworkThatDivergesIsNamedWithItsRank) {
  wanted_[2] = fit_trainings(test::small_fit("variance", 2000), test::small_data(11, 1)).front();
  wanted_[2].schedule.base_rate = 10;
  std::string message;
  test::run_ranks(2, [&](Communicator& ranks) {
    const TrainingsOptions options = options_in(folder("diverged"), &ranks);
    if (ranks.rank() > 0) {
      run(options);
      return;
    }
    try {
      run(options);
    } catch (const Error& error) {
      message = error.what();
    }
  });
  EXPECT_TRUE(message.starts_with("rank ")) << message;
  EXPECT_NE(message.find(": network 3 of 5: training diverged"), std::string::npos) << message;
  const auto tolerant = [](TrainingsOptions options) {
    options.tolerate_divergence = true;
    return options;
  };
  const auto alone = run(tolerant(options_in("")));
  test::run_ranks(2, [&](Communicator& ranks) {
    const auto trained = run(tolerant(options_in(folder("tolerated"), &ranks)));
    if (ranks.rank() > 0) return;
    EXPECT_EQ((*trained)[2].error, (*alone)[2].error);
    EXPECT_EQ(weights(trained), weights(alone));
  });
}

// With two networks on five ranks one has three, the other two; batches of one sample are for one rank.
TEST_F(OverRanks, FewerNetworksThanRanksShareThem) {
  wanted_.resize(2);
  for (const Index batch : {7, 2, 1}) {
    for (TrainerOptions& one : wanted_) one.batch = batch;
    const auto expected = of_one_process();
    for (const int size : {3, 5, 8}) {
      for (const bool shared : {true, false}) {
        const std::string name = fmt::format("few-{}-{}-{}", batch, size, shared);
        test::run_ranks(size, [&](Communicator& ranks) {
          const int own = shared ? 0 : ranks.rank();
          const auto trained = run(options_in(folder(name + fmt::format("-{}", own)), &ranks, 2));
          if (ranks.rank() > 0) return;
          EXPECT_EQ(weights(trained), expected) << name;
        });
        EXPECT_EQ(list_files(folder(name + "-0")).size(), 2U);
        EXPECT_FALSE(fs::exists(folder(name + "-1"))) << "a rank leaves nothing behind";
      }
    }
  }
}

TEST_F(OverRanks, ASharedNetworkGoesOnWithOtherRanks) {
  wanted_.resize(1);
  wanted_.front().epochs = 200;
  const auto expected = of_one_process();
  const auto folder_of = [&](const Communicator& ranks) {
    return folder(fmt::format("one-{}", ranks.rank()));
  };
  Index epochs = 0;
  for (const int size : {3, 2}) {
    test::run_ranks(size, [&](Communicator& ranks) {
      Listener listener(ranks.rank() == 0 ? 1 : 100000);
      const bool stops = !run(options_in(folder_of(ranks), &ranks), &listener).has_value();
      if (ranks.rank() > 0) return;
      EXPECT_TRUE(stops);
      EXPECT_GE(listener.resumed, epochs);
      epochs = listener.resumed;
    });
  }
  EXPECT_GT(epochs, 0);
  test::run_ranks(4, [&](Communicator& ranks) {
    const auto trained = run(options_in(folder_of(ranks), &ranks));
    if (ranks.rank() == 0) {
      EXPECT_EQ(weights(trained), expected);
    }
  });
}

// The others wait for it in the middle of a step, and are let go.
TEST_F(OverRanks, AnErrorOfOneRankEndsASharedNetwork) {
  wanted_.resize(1);
  wanted_.front().epochs = 100000;
  fs::create_directories(folder("bad"));
  const auto files = [&] { return list_files(folder("bad")); };
  std::string message;
  test::run_ranks(3, [&](Communicator& ranks) {
    const TrainingsOptions options = options_in(folder("bad"), &ranks);
    if (ranks.rank() > 0) {
      run(options);
      return;
    }
    // The second checkpoint of the first rank finds a folder in its place.
    class Saboteur final : public FitObserver {
     public:
      explicit Saboteur(fs::path folder) : folder_(std::move(folder)) {}
      void on_epoch(Index, const EpochRecord&, Index) override {
        std::error_code ignored;  // it may be there at the moment
        for (const fs::path& file : list_files(folder_)) {
          if (file.extension() == ".training") fs::create_directory(fs::path(file).concat(".next"), ignored);
        }
      }

     private:
      fs::path folder_;
    };
    Saboteur observer(folder("bad"));
    try {
      run(options, &observer);
    } catch (const Error& error) {
      message = error.what();
    }
  });
  EXPECT_TRUE(message.starts_with("rank 0: ")) << message;
  EXPECT_NE(message.find(".next"), std::string::npos) << message;
  EXPECT_FALSE(files().empty());
}

TEST_F(OverRanks, PartsTogetherAreTheWhole) {
  const auto expected = of_one_process();
  std::size_t files = 0;
  fs::create_directory(folder("parts"));
  for (int index = 0; index < 3; ++index) {
    OnePart part({index, 3});
    const auto trained = run(options_in(folder("parts"), &part));
    EXPECT_EQ(trained->size(), expected.size());
    files = list_files(folder("parts")).size();
    EXPECT_TRUE(index == 2 || files < static_cast<std::size_t>(networks));
  }
  EXPECT_EQ(files, static_cast<std::size_t>(networks));
  Listener listener(100000);
  EXPECT_EQ(weights(run(options_in(folder("parts")), &listener)), expected);
  EXPECT_EQ(listener.resumed, networks * 3) << "the whole trains nothing";
}

}  // namespace
}  // namespace nouq
