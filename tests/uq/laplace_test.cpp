// The last-layer Laplace approximation: against the authors' arrays, finite differences and a dense twin.
#include "uq/laplace.h"

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>
#include <nouq/random.h>

#include "support/released.h"
#include "uq/predictor.h"

namespace nouq {
namespace {

using test::read_npy;

struct Released {
  Released() {
    options.width = 8;
    const auto values = test::read_released("g_laplace/w", options);
    weights.assign(values.begin(), values.end());
  }
  // Constant input fields.
  static std::vector<double> inputs(const std::string& file) {
    const auto x = read_npy("g_laplace/" + file);
    std::vector<double> fields;
    for (const double value : x) fields.insert(fields.end(), 2000, value);
    return fields;
  }
  LaplaceSums sums() {
    Network<double> network(options, {100, 20});
    const auto x = inputs("x_train.npy");
    const auto y = read_npy("g_laplace/y_train.npy");
    const FieldsOf<double> fields_of = [&](Index first, Index /*count*/) {
      return SampleFields<double>{x.data() + first * 2000, y.data() + first * 2000};
    };
    return laplace_sums(network, weights.data(), fields_of, 5, 2);
  }
  [[nodiscard]] Eigen::VectorXd theta() const {
    const auto mean = read_npy("g_laplace/mean.npy");
    return Eigen::Map<const Eigen::VectorXd>(mean.data(), mean.size());
  }
  NetworkOptions options;
  std::vector<double> weights;
};

TEST(LaplaceGolden, SumsOverTheTrainingPoints) {
  const LaplaceSums sums = Released().sums();
  const auto h = read_npy("g_laplace/H.npy");
  for (Index j = 0; j < h.size(); ++j) EXPECT_NEAR(sums.h(j, j) / h[j], 1.0, 1e-5) << j;
  EXPECT_EQ(sums.h(128, 128), 10000.0);
  EXPECT_NEAR(0.5 * sums.squared_error(0) / read_npy("g_laplace/loss.npy")[0], 1.0, 1e-5);
}

// The authors' own H and error in, so that only the formula and the climb are compared.
TEST(LaplaceGolden, EveryStepOfTheClimb) {
  const auto h = read_npy("g_laplace/H.npy");
  const auto trajectory = read_npy("g_laplace/traj.npy");
  LaplaceSums sums{Eigen::MatrixXd::Zero(129, 129), Eigen::VectorXd(1), 5, 10000};
  for (Index j = 0; j < 129; ++j) sums.h(j, j) = h[j];
  sums.squared_error(0) = 2.0 * read_npy("g_laplace/loss.npy")[0];
  const Eigen::VectorXd theta = Released().theta();
  for (const Index steps : {1, 2, 10, 100, 500, 1000}) {
    const LaplacePosterior p = fit_laplace({.steps = steps}, sums, 0, theta);
    const double* row = trajectory.data() + 3 * (steps - 1);
    // The stored climb went through float32 parameters.
    EXPECT_NEAR(p.prior_precision / row[0], 1.0, 1e-5) << steps;
    EXPECT_NEAR(p.noise / row[1], 1.0, 1e-5) << steps;
    EXPECT_NEAR(p.log_marginal_likelihood / row[2], 1.0, 1e-5) << steps;
  }
}

TEST(LaplaceGolden, MeanAndVarianceOfTheTestInputs) {
  Released released;
  Surrogate s;
  s.method = "bayesian";
  s.network = released.options;
  s.grid = {{"x", "", linspace(0, 1, 100)}, {"t", "", linspace(0, 1, 20)}};
  s.input_channels = {{"m", ""}};
  s.output_channels = {{"u", ""}};
  s.weights = {{released.weights.begin(), released.weights.end()}};
  const auto stored = read_npy("g_laplace/prior_sigma_stored.npy");
  const auto h = read_npy("g_laplace/H.npy");
  Array<double> covariance({1, 129});
  for (Index j = 0; j < 129; ++j) covariance[j] = 1.0 / (h[j] / (stored[1] * stored[1]) + stored[0]);
  s.state["laplace.covariance"] = covariance;
  s.state["laplace.noise"] = number(stored[1]);
  s.state["laplace.add_noise"] = number(0);
  const auto x = Released::inputs("x_test.npy");
  const Array<float> inputs({2, 100, 20, 1}, std::vector<float>(x.begin(), x.end()));
  const Prediction p = predict(s, inputs.view());
  const auto mu = read_npy("g_laplace/mu_test.npy"), var = read_npy("g_laplace/var_test.npy");
  for (Index i = 0; i < mu.size(); ++i) {
    ASSERT_NEAR(p.mean[i], mu[i], 2e-6);
    ASSERT_NEAR(p.variance[i] / var[i], 1.0, 1e-5);
  }
}

TEST(Laplace, SlopesOfTheMarginalLikelihood) {
  const Eigen::VectorXd spectrum = Eigen::VectorXd::LinSpaced(7, 0.0, 30.0);
  const auto value = [&](double log_delta, double log_sigma) {
    return marginal_likelihood(std::exp(log_delta), std::exp(log_sigma), 2.5, 40, spectrum, 1.7);
  };
  const auto at = value(0.3, -0.4);
  const double step = 1e-5;
  EXPECT_NEAR(at.by_log_delta, (value(0.3 + step, -0.4).value - value(0.3 - step, -0.4).value) / (2 * step),
              1e-7);
  EXPECT_NEAR(at.by_log_sigma, (value(0.3, -0.4 + step).value - value(0.3, -0.4 - step).value) / (2 * step),
              1e-7);
}

// Full covariance: the value is that of the dense determinant, the root gives the dense inverse.
TEST(Laplace, FullCovarianceAgreesWithTheDenseTwin) {
  const Stream stream(1, Purpose::tests);
  Eigen::MatrixXd z(20, 6);
  for (Index i = 0; i < z.size(); ++i) z.data()[i] = stream.normal(static_cast<std::uint64_t>(i));
  z.col(5) = z.col(0) + z.col(1);  // linearly dependent features
  LaplaceSums sums{z.transpose() * z, Eigen::VectorXd::Constant(1, 3.0), 4, 20};
  const Eigen::VectorXd theta = Eigen::VectorXd::LinSpaced(6, -1, 1);
  const LaplacePosterior p = fit_laplace(
      {.covariance = LaplaceCovariance::full, .count_points = true, .steps = 300}, sums, 0, theta);
  const Eigen::MatrixXd precision =
      sums.h / (p.noise * p.noise) + p.prior_precision * Eigen::MatrixXd::Identity(6, 6);
  const Eigen::MatrixXd dense = precision.inverse();
  EXPECT_LT((p.covariance_root * p.covariance_root.transpose() - dense).norm() / dense.norm(), 1e-10);
  const double expected = -1.5 / (p.noise * p.noise) - 20 * std::log(p.noise * std::sqrt(2 * M_PI)) -
                          0.5 * (std::log((precision / p.prior_precision).determinant()) +
                                 p.prior_precision * theta.squaredNorm());
  EXPECT_NEAR(p.log_marginal_likelihood, expected, 1e-9 * std::abs(expected));
  // At the optimum sigma^2 = SSE / (n - effective parameters), whatever the count.
  const double effective = (sums.h / (p.noise * p.noise) * dense).trace();
  EXPECT_NEAR(p.noise * p.noise, 3.0 / (20 - effective), 1e-3);
}

}  // namespace
}  // namespace nouq
