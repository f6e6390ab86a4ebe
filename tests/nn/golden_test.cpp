// The network against arrays computed with the authors' released code (tests/golden/README.md).
#include <cmath>

#include <gtest/gtest.h>

#include "kernels/adam.h"
#include "kernels/target.h"
#include "nn/golden_case.h"

namespace nouq {
namespace {

using test::golden_options;
using test::GoldenCase;

class GoldenOnEveryTarget : public testing::TestWithParam<Target> {
 protected:
  void SetUp() override { force_target(GetParam()); }
  void TearDown() override { force_target(supported_targets().back()); }
};

TEST_P(GoldenOnEveryTarget, OutputLossAndGradientsOfTheFno) {
  GoldenCase<float> golden("a_fno2d", golden_options(1));
  Buffer<float> out(3 * 2000);
  golden.network.predict(golden.weights.data(), golden.x.data(), 3, out.data());
  const auto expected = test::read_npy("a_fno2d/out_f64.npy");
  for (Index i = 0; i < expected.size(); ++i) ASSERT_NEAR(out[i], expected[i], 2e-6);
  EXPECT_NEAR(golden.step({}) / test::read_npy("a_fno2d/loss.npy")[1], 1.0, 1e-6);
  golden.expect_gradients("a_fno2d", 1e-5);
}

TEST_P(GoldenOnEveryTarget, MeanVarianceLossAndGradientsOfTheVarianceNetwork) {
  GoldenCase<float> golden("c_outputvar", golden_options(2));
  Buffer<float> out(3 * 2000 * 2);
  golden.network.predict(golden.weights.data(), golden.x.data(), 3, out.data());
  const auto mu = test::read_npy("c_outputvar/mu_f64.npy");
  const auto var = test::read_npy("c_outputvar/var_f64.npy");
  for (Index i = 0; i < mu.size(); ++i) {
    ASSERT_NEAR(out[2 * i], mu[i], 2e-6);
    ASSERT_NEAR(softplus(out[2 * i + 1]), var[i], 2e-6);
  }
  EXPECT_NEAR(golden.step({LossKind::gaussian_nll}) / test::read_npy("c_outputvar/loss.npy")[1], 1.0, 1e-6);
  golden.expect_gradients("c_outputvar", 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Targets, GoldenOnEveryTarget, testing::ValuesIn(supported_targets()),
                         [](const auto& test) {
                           return test.param == Target::avx512 ? std::string("avx512")
                                  : test.param == Target::avx2 ? "avx2"
                                                               : "portable";
                         });

// In double the only difference left is the coordinates' and the arrays' own rounding.
TEST(Golden, DoubleAgreesToTheStoredPrecision) {
  GoldenCase<double> golden("a_fno2d", golden_options(1));
  EXPECT_NEAR(golden.step({}), test::read_npy("a_fno2d/loss.npy")[1], 1e-11);
  golden.expect_gradients("a_fno2d", 2e-7);
}

TEST(Golden, ThreeAdamSteps) {
  GoldenCase<float> golden("a_fno2d", golden_options(1));
  Buffer<float> m(golden.weights.size(), 0.0F), v(golden.weights.size(), 0.0F);
  const auto losses =
      test::read_npy("a_fno2d/adam_losses.npy");  // row 1: before steps 1, 2, 3 and after, in double
  for (Index step = 1; step <= 3; ++step) {
    EXPECT_NEAR(golden.step({}) / losses[4 + step - 1], 1.0, 2e-6);
    adam(AdamStep{.step = step}, golden.gradient.data(), std::ssize(golden.weights), golden.weights.data(),
         m.data(), v.data());
  }
  EXPECT_NEAR(golden.step({}) / losses[7], 1.0, 2e-6);
  const auto expected = test::read_released("a_fno2d/adam3", golden.options);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(golden.weights[i], expected[i], 5e-6);
}

}  // namespace
}  // namespace nouq
