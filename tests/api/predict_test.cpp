// The public interfaces repeat the library's own predictions bit for bit, whatever the arrays look like.
#include <thread>

#include "api/model_case.h"

namespace nouq {
namespace {

using test::LoadedCase;
using test::ModelCase;

class EveryModel : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Golden, EveryModel, testing::Values("a_fno2d", "b_diverse"));

TEST_P(EveryModel, AnswersInCppWithTheSameBits) {
  const ModelCase c(GetParam());
  const Answer answer = c.model.predict(Input(c.inputs.data(), c.layout()), true);
  EXPECT_EQ(answer.shape, c.expected.mean.shape());
  EXPECT_EQ(Array<double>(answer.shape, answer.mean), c.expected.mean);
  EXPECT_EQ(Array<double>(answer.shape, answer.deviation), c.deviation);
  EXPECT_EQ(answer.samples, std::vector<double>(c.expected.samples.begin(), c.expected.samples.end()));
  EXPECT_EQ(answer.trust.size(), c.model.info().has_trust ? 3U : 0U);
}

TEST_P(EveryModel, AnswersInCWithTheSameBits) {
  const LoadedCase c(GetParam());
  Array<double> mean(c.inputs.shape()), deviation(c.inputs.shape());
  Array<double> samples = c.expected.samples;
  std::fill(samples.begin(), samples.end(), 0.0);
  const nouq_array x = test::row_major(c.inputs), m = test::row_major(mean), d = test::row_major(deviation),
                   s = test::row_major(samples);
  ASSERT_EQ(nouq_predict(c.handle, &x, &m, &d, c.model.info().members == 0 ? nullptr : &s, nullptr, nullptr),
            NOUQ_OK)
      << nouq_last_error();
  EXPECT_EQ(mean, c.expected.mean);
  EXPECT_EQ(deviation, c.deviation);
  if (c.model.info().members > 0) {
    EXPECT_EQ(samples, c.expected.samples);
  }
}

// [sample][x][t] in row-major order against Fortran's order of the same array.
template <class T>
std::vector<T> column_major(const auto& values) {
  std::vector<T> turned;
  for (Index t = 0; t < 20; ++t) {
    for (Index x = 0; x < 100; ++x) {
      for (Index s = 0; s < 3; ++s) turned.push_back(static_cast<T>(values[(s * 100 + x) * 20 + t]));
    }
  }
  return turned;
}

TEST(Predict, AcceptsColumnMajorAndBothPrecisions) {
  const LoadedCase c("b_diverse");
  const auto inputs = column_major<double>(c.inputs);
  std::vector<float> mean(inputs.size());
  std::vector<double> deviation(inputs.size());
  const int64_t extents[] = {3, 100, 20, 1};
  const nouq_array x = nouq_column_major(inputs.data(), NOUQ_FLOAT64, 4, extents);
  const nouq_array m = nouq_column_major(mean.data(), NOUQ_FLOAT32, 4, extents);
  const nouq_array d = nouq_column_major(deviation.data(), NOUQ_FLOAT64, 4, extents);
  ASSERT_EQ(nouq_predict(c.handle, &x, &m, &d, nullptr, nullptr, nullptr), NOUQ_OK) << nouq_last_error();
  EXPECT_EQ(mean, column_major<float>(c.expected.mean));
  EXPECT_EQ(deviation, column_major<double>(c.deviation));
}

TEST(Predict, OneFieldNeedsNoSampleAndChannelExtents) {
  const ModelCase c("b_diverse");
  std::vector<double> mean(2000), samples(4 * 2000);
  Outputs outputs;
  outputs.mean = {mean.data(), {100, 20}};
  outputs.samples = {samples.data(), {4, 100, 20}};
  const Array<float> second({100, 20}, {c.inputs.begin() + 2000, c.inputs.begin() + 4000});
  c.model.predict(Input(second.data(), {100, 20}), outputs);
  EXPECT_TRUE(std::equal(mean.begin(), mean.end(), c.expected.mean.begin() + 2000));
  EXPECT_TRUE(std::equal(samples.begin(), samples.end(), c.expected.samples.begin() + 8000));
}

TEST(Predict, AConstantInputIsOneNumberWithoutStrides) {
  const ModelCase c("b_diverse");
  const float value = 0.25F;
  const std::array<std::int64_t, 2> extents = {100, 20}, none = {0, 0};
  const Answer answer = c.model.predict(Input(&value, Layout(extents, none)));
  const std::vector<float> field(2000, value);
  EXPECT_EQ(answer.mean, c.model.predict(Input(field.data(), {100, 20})).mean);
}

TEST(Predict, AnswersInPartsAreThoseOfTheWhole) {
  const ModelCase c("b_diverse");
  std::vector<float> many;
  for (int i = 0; i < 15; ++i) many.insert(many.end(), c.inputs.begin(), c.inputs.end());
  const Answer answer = c.model.predict(Input(many.data(), {45, 100, 20, 1}), true);
  for (std::size_t i = 0; i < answer.mean.size(); ++i)
    ASSERT_EQ(answer.mean[i], c.expected.mean[static_cast<Index>(i % 6000)]);
  for (std::size_t i = 0; i < answer.samples.size(); ++i)
    ASSERT_EQ(answer.samples[i], c.expected.samples[static_cast<Index>(i % 24000)]);
  EXPECT_EQ(answer.trust.size(), 45U);
  EXPECT_EQ(answer.trust[44].score, answer.trust[2].score);
}

TEST(Predict, JudgesByTheModelsCalibration) {
  const ModelCase c("b_diverse");
  const Answer answer = c.model.predict(Input(c.inputs.data(), c.layout()));
  double spread = 0, size = 0;
  for (Index i = 0; i < 2000; ++i) {
    spread += c.expected.variance[i];
    size += c.expected.mean[i] * c.expected.mean[i];
  }
  EXPECT_NEAR(answer.trust[0].score, std::sqrt(spread / size) / 0.5, 1e-12);
}

TEST(Predict, EightThreadsShareOneModel) {
  const LoadedCase c("b_diverse");
  std::vector<std::thread> threads;
  std::vector<int> wrong(8, 0);
  for (std::size_t k = 0; k < 8; ++k) {
    threads.emplace_back([&, k] {
      Array<double> mean(c.inputs.shape()), deviation(c.inputs.shape());
      const nouq_array x = test::row_major(c.inputs), m = test::row_major(mean),
                       d = test::row_major(deviation);
      for (int round = 0; round < 5; ++round) {
        const nouq_status status = nouq_predict(c.handle, &x, &m, &d, nullptr, nullptr, nullptr);
        if (status != NOUQ_OK || mean != c.expected.mean || deviation != c.deviation) ++wrong[k];
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(8, 0));
}

TEST(Predict, MoreThreadsGiveTheSameBits) {
  ModelCase c("b_diverse");
  c.model.set_threads(3);
  const Answer answer = c.model.predict(Input(c.inputs.data(), c.layout()));
  EXPECT_EQ(Array<double>(answer.shape, answer.mean), c.expected.mean);
}

}  // namespace
}  // namespace nouq
