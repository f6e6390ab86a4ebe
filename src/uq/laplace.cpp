#include "uq/laplace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "core/error.h"

namespace nouq {

LaplaceCovariance laplace_covariance_from_name(std::string_view name) {
  require(name == "diagonal" || name == "full", "laplace '{}' is unknown: expected diagonal or full", name);
  return name == "full" ? LaplaceCovariance::full : LaplaceCovariance::diagonal;
}

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Adam on (log delta, log sigma); ascends.
class Climber {
 public:
  void climb(std::array<double, 2>& at, const std::array<double, 2>& slope) {
    ++step_;
    for (std::size_t i = 0; i < 2; ++i) {
      first_[i] = 0.9 * first_[i] + 0.1 * slope[i];
      second_[i] = 0.999 * second_[i] + 0.001 * slope[i] * slope[i];
      const double m = first_[i] / (1 - std::pow(0.9, step_));
      const double v = second_[i] / (1 - std::pow(0.999, step_));
      at[i] += 0.1 * m / (std::sqrt(v) + 1e-8);
    }
  }

 private:
  double step_ = 0;
  std::array<double, 2> first_{}, second_{};
};

template <class T>
using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

template <class T>
LaplaceSums laplace_sums(Network<T>& network, const T* parameters, const FieldsOf<T>& fields_of,
                         Index samples, Index batch) {
  const NetworkOptions& o = network.options();
  const Index points = network.points();
  LaplaceSums sums{Matrix::Zero(o.features + 1, o.features + 1), Vector::Zero(o.outputs), samples,
                   samples * points};
  Rows<T> features(points, o.features), outputs(points, o.outputs);
  Matrix phi = Matrix::Ones(points, o.features + 1);
  for (Index first = 0; first < samples; first += batch) {
    const Index count = std::min(batch, samples - first);
    const SampleFields<T> fields = fields_of(first, count);
    network.trunk_forward(parameters, fields.inputs, count);
    for (Index sample = 0; sample < count; ++sample) {
      network.features(parameters, sample, features.data());
      network.head_forward(parameters, sample, {}, outputs.data());
      phi.leftCols(o.features) = features.template cast<double>();
      sums.h.template selfadjointView<Eigen::Lower>().rankUpdate(phi.transpose());
      const Eigen::Map<const Rows<T>> target(fields.targets + sample * points * o.outputs, points, o.outputs);
      sums.squared_error += (outputs.template cast<double>() - target.template cast<double>())
                                .colwise()
                                .squaredNorm()
                                .transpose();
    }
  }
  sums.h = Matrix(sums.h.template selfadjointView<Eigen::Lower>());
  return sums;
}

MarginalLikelihood marginal_likelihood(double delta, double sigma, double squared_error, double count,
                                       const Vector& spectrum, double theta_squared) {
  const double inverse = 1.0 / (sigma * sigma);
  double log_determinant = 0,
         effective = 0;  // effective number of parameters: sum of h / (h + delta sigma^2)
  for (const double h : spectrum) {
    log_determinant += std::log1p(h * inverse / delta);
    effective += h * inverse / (h * inverse + delta);
  }
  MarginalLikelihood result{};
  result.value = -0.5 * squared_error * inverse - count * std::log(sigma * std::sqrt(2 * std::numbers::pi)) -
                 0.5 * (log_determinant + delta * theta_squared);
  result.by_log_delta = 0.5 * (effective - delta * theta_squared);
  result.by_log_sigma = squared_error * inverse - count + effective;
  return result;
}

LaplacePosterior fit_laplace(const LaplaceOptions& options, const LaplaceSums& sums, Index channel,
                             const Vector& theta) {
  require(options.steps >= 1, "Laplace: {} steps, expected at least 1", options.steps);
  const bool full = options.covariance == LaplaceCovariance::full;
  Eigen::SelfAdjointEigenSolver<Matrix> eigen;
  if (full) eigen.compute(sums.h);
  // Rounding may leave tiny negative eigenvalues where features are linearly dependent.
  const Vector spectrum = full ? Vector(eigen.eigenvalues().cwiseMax(0.0)) : Vector(sums.h.diagonal());
  const auto count = static_cast<double>(options.count_points ? sums.points : sums.functions);
  std::array<double, 2> log_values = {1.0, 1.0};
  LaplacePosterior posterior;
  Climber climber;
  for (Index step = 0; step < options.steps; ++step) {
    posterior.prior_precision = std::exp(log_values[0]);
    posterior.noise = std::exp(log_values[1]);
    const auto at = marginal_likelihood(posterior.prior_precision, posterior.noise,
                                        sums.squared_error(channel), count, spectrum, theta.squaredNorm());
    posterior.log_marginal_likelihood = at.value;
    climber.climb(log_values, {at.by_log_delta, at.by_log_sigma});
  }
  const Vector variance =
      (spectrum.array() / (posterior.noise * posterior.noise) + posterior.prior_precision).inverse();
  posterior.covariance_root =
      full ? Matrix(eigen.eigenvectors() * variance.cwiseSqrt().asDiagonal()) : Matrix(variance);
  return posterior;
}

template LaplaceSums laplace_sums(Network<float>&, const float*, const FieldsOf<float>&, Index, Index);
template LaplaceSums laplace_sums(Network<double>&, const double*, const FieldsOf<double>&, Index, Index);

}  // namespace nouq
