#include "train/trainer.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/file.h"
#include "core/tensor_file.h"
#include "support/small_training.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

std::vector<float> copy(std::span<const float> values) { return {values.begin(), values.end()}; }

// Bits, not values: a NaN must equal itself and -0 must differ from 0.
bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

class TrainerTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("nouq_trainer_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    options_ = test::small_options();
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string error_of(const TrainerOptions& options) const { return error_of(options, train_, validation_); }
  static std::string error_of(const TrainerOptions& options, const DataSet& train,
                              const DataSet& validation) {
    try {
      Trainer trainer(options, train, validation);
      trainer.train();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path folder_;
  TrainerOptions options_;
  DataSet train_ = test::small_data(24, 1);
  DataSet validation_ = test::small_data(8, 2);
};

// Stops before the n-th step.
class StopAt : public TrainObserver {
 public:
  explicit StopAt(int step) : left_(step) {}
  bool should_stop() override { return left_-- == 0; }

 private:
  int left_;
};

TEST_F(TrainerTest, LearnsAndKeepsTheBestWeights) {
  options_.epochs = 60;
  Trainer trainer(options_, train_, validation_);
  EXPECT_EQ(trainer.train(), TrainEnd::finished);
  const auto& history = trainer.history();
  ASSERT_EQ(history.size(), 60U);
  EXPECT_LT(history[trainer.best_epoch()].validation_loss, 0.05 * history[0].validation_loss);
  for (const EpochRecord& record : history) {
    EXPECT_GE(record.validation_loss, history[trainer.best_epoch()].validation_loss);
  }
  EXPECT_DOUBLE_EQ(trainer.evaluate(validation_), history[trainer.best_epoch()].validation_loss);
  EXPECT_NEAR(history[0].learning_rate, 5e-3, 1e-12);
  EXPECT_NEAR(history[59].learning_rate, 5e-3 / 4, 1e-12);
}

TEST_F(TrainerTest, SameBitsForAnyNumberOfThreads) {
  options_.epochs = 3;
  options_.network.dropout = 0.25;
  const auto run = [&](int threads) {
    options_.threads = threads;
    Trainer trainer(options_, train_, validation_);
    trainer.train();
    return copy(trainer.weights());
  };
  const auto one = run(1);
  for (const int threads : {2, 3, 7}) EXPECT_TRUE(same_bits(run(threads), one)) << threads;
  options_.seed += 1;
  EXPECT_FALSE(same_bits(run(1), one));
}

// A network with dropout is used with masks, and without them is another: its feature layer's GELU follows
// the mask.
TEST_F(TrainerTest, DropoutIsValidatedWithTheSameMasksInEveryEpoch) {
  options_.network.dropout = 0.4;
  options_.batch = 5;                   // validation in batches of 5 and 3
  options_.schedule.base_rate = 1e-30;  // weights stay as they are, so epochs can differ in masks alone
  options_.weight_decay = 0;
  Trainer trainer(options_, train_, validation_);
  trainer.train();
  const auto& history = trainer.history();
  ASSERT_GE(history.size(), 2U);
  EXPECT_EQ(history[0].validation_loss, history[1].validation_loss);
  EXPECT_NE(history[0].train_loss, history[1].train_loss);
  Network<float> network(options_.network, {validation_.inputs.extent(1), validation_.inputs.extent(2)}, 1);
  std::vector<double> losses(8);
  const auto loss = [&](const BatchDropout& dropout) {
    return network.loss(trainer.weights().data(), validation_.inputs.data(), validation_.outputs.data(), 8,
                        options_.loss, losses, dropout) /
           8;
  };
  const double masked = loss({true, options_.seed, std::uint64_t{1} << 63U});
  EXPECT_NEAR(history[0].validation_loss, masked, 1e-12);
  EXPECT_GT(std::abs(masked - loss({})), 1e-3);
}

TEST_F(TrainerTest, StoppedAnywhereAndResumedIsTheSame) {
  Trainer alone(options_, train_, validation_);
  alone.train();
  for (const int step : {0, 1, 4, 9, 17, 30}) {
    options_.checkpoint = folder_ / ("at" + std::to_string(step));
    Trainer first(options_, train_, validation_);
    StopAt stop(step);
    EXPECT_EQ(first.train(&stop), TrainEnd::stopped);
    options_.threads = 2;
    Trainer second(options_, train_, validation_);
    EXPECT_EQ(second.train(), TrainEnd::finished);
    EXPECT_TRUE(same_bits(copy(second.weights()), copy(alone.weights()))) << step;
    EXPECT_TRUE(same_bits(copy(second.best_weights()), copy(alone.best_weights()))) << step;
    EXPECT_EQ(second.best_epoch(), alone.best_epoch());
    EXPECT_EQ(second.history().back().train_loss, alone.history().back().train_loss);
  }
}

TEST_F(TrainerTest, SecondsGoOnFromTheCheckpointOrAreUnknown) {
  options_.checkpoint = folder_ / "timed";
  Trainer alone(options_, train_, validation_);
  alone.train();
  Trainer found(options_, train_, validation_);
  found.train();
  for (std::size_t e = 0; e < alone.history().size(); ++e) {
    EXPECT_GT(found.history()[e].seconds, 0.0);
    EXPECT_EQ(found.history()[e].seconds, alone.history()[e].seconds);
  }
  // As older versions wrote it.
  const TensorFile file(options_.checkpoint);
  TensorFileWriter older;
  older.metadata = {{"kind", file.text("kind")}, {"fingerprint", file.text("fingerprint")}};
  for (const std::string name : {"weights", "best_weights"}) older.add(name, file.floats(name));
  older.add("history", file.doubles("history"));
  options_.checkpoint = folder_ / "older";
  older.write(options_.checkpoint);
  Trainer untimed(options_, train_, validation_);
  untimed.train();
  EXPECT_TRUE(same_bits(copy(untimed.weights()), copy(alone.weights())));
  for (const EpochRecord& record : untimed.history()) EXPECT_TRUE(std::isnan(record.seconds));
}

TEST_F(TrainerTest, ADamagedCheckpointFallsBackToTheOneBefore) {
  Trainer alone(options_, train_, validation_);
  alone.train();
  options_.checkpoint = folder_ / "checkpoint";
  StopAt stop(9);
  Trainer stopped(options_, train_, validation_);
  ASSERT_EQ(stopped.train(&stop), TrainEnd::stopped);
  write_file_atomically(options_.checkpoint, "not a checkpoint any more");
  Trainer again(options_, train_, validation_);
  again.train();
  EXPECT_TRUE(same_bits(copy(again.weights()), copy(alone.weights())));
}

// Rare checkpoints cost nothing when a run is asked to stop: what was finished is saved first.
TEST_F(TrainerTest, StoppingSavesTheEpochsSinceTheLastCheckpoint) {
  options_.checkpoint = folder_ / "rare";
  options_.checkpoint_seconds = 1e9;
  StopAt stop(9);
  Trainer stopped(options_, train_, validation_);
  ASSERT_EQ(stopped.train(&stop), TrainEnd::stopped);
  const auto finished = std::ssize(stopped.history());
  ASSERT_GE(finished, 3);
  struct Resumed final : TrainObserver {
    void on_resume(Index next_epoch) override { epoch = next_epoch; }
    Index epoch = 0;
  } resumed;
  Trainer again(options_, train_, validation_);
  again.train(&resumed);
  EXPECT_EQ(resumed.epoch, finished);
  options_.checkpoint.clear();
  Trainer alone(options_, train_, validation_);
  alone.train();
  EXPECT_TRUE(same_bits(copy(again.weights()), copy(alone.weights())));
}

TEST_F(TrainerTest, AFinishedTrainingKeepsItsResultAlone) {
  options_.checkpoint = folder_ / "finished";
  Trainer alone(options_, train_, validation_);
  alone.train();
  const TensorFile file(options_.checkpoint);
  EXPECT_TRUE(file.has("best_weights"));
  EXPECT_FALSE(file.has("first_moment"));
  EXPECT_FALSE(std::filesystem::exists(options_.checkpoint.string() + ".previous"));
  Trainer found(options_, train_, validation_);
  EXPECT_EQ(found.train(), TrainEnd::finished);
  EXPECT_TRUE(same_bits(copy(found.best_weights()), copy(alone.best_weights())));
  EXPECT_TRUE(same_bits(copy(found.weights()), copy(alone.weights())));
}

TEST_F(TrainerTest, ACheckpointOfOtherSettingsIsRefused) {
  options_.checkpoint = folder_ / "checkpoint";
  options_.epochs = 1;
  Trainer(options_, train_, validation_).train();
  options_.batch = 6;
  EXPECT_NE(error_of(options_).find("other settings or other data"), std::string::npos);
  options_.batch = 7;
  DataSet other = train_;
  other.outputs[0] += 1.0F;
  EXPECT_NE(error_of(options_, other, validation_).find("other settings or other data"), std::string::npos);
  options_.resume = false;
  EXPECT_EQ(error_of(options_, other, validation_), "no error");
}

TEST_F(TrainerTest, StopsEarlyWhenValidationNoLongerImproves) {
  options_.epochs = 400;
  options_.patience = 3;
  options_.schedule.base_rate = 0.05;
  Trainer trainer(options_, train_, validation_);
  EXPECT_EQ(trainer.train(), TrainEnd::early);
  EXPECT_EQ(trainer.history().back().epoch - trainer.best_epoch(), 3);
}

TEST_F(TrainerTest, DivergenceNamesEpochAndBatchAndKeepsTheBestWeights) {
  options_.epochs = 400;
  options_.schedule = {ScheduleKind::constant, 10.0};
  for (DataSet* data : {&train_, &validation_}) {
    for (float& value : data->inputs)
      value *= 3e36F;  // large inputs and steps: soon beyond what float can hold
  }
  Trainer trainer(options_, train_, validation_);
  try {
    trainer.train();
    FAIL() << "a rate of 10 should diverge";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::failure);
    EXPECT_NE(std::string(error.what()).find("training diverged"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("epoch"), std::string::npos) << error.what();
  }
  for (const float w : trainer.best_weights()) ASSERT_TRUE(std::isfinite(w));
}

TEST_F(TrainerTest, BadOptionsAreNamedWithWhatIsAllowed) {
  const auto with = [&](auto change) {
    TrainerOptions options = options_;
    change(options);
    return error_of(options);
  };
  EXPECT_EQ(with([](auto& o) { o.batch = 0; }), "batch = 0: expected 1 to 1000000");
  EXPECT_EQ(with([](auto& o) { o.epochs = 0; }), "epochs = 0: expected 1 to 10000000");
  EXPECT_EQ(with([](auto& o) { o.network.width = 0; }), "width = 0: expected 1 to 4096");
  EXPECT_EQ(with([](auto& o) { o.network.dropout = 1.0; }),
            "dropout = 1: expected 0 up to, but not including, 1");
  EXPECT_EQ(with([](auto& o) {
              o.network.modes = {10, 3};
            }),
            "modes of axis 0 = 10: the axis has 19 points with padding and holds at most 9 modes");
  EXPECT_EQ(with([](auto& o) {
              o.network.modes = {4, 7};
            }),
            "modes of axis 1 = 7: the axis has 10 points with padding and holds at most 6 modes");
  EXPECT_EQ(with([](auto& o) { o.schedule.base_rate = -1; }),
            "learning rate = -1: expected above 0, at most 10");
  EXPECT_EQ(with([](auto& o) { o.threads = -2; }), "threads = -2: expected 0 (all cores) to 1024");
  EXPECT_EQ(with([](auto& o) { o.network.outputs = 2; }),
            "the relative_l2 loss needs 1 outputs, the network has 2");
}

TEST_F(TrainerTest, BadDataAreNamedWithTheSample) {
  DataSet broken = train_;
  broken.outputs[3 * 16 * 8 + 5] = std::numeric_limits<float>::quiet_NaN();
  const std::string message = error_of(options_, broken, validation_);
  EXPECT_NE(message.find("training data"), std::string::npos) << message;
  EXPECT_NE(message.find("sample 3"), std::string::npos) << message;
  EXPECT_NE(error_of(options_, DataSet{}, validation_).find("training data"), std::string::npos);
  DataSet zero = train_;
  std::fill(zero.outputs.begin(), zero.outputs.end(), 0.0F);
  EXPECT_NE(error_of(options_, zero, validation_).find("zero everywhere"), std::string::npos);
}

// An operator's promise: a trained network may be asked on another grid.
double error_on(const DataSet& data, const NetworkOptions& options, const Trainer& trainer) {
  Network<float> network(options, shape_of(data.grid), 1);
  std::vector<double> losses(data.size());
  return network.loss(trainer.best_weights().data(), data.inputs.data(), data.outputs.data(), data.size(),
                      Loss{}, losses) /
         static_cast<double>(data.size());
}

// Padding as a fraction of the axis keeps the shape of the periodic cell; what changes is of the order of the
// grid spacing. A fixed number of points does not keep it.
TEST(Resolution, AModelKeepsItsErrorOnTwiceTheResolution) {
  TrainerOptions options = test::small_options();
  options.epochs = 100;
  options.network.padding = {{.fraction = 0.5}, {.fraction = 0.5}};
  options.schedule.period = 40;
  const DataSet train = test::small_data(24, 1, 64, 32);
  const DataSet validation = test::small_data(8, 2, 64, 32);
  Trainer trainer(options, train, validation);
  trainer.train();
  const double coarse = trainer.evaluate(validation);
  const DataSet fine = test::small_data(8, 2, 128, 64);
  NetworkOptions absolute = options.network;
  absolute.padding = {{32, std::nullopt}, {16, std::nullopt}};  // what the fractions are on the coarse grid
  EXPECT_LT(coarse, 0.02);
  EXPECT_LT(error_on(fine, options.network, trainer), 2 * coarse);
  EXPECT_GT(error_on(fine, absolute, trainer), 10 * coarse);
}

// On periodic axes nothing is padded, and the network is the same operator on every grid.
TEST(Resolution, APeriodicModelIsTheSameOnEveryGrid) {
  const auto periodic = [](Index samples, std::uint64_t seed, Index nx, Index nt) {
    DataSet data = test::small_data(samples, seed, nx, nt);
    for (Index i = 0; i < data.outputs.size(); ++i) {
      const double x = data.grid[0].coordinates[i / nt % nx];
      const double t = data.grid[1].coordinates[i % nt];
      const double a = static_cast<double>(data.inputs[i]);
      data.outputs[i] = static_cast<float>(std::sin(2 * std::numbers::pi * (x + a * 0.2)) *
                                           (a + std::cos(2 * std::numbers::pi * t)));
    }
    return data;
  };
  TrainerOptions options = test::small_options();
  options.epochs = 60;
  options.network.padding = {{0, std::nullopt}, {0, std::nullopt}};
  const DataSet train = periodic(24, 1, 32, 16);
  const DataSet validation = periodic(8, 2, 32, 16);
  Trainer trainer(options, train, validation);
  trainer.train();
  const double coarse = trainer.evaluate(validation);
  EXPECT_LT(coarse, 0.1);
  EXPECT_NEAR(error_on(periodic(8, 2, 64, 32), options.network, trainer), coarse, 0.1 * coarse);
  EXPECT_NEAR(error_on(periodic(8, 2, 96, 80), options.network, trainer), coarse, 0.1 * coarse);
}

TEST(Schedule, FollowsItsDefinition) {
  const Schedule step{};
  EXPECT_DOUBLE_EQ(learning_rate(step, 0, 0, 500, 8000), 1e-3);
  EXPECT_DOUBLE_EQ(learning_rate(step, 49, 799, 500, 8000), 1e-3);
  EXPECT_DOUBLE_EQ(learning_rate(step, 50, 800, 500, 8000), 5e-4);
  EXPECT_DOUBLE_EQ(learning_rate(step, 499, 7999, 500, 8000), 1e-3 / 512);
  const Schedule cosine{ScheduleKind::cosine, 2.0};
  EXPECT_DOUBLE_EQ(learning_rate(cosine, 0, 0, 10, 100), 2.0);
  EXPECT_NEAR(learning_rate(cosine, 5, 50, 10, 100), 1.0, 1e-12);
  const Schedule cycle{ScheduleKind::one_cycle, 1.0};
  EXPECT_NEAR(learning_rate(cycle, 0, 0, 10, 100), 1.0 / 25, 1e-12);
  EXPECT_NEAR(learning_rate(cycle, 3, 30, 10, 100), 1.0, 1e-12);
  EXPECT_NEAR(learning_rate(cycle, 9, 100, 10, 100), 1e-4, 1e-12);
  EXPECT_EQ(schedule_from_name("one_cycle"), ScheduleKind::one_cycle);
  EXPECT_THROW(schedule_from_name("linear"), Error);
}

}  // namespace
}  // namespace nouq
