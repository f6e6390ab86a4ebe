// Projection with smoothing: the prediction is first conditioned on being smooth, then on its integral.
//
// The released code's variant `second_deriv_alpha`. For every line along an axis (at every time), with
// Sigma = diag(variance):
//   1. condition on A u = 0 + noise, A the second differences (1, -2, 1) and the noise the variance that A u
//      would have if neighbours had correlation alpha and next-but-one neighbours alpha^2;
//   2. condition the result, covariance and all, on the constraint's row.
// When: for fields known to be smooth; at a front it blurs. The covariance of a line is a dense block (points
// along the axis squared), lines are independent.
#pragma once

#include <Eigen/Dense>

#include "conserve/projection.h"

namespace nouq {

struct DenseGaussian {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
};

// The Gaussian given rows u = values + noise of these variances.
DenseGaussian condition(const DenseGaussian& prior, const Eigen::MatrixXd& rows,
                        const Eigen::VectorXd& values, const Eigen::VectorXd& noise);

// Step 1 for one line.
DenseGaussian smooth(const Eigen::VectorXd& mean, const Eigen::VectorXd& variance, double alpha);

// Both steps for every line along the axis. Each row of the constraints must lie in one line. Samples are not
// used.
void project_smoothed(const LinearConstraints& constraints, const FieldLayout& layout,
                      const std::string& axis, double alpha, const PredictionView& prediction,
                      const ProjectedView& projected, int threads = 0);

}  // namespace nouq
