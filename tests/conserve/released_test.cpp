// The released code's projections (golden f_probconserv): plain, and after smoothing with alpha = 0.5. The
// published figures were computed in single precision, hence 1e-6 of the largest value.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <nouq/grid.h>

#include "conserve/constraint_kinds.h"
#include "conserve/projection.h"
#include "conserve/smoothing.h"
#include "support/npy.h"

namespace nouq {
namespace {

constexpr double released_noise = 1e-9;

struct Case {
  explicit Case(const std::string& problem) : folder("f_probconserv/" + problem + "/") {
    layout.grid = {{"x", "", linspace(0, 1, 100)}, {"t", "", linspace(0, 1, 20)}};
    mean = test::read_npy(folder + "mu.npy");
    variance = test::read_npy(folder + "std.npy");
    for (double& value : variance) value *= value;
    constraints =
        integral_constraints(layout, {"x"}, Quadrature::trapezoid, test::read_npy(folder + "mass_rhs.npy"));
    constraints.set_noise_variance(released_noise);
  }
  [[nodiscard]] PredictionView prediction() const { return {mean.view(), variance.view(), {}}; }
  // Mean and covariance at one time of the first example.
  [[nodiscard]] DenseGaussian line(Index t) const {
    DenseGaussian gaussian{Eigen::VectorXd(100), Eigen::MatrixXd::Zero(100, 100)};
    for (Index x = 0; x < 100; ++x) {
      gaussian.mean[x] = mean[x * 20 + t];
      gaussian.covariance(x, x) = variance[x * 20 + t];
    }
    return gaussian;
  }
  [[nodiscard]] DenseGaussian conditioned(const DenseGaussian& prior, Index t) const {
    const auto weights = trapezoid_weights(layout.grid[0].coordinates);
    return condition(prior, Eigen::Map<const Eigen::RowVectorXd>(weights.data(), 100),
                     Eigen::VectorXd::Constant(1, constraints.right_hand_side(0)[t]),
                     Eigen::VectorXd::Constant(1, released_noise));
  }

  std::string folder;
  FieldLayout layout;
  Array<double> mean, variance;
  LinearConstraints constraints;
};

void expect_near_of_scale(const Array<double>& found, const Array<double>& expected,
                          const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  double scale = 0, difference = 0;
  for (Index i = 0; i < found.size(); ++i) {
    scale = std::max(scale, std::abs(expected[i]));
    difference = std::max(difference, std::abs(found[i] - expected[i]));
  }
  EXPECT_LE(difference, 1e-6 * scale) << what;
}

void expect_released(const Case& one, const Array<double>& mean, Array<double> variance,
                     const std::string& kind) {
  for (double& value : variance) value = std::sqrt(value);
  expect_near_of_scale(mean, test::read_npy(one.folder + kind + "/new_mu.npy"), one.folder + kind + " mean");
  expect_near_of_scale(variance, test::read_npy(one.folder + kind + "/new_std.npy"),
                       one.folder + kind + " std");
}

// The stored covariances are those of times 4 and 15 of the first example, upper triangles row by row.
void expect_released_covariance(const Case& one, const DenseGaussian& early, const DenseGaussian& late,
                                const std::string& kind) {
  Array<double> found({2, 5050});
  Index at = 0;
  for (const DenseGaussian* gaussian : {&early, &late}) {
    for (Index i = 0; i < 100; ++i) {
      for (Index j = i; j < 100; ++j) found[at++] = gaussian->covariance(i, j);
    }
  }
  expect_near_of_scale(found, test::read_npy(one.folder + kind + "/new_cov_ex0_t4_t15_upper.npy"),
                       one.folder + kind + " covariance");
}

class Released : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Problems, Released, testing::Values("pme", "stefan"));

TEST_P(Released, PlainProjection) {
  const Case one(GetParam());
  Array<double> mean(one.mean.shape()), variance(one.mean.shape());
  Projector projector(one.constraints, one.layout, {});
  projector.project(one.prediction(), {mean.view(), variance.view(), {}});
  expect_released(one, mean, variance, "plain");
  expect_released_covariance(one, one.conditioned(one.line(4), 4), one.conditioned(one.line(15), 15),
                             "plain");
}

TEST_P(Released, SmoothedProjection) {
  const Case one(GetParam());
  Array<double> mean(one.mean.shape()), variance(one.mean.shape());
  project_smoothed(one.constraints, one.layout, "x", 0.5, one.prediction(),
                   {mean.view(), variance.view(), {}});
  expect_released(one, mean, variance, "sd05");
  const auto smoothed = [&](Index t) {
    const DenseGaussian line = one.line(t);
    return one.conditioned(smooth(line.mean, line.covariance.diagonal(), 0.5), t);
  };
  expect_released_covariance(one, smoothed(4), smoothed(15), "sd05");
}

}  // namespace
}  // namespace nouq
