// Last-layer Laplace approximation: a Gaussian over the weights of the last layer, around the trained ones.
//
// With features phi (a constant 1 appended for the bias), H = sum over training points of phi phi', prior
// precision delta and noise sigma:
//   precision of the weights  Lambda = H / sigma^2 + delta I       (or its diagonal)
//   variance of a prediction  phi' Lambda^-1 phi                   (+ sigma^2 on request)
//   log marginal likelihood   -SSE / (2 sigma^2) - n log(sigma sqrt(2 pi))
//                             - 1/2 [log det(Lambda / delta) + delta |theta|^2]
// delta and sigma maximise the last by 1000 steps of Adam (rate 0.1) on their logarithms, from e, as
// released.
//
// Why: no Jacobian is ever built. H is one matrix of (features + 1)^2 whatever the number of points, and a
// prediction costs one product with its inverse root. As released, n counts functions, not grid points,
// which makes sigma far larger than the residuals and the variance useful; `count_points` corrects it.
// Contract: everything in double. Channels share H and have their own delta and sigma.
#pragma once

#include <functional>
#include <string_view>

#include <Eigen/Core>

#include "nn/network.h"

namespace nouq {

enum class LaplaceCovariance { diagonal, full };
LaplaceCovariance laplace_covariance_from_name(std::string_view name);

struct LaplaceOptions {
  LaplaceCovariance covariance = LaplaceCovariance::diagonal;
  bool count_points = false;  // in the likelihood: every grid point, not every function
  bool add_noise = false;     // sigma^2 to the predicted variance
  Index steps = 1000;
};

// Sums over the training data; only they enter the fit.
struct LaplaceSums {
  Eigen::MatrixXd h;              // [features + 1][features + 1]
  Eigen::VectorXd squared_error;  // per channel, over all samples and points
  Index functions = 0;
  Index points = 0;  // of all functions
};

// Inputs [count][points][...] and targets [count][points][channels] of the samples from `first` on.
template <class T>
struct SampleFields {
  const T* inputs = nullptr;
  const T* targets = nullptr;
};
template <class T>
using FieldsOf = std::function<SampleFields<T>(Index first, Index count)>;

// `parameters` are of a network with one head and a bias.
template <class T>
LaplaceSums laplace_sums(Network<T>& network, const T* parameters, const FieldsOf<T>& fields_of,
                         Index samples, Index batch);

struct LaplacePosterior {
  double prior_precision = 0;  // delta
  double noise = 0;            // sigma
  double log_marginal_likelihood = 0;
  // Lambda^-1 = root root': [features + 1][features + 1]; for the diagonal form one column of variances.
  Eigen::MatrixXd covariance_root;
};

// One channel: theta are its last-layer weights and bias.
LaplacePosterior fit_laplace(const LaplaceOptions& options, const LaplaceSums& sums, Index channel,
                             const Eigen::VectorXd& theta);

// The value and its derivatives by log delta and log sigma; `spectrum` is the diagonal or the eigenvalues of
// H.
struct MarginalLikelihood {
  double value, by_log_delta, by_log_sigma;
};
MarginalLikelihood marginal_likelihood(double delta, double sigma, double squared_error, double count,
                                       const Eigen::VectorXd& spectrum, double theta_squared);

}  // namespace nouq
