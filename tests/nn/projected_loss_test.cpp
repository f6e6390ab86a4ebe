// The projection inside a loss: against dense algebra, by hand, and its adjoint by finite differences.
#include "nn/projected_loss.h"

#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <nouq/random.h>

#include "nn/architecture.h"
#include "nn/network.h"
#include "support/message.h"

namespace nouq {
namespace {

std::vector<double> normals(Index count, std::uint64_t from, double scale = 1, double shift = 0) {
  const Stream stream(11, Purpose::tests);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = shift + scale * stream.normal(from + i);
  return values;
}

// Three rows over a field of 12 values, which leave some places out.
FieldRows three_rows() {
  FieldRows rows;
  rows.begin = {0, 4, 6, 9};
  rows.place = {0, 2, 4, 6, 1, 3, 5, 7, 9};
  rows.weight = {0.5, 1, 1, 0.5, -2, 3, 0.1, 0.2, 0.3};
  rows.noise = {0.02, 0, 1.5};
  return rows;
}

// The plain twin: K = D G' (G D G' + R)^-1 with full matrices.
struct Dense {
  Dense(const FieldRows& rows, const std::vector<double>& variance) {
    const auto size = std::ssize(variance);
    g = Eigen::MatrixXd::Zero(rows.count(), size);
    for (Index r = 0; r < rows.count(); ++r) {
      for (Index k = rows.begin[r]; k < rows.begin[r + 1]; ++k) g(r, rows.place[k]) = rows.weight[k];
    }
    d = Eigen::Map<const Eigen::VectorXd>(variance.data(), size).asDiagonal();
    const Eigen::MatrixXd noise =
        Eigen::Map<const Eigen::VectorXd>(rows.noise.data(), rows.count()).asDiagonal();
    gain = d * g.transpose() * (g * d * g.transpose() + noise).inverse();
  }
  Eigen::VectorXd moved(const double* field, const std::vector<double>& values) const {
    const Eigen::VectorXd u = Eigen::Map<const Eigen::VectorXd>(field, d.rows());
    return u - gain * (g * u - Eigen::Map<const Eigen::VectorXd>(values.data(), std::ssize(values)));
  }
  Eigen::MatrixXd g, d, gain;
};

const std::vector<double> sums = {0.7, -0.3, 2};

TEST(RowProjection, OneRowByHand) {
  // Two equal weights of 1/2, variances 1 and 3, noise 1: s = 2; the mean 1 of 2 and 0 is to be 3.
  FieldRows rows{{0, 2}, {0, 1}, {0.5, 0.5}, {1}};
  const double value = 3;
  std::vector<double> mean = {2, 0}, variance = {1, 3};
  project_gaussian(rows, &value, mean.data(), variance.data());
  EXPECT_DOUBLE_EQ(mean[0], 2 + 0.5 * 1 * 2 / 2.0);
  EXPECT_DOUBLE_EQ(mean[1], 0 + 0.5 * 3 * 2 / 2.0);
  EXPECT_DOUBLE_EQ(variance[0], 1 - 0.25 / 2);
  EXPECT_DOUBLE_EQ(variance[1], 3 - 2.25 / 2);
}

TEST(RowProjection, AgreesWithDenseAlgebra) {
  const FieldRows rows = three_rows();
  std::vector<double> mean = normals(12, 0), variance = normals(12, 50);
  for (double& v : variance) v = 0.1 + v * v;
  const Dense dense(rows, variance);
  const Eigen::VectorXd expected = dense.moved(mean.data(), sums);
  const Eigen::VectorXd left = (dense.d - dense.gain * dense.g * dense.d).diagonal();
  project_gaussian(rows, sums.data(), mean.data(), variance.data());
  for (Index i = 0; i < 12; ++i) {
    EXPECT_NEAR(mean[i], expected(i), 1e-13) << i;
    EXPECT_NEAR(variance[i], left(i), 1e-13) << i;
  }
}

TEST(RowProjection, HeadsShareTheGainAndTheirMeanIsThatOfTheMoments) {
  const FieldRows rows = three_rows();
  const Heads heads{4, 12};
  std::vector<double> fields = normals(48, 100), mean(12), variance(12);
  head_moments(heads, fields.data(), mean.data(), variance.data());
  const Dense dense(rows, variance);
  std::vector<double> moved = fields;
  project_heads(rows, sums.data(), heads, variance.data(), moved.data());
  for (Index m = 0; m < 4; ++m) {
    const Eigen::VectorXd expected = dense.moved(fields.data() + 12 * m, sums);
    for (Index i = 0; i < 12; ++i) EXPECT_NEAR(moved[m * 12 + i], expected(i), 1e-13);
  }
  std::vector<double> moved_mean(12), left(12), unused = variance;
  head_moments(heads, moved.data(), moved_mean.data(), left.data());
  project_gaussian(rows, sums.data(), mean.data(), unused.data());
  for (Index i = 0; i < 12; ++i) EXPECT_NEAR(moved_mean[i], mean[i], 1e-13);
}

TEST(RowProjection, WithoutVarianceAndNoiseNothingMoves) {
  FieldRows rows = three_rows();
  rows.noise = {0, 0, 0};
  std::vector<double> mean = normals(12, 0), variance(12, 0.0), by_mean = normals(12, 9), by_variance(12, 1);
  const std::vector<double> before = mean, gradient = by_mean;
  project_gaussian(rows, sums.data(), mean.data(), variance.data());
  project_gaussian_adjoint(rows, sums.data(), mean.data(), variance.data(), by_mean.data(),
                           by_variance.data());
  EXPECT_EQ(mean, before);
  EXPECT_EQ(by_mean, gradient);
}

TEST(RowProjection, WrongRowsAreRefused) {
  const auto refusal = [](auto&& change) {
    FieldRows rows = three_rows();
    change(rows);
    return test::message_of([&] { validate(rows, 12); });
  };
  EXPECT_EQ(refusal([](FieldRows& rows) { rows.place[4] = 2; }),
            "rows of a field: two of them share place 2, expected each to have its own");
  EXPECT_EQ(refusal([](FieldRows& rows) { rows.place[8] = 12; }), "rows of a field of 12 values: place 12");
  EXPECT_EQ(refusal([](FieldRows& rows) { rows.noise[1] = -1; }),
            "rows of a field: noise variance -1, expected 0 or more");
  EXPECT_EQ(refusal([](FieldRows& rows) { rows.weight[0] = INFINITY; }),
            "rows of a field: weight inf at place 0");
  EXPECT_EQ(refusal([](FieldRows& rows) { rows.begin[1] = 10; }),
            "rows of a field: 4 row ends, 9 places and 9 weights for 3 rows");
}

std::vector<Loss> losses() {
  return {{LossKind::gaussian_nll, 2, 1}, {LossKind::gaussian_crps, 2, 1},
          {LossKind::relative_l2, 2, 3},  {LossKind::relative_l2_squared, 2, 3},
          {LossKind::heads_crps, 2, 3},   {LossKind::fair_crps, 2, 3}};
}

// 6 points and 2 channels are the 12 places.
TEST(ProjectedLoss, GradientAgreesWithFiniteDifferences) {
  const FieldRows rows = three_rows();
  for (const Loss& loss : losses()) {
    std::vector<double> outputs = normals(6 * loss.columns(), 200), gradient(outputs.size());
    const std::vector<double> targets = normals(12, 300, 1, 0.5);
    ProjectionScratch scratch;
    const auto value = [&] {
      return projected_loss<double>(loss, rows, sums.data(), outputs.data(), targets.data(), 6, nullptr,
                                    scratch);
    };
    const double at =
        projected_loss(loss, rows, sums.data(), outputs.data(), targets.data(), 6, gradient.data(), scratch);
    EXPECT_DOUBLE_EQ(at, value());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const double before = outputs[i], step = 1e-6;
      outputs[i] = before + step;
      const double above = value();
      outputs[i] = before - step;
      const double below = value();
      outputs[i] = before;
      EXPECT_NEAR(gradient[i], (above - below) / (2 * step), 1e-7 * (1 + std::abs(gradient[i])))
          << name(loss.kind) << " " << i;
    }
  }
}

// Without rows it is the plain loss, value and gradient.
TEST(ProjectedLoss, WithoutRowsIsThePlainLoss) {
  for (const Loss& loss : losses()) {
    const std::vector<double> outputs = normals(6 * loss.columns(), 200), targets = normals(12, 300, 1, 0.5);
    std::vector<double> gradient(outputs.size()), expected(outputs.size());
    ProjectionScratch scratch;
    const double value = projected_loss<double>(loss, {}, nullptr, outputs.data(), targets.data(), 6,
                                                gradient.data(), scratch);
    EXPECT_DOUBLE_EQ(value, sample_loss(loss, outputs.data(), targets.data(), 6, expected.data()));
    for (std::size_t i = 0; i < gradient.size(); ++i) EXPECT_NEAR(gradient[i], expected[i], 1e-14);
  }
}

// The whole composite: every parameter of a network of every architecture, through trunk, head, projection
// and loss.
TEST(ProjectedLoss, GradientsOfANetworkAgreeWithFiniteDifferences) {
  for (const std::string& architecture : architecture_names()) {
    for (const Loss& loss : losses()) {
      NetworkOptions options;
      options.modes = {2, 1};
      options.padding = {{1, std::nullopt}, {1, std::nullopt}};
      options.width = 3;
      options.blocks = 2;
      options.features = 6;
      options.outputs = loss.columns();
      options.head_bias = loss.gaussian();
      options = with_architecture(options, architecture);
      Network<double> network(options, {3, 2});
      std::vector<double> weights(network.layout().size()), gradient(weights.size()), sample(2);
      initialise(network.layout(), 5, weights.data());
      const std::vector<double> noise = normals(std::ssize(weights), 5000, 0.2);
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += noise[i];
      const std::vector<double> x = normals(12, 400), y = normals(24, 500, 1, 0.5), b = normals(6, 600);
      const FieldRows rows = three_rows();
      const BatchSums batch{&rows, b.data()};
      const auto value = [&] {
        return network.loss(weights.data(), x.data(), y.data(), 2, loss, sample, {}, batch);
      };
      const double at = network.loss_gradient(weights.data(), x.data(), y.data(), 2, loss, sample,
                                              gradient.data(), {}, batch);
      ASSERT_DOUBLE_EQ(at, value());
      const double plain = network.loss(weights.data(), x.data(), y.data(), 2, loss, sample);
      EXPECT_GT(std::abs(at - plain), 1e-3 * std::abs(plain)) << "the projection does nothing";
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const double before = weights[i], step = 1e-6;
        weights[i] = before + step;
        const double above = value();
        weights[i] = before - step;
        const double below = value();
        weights[i] = before;
        ASSERT_NEAR(gradient[i], (above - below) / (2 * step), 2e-7 * std::max(1.0, std::abs(at)))
            << architecture << " " << name(loss.kind) << " " << i;
      }
    }
  }
}

TEST(ProjectedLoss, SameBitsForAnyNumberOfThreads) {
  NetworkOptions options;
  options.modes = {2, 1};
  options.padding = {{1, std::nullopt}, {1, std::nullopt}};
  options.width = 3;
  options.outputs = 6;
  options.head_bias = false;
  const FieldRows rows = three_rows();
  const Loss loss{LossKind::fair_crps, 2, 3};
  const auto gradient_with = [&](int threads) {
    Network<float> network(options, {3, 2}, threads);
    Buffer<float> weights(network.layout().size()), gradient(weights.size());
    initialise(network.layout(), 5, weights.data());
    const std::vector<double> x = normals(7 * 6, 400), y = normals(7 * 12, 500, 1, 0.5), b = normals(21, 600);
    const std::vector<float> inputs(x.begin(), x.end()), targets(y.begin(), y.end());
    std::vector<double> sample(7);
    network.loss_gradient(weights.data(), inputs.data(), targets.data(), 7, loss, sample, gradient.data(), {},
                          {&rows, b.data()});
    return std::vector<float>(gradient.begin(), gradient.end());
  };
  const std::vector<float> one = gradient_with(1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(gradient_with(threads), one) << threads;
}

}  // namespace
}  // namespace nouq
