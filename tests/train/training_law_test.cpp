// The projection inside training: rows and values in the network's units, and a training with them.
#include "train/training_law.h"

#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/message.h"
#include "support/small_training.h"
#include "train/fingerprint.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

// The mean over x at every time, which is a / 2: the sine cancels over the cells.
DataSet with_mass(DataSet data) {
  const Index times = data.grid[1].size();
  Array<double> mass({data.size(), times});
  for (Index s = 0; s < data.size(); ++s) {
    for (Index t = 0; t < times; ++t)
      mass[s * times + t] = 0.5 * static_cast<double>(data.inputs[s * data.inputs.size() / data.size()]);
  }
  data.constraint_values["mass"] = mass;
  return data;
}

std::shared_ptr<const TrainingLaw> mean_law(double noise = 1e-6) {
  TrainingLaw law;
  law.names = {"mass"};
  for (Index t = 0; t < 8; ++t) {
    for (Index x = 0; x < 16; ++x) {
      law.rows.place.push_back(x * 8 + t);
      law.rows.weight.push_back(1.0 / 16);
    }
    law.rows.begin.push_back(std::ssize(law.rows.place));
    law.rows.noise.push_back(noise);
  }
  return std::make_shared<const TrainingLaw>(law);
}

std::vector<TrainerOptions> projected_trainings() {
  TrainerOptions variance = test::small_options(), heads = test::small_options();
  variance.law = heads.law = mean_law();
  variance.epochs = heads.epochs = 4;
  variance.network.outputs = 2;
  variance.loss = {LossKind::gaussian_crps, 1, 1};
  heads.network.outputs = 3;
  heads.network.head_bias = false;
  heads.loss = {LossKind::relative_l2, 1, 3};
  return {variance, heads};
}

class StopAfter : public TrainObserver {
 public:
  explicit StopAfter(int steps) : left_(steps) {}
  bool should_stop() override { return left_-- <= 0; }

 private:
  int left_;
};

class TrainingLawTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("nouq_training_law_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<float> weights_of(const TrainerOptions& options) const {
    Trainer trainer(options, train_, validation_);
    trainer.train();
    return {trainer.weights().begin(), trainer.weights().end()};
  }

  fs::path folder_;
  DataSet train_ = with_mass(test::small_data(24, 1));
  DataSet validation_ = with_mass(test::small_data(8, 2));
};

TEST_F(TrainingLawTest, ResidualsAreTheSameInUnitsOfTheNetwork) {
  const auto law = mean_law();
  const ScaledData scaled(train_, {}, Normalisation({0.3}, {2.5}));
  const FieldRows rows = scaled_rows(*law, scaled.output_normalisation());
  const Array<double> values = scaled_values(*law, scaled);
  std::vector<float> inputs(128), outputs(128);
  for (const Index sample : {Index{0}, Index{5}, Index{23}}) {
    scaled.gather(std::vector<Index>{sample}, inputs.data(), outputs.data());
    for (Index r = 0; r < 8; ++r) {
      double residual = -values[sample * 8 + r];
      for (Index k = rows.begin[r]; k < rows.begin[r + 1]; ++k)
        residual += rows.weight[k] * static_cast<double>(outputs[rows.place[k]]);
      EXPECT_NEAR(residual, 0, 1e-6);  // as in the data's own
    }
  }
}

TEST_F(TrainingLawTest, ItChangesTheTrainingAndLearns) {
  for (TrainerOptions options : projected_trainings()) {
    const std::vector<float> projected = weights_of(options);
    options.epochs = 60;
    Trainer trainer(options, train_, validation_);
    trainer.train();
    const auto& history = trainer.history();
    EXPECT_LT(history[trainer.best_epoch()].validation_loss, 0.2 * history[0].validation_loss);
    EXPECT_DOUBLE_EQ(trainer.evaluate(validation_), history[trainer.best_epoch()].validation_loss);
    options.epochs = 4;
    options.law = nullptr;
    EXPECT_NE(weights_of(options), projected);
  }
}

TEST_F(TrainingLawTest, SameBitsForAnyNumberOfThreadsAndAfterAnInterruption) {
  int number = 0;
  for (TrainerOptions options : projected_trainings()) {
    const std::vector<float> one = weights_of(options);
    for (const int threads : {2, 3, 7}) {
      options.threads = threads;
      EXPECT_EQ(weights_of(options), one) << threads;
    }
    options.checkpoint = folder_ / std::to_string(number++);
    StopAfter stop(6);
    Trainer interrupted(options, train_, validation_);
    ASSERT_EQ(interrupted.train(&stop), TrainEnd::stopped);
    EXPECT_EQ(weights_of(options), one);
  }
}

TEST_F(TrainingLawTest, TheFingerprintNamesItOnlyWhenThereIsOne) {
  TrainerOptions options = projected_trainings().front();
  const std::string with = training_fingerprint(options, train_, validation_);
  EXPECT_NE(with.find(R"("law":")"), std::string::npos);
  DataSet other = validation_;
  other.constraint_values["mass"][3] += 1e-9;
  EXPECT_NE(training_fingerprint(options, train_, other), with);
  options.law = mean_law(2e-6);
  EXPECT_NE(training_fingerprint(options, train_, validation_), with);
  options.law = nullptr;
  EXPECT_EQ(training_fingerprint(options, train_, validation_).find("law"), std::string::npos);
}

TEST_F(TrainingLawTest, DataWithoutItsValuesAreRefused) {
  const TrainerOptions options = projected_trainings().front();
  const auto refusal = [&](const DataSet& train, const DataSet& validation) {
    return test::message_of([&] { validate(options, train, validation); });
  };
  EXPECT_EQ(refusal(train_, validation_), "");
  DataSet without = validation_;
  without.constraint_values.clear();
  EXPECT_EQ(refusal(train_, without),
            "validation data: no values of the law 'mass', which the loss is to be projected onto");
  DataSet bad = train_;
  bad.constraint_values["mass"][2] = std::numeric_limits<double>::infinity();
  EXPECT_NE(refusal(bad, validation_), "");
  DataSet few = train_;
  few.constraint_values["mass"] = Array<double>({24, 4}, 0.5);
  EXPECT_NE(refusal(few, validation_), "");
}

}  // namespace
}  // namespace nouq
