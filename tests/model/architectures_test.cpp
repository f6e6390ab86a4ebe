// Every method with every architecture: threads, interruption, model file, other grids.
#include <gtest/gtest.h>

#include "core/tensor_file.h"
#include "data/temporary_folder.h"
#include "model/model_file.h"
#include "nn/architecture.h"
#include "support/message.h"
#include "support/small_fit.h"
#include "uq/predictor.h"

namespace nouq {
namespace {

using test::small_data;

using Names = std::tuple<std::string, std::string>;

class EveryNetwork : public testing::TestWithParam<Names> {
 protected:
  [[nodiscard]] static FitOptions options(int threads) {
    const auto& [architecture, method] = GetParam();
    FitOptions options = test::small_fit(method, 4, threads);
    options.method.set("warmup", 1);
    options.train.network = with_architecture(options.train.network, architecture);
    return options;
  }
  DataSet train_ = small_data(14, 1), validation_ = small_data(7, 2);
};

struct StopAfter final : FitObserver {
  void on_epoch(Index /*network*/, const EpochRecord& /*record*/, Index /*best*/) override { ++epochs; }
  bool should_stop() override { return epochs >= 2; }
  Index epochs = 0;
};

TEST_P(EveryNetwork, IsTheSameForAnyNumberOfThreadsInterruptedOrNot) {
  const auto one = fit(options(1), train_, validation_);
  ASSERT_TRUE(one);
  EXPECT_EQ(*fit(options(3), train_, validation_), *one);
  const test::TemporaryFolder folder;
  FitOptions resumable = options(1);
  resumable.folder = folder / "";
  StopAfter stop;
  EXPECT_FALSE(fit(resumable, train_, validation_, &stop));
  resumable.threads = 2;
  EXPECT_EQ(*fit(resumable, train_, validation_), *one);
  const Prediction expected = predict(*one, validation_.inputs.view(), {true, 1});
  const Prediction threaded = predict(*one, validation_.inputs.view(), {true, 3});
  EXPECT_EQ(threaded.mean, expected.mean);
  EXPECT_EQ(threaded.variance, expected.variance);
}

TEST_P(EveryNetwork, LearnsAndComesBackFromItsFile) {
  const auto fitted = fit(options(2), train_, validation_);
  const Array<double>& history = fitted->history.at("network.0");
  EXPECT_LT(history[3 * (history.extent(0) - 1)], history[0]) << "the training loss fell";
  const test::TemporaryFolder folder;
  const auto path = folder / "model.nouq";
  save_model(*fitted, path);
  const Surrogate loaded = load_model(path);
  EXPECT_TRUE(loaded == *fitted);
  EXPECT_EQ(loaded.network.architecture, std::get<0>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Networks, EveryNetwork,
                         testing::Combine(testing::ValuesIn(architecture_names()),
                                          testing::ValuesIn(method_names())),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" + std::get<1>(test.param);
                         });

// A model of an architecture that only its maker's program knows.
TEST(ModelArchitecture, OfAnUnknownArchitectureIsRefusedByName) {
  const auto fitted = fit(test::small_fit("bayesian", 1), small_data(8, 1), small_data(4, 2));
  const test::TemporaryFolder folder;
  const auto path = folder / "model.nouq";
  save_model(*fitted, path);
  const TensorFile file(path);
  TensorFileWriter changed;
  changed.metadata = file.metadata();
  changed.metadata.erase("crc64");
  std::string& network = changed.metadata.at("network");
  network.insert(1, R"("architecture":"wavelet",)");
  for (const std::string& name : file.names()) {
    if (name.starts_with("network.")) {
      changed.add(name, file.floats(name));
    } else {
      changed.add(name, file.doubles(name));
    }
  }
  const auto other = folder / "other.nouq";
  changed.write(other);
  const std::string message = test::message_of([&] { load_model(other); });
  EXPECT_NE(message.find("architecture 'wavelet'"), std::string::npos) << message;
  EXPECT_NE(message.find("other.nouq"), std::string::npos) << message;
}

}  // namespace
}  // namespace nouq
