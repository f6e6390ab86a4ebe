// Small random predictions and systems, and the projection written down densely as the formula is.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <nouq/random.h>

#include "conserve/covariance.h"
#include "conserve/field_layout.h"
#include "conserve/linear_constraints.h"
#include "conserve/sample_projector.h"

namespace nouq::test {

struct Prediction {
  Array<double> mean, variance, samples;
  [[nodiscard]] PredictionView view() const { return {mean.view(), variance.view(), samples.view()}; }
};

struct Projected {
  explicit Projected(const Prediction& like, bool with_samples = false)
      : mean(like.mean.shape()), variance(like.mean.shape()) {
    if (with_samples) samples = Array<double>(like.samples.shape());
  }
  [[nodiscard]] ProjectedView view() { return {mean.view(), variance.view(), samples.view()}; }
  Array<double> mean, variance, samples;
};

inline FieldLayout small_layout(Index nx = 5, Index nt = 3) {
  return {{{"x", "", linspace(0, 1, nx)}, {"t", "", linspace(0, 1, nt)}}, 1};
}

// Samples scattered about a random field; mean and variance are theirs.
inline Prediction random_prediction(const FieldLayout& layout, Index count, Index members,
                                    std::uint64_t seed) {
  const Shape grid = shape_of(layout.grid);
  Prediction p;
  p.mean = Array<double>({count, grid[0], grid[1], layout.channels});
  p.variance = Array<double>(p.mean.shape());
  p.samples = Array<double>({count, members, grid[0], grid[1], layout.channels});
  const Index points = layout.points();
  const Stream stream(seed, Purpose::tests, 0);
  std::uint64_t drawn = 0;
  for (Index i = 0; i < count * points; ++i) {
    const double centre = stream.normal(drawn++), spread = 0.1 + stream.uniform(drawn++);
    std::vector<double> values;
    double sum = 0, squares = 0;
    for (Index m = 0; m < members; ++m) values.push_back(centre + spread * stream.normal(drawn++));
    for (const double value : values) sum += value;
    for (Index m = 0; m < members; ++m) {
      const double value = values[m];
      p.samples[(i / points * members + m) * points + i % points] = value;
      squares += (value - sum / static_cast<double>(members)) * (value - sum / static_cast<double>(members));
    }
    p.mean[i] = sum / static_cast<double>(members);
    p.variance[i] = squares / static_cast<double>(members - 1);
  }
  return p;
}

// `rows` random rows with about half of their entries zero, for `count` samples.
inline LinearConstraints random_rows(Index points, Index rows, Index count, std::uint64_t seed) {
  const Stream stream(seed, Purpose::tests, 1);
  std::uint64_t drawn = 0;
  LinearConstraints constraints;
  constraints.points = points;
  for (Index r = 0; r < rows; ++r) {
    std::vector<RowEntry> row;
    for (Index p = 0; p < points; ++p) {
      if (stream.uniform(drawn++) < 0.5) row.push_back({p, stream.normal(drawn++)});
    }
    constraints.add_row("random " + std::to_string(r), row);
  }
  Array<double> values({count, rows});
  for (double& value : values) value = stream.normal(drawn++);
  constraints.set_right_hand_sides(values);
  return constraints;
}

inline Eigen::MatrixXd dense_rows(const LinearConstraints& constraints) {
  Eigen::MatrixXd g = Eigen::MatrixXd::Zero(constraints.rows(), constraints.points);
  for (Index r = 0; r < constraints.rows(); ++r) {
    for (const auto& [point, weight] : constraints.row(r)) g(r, point) += weight;
  }
  return g;
}

inline Eigen::Map<const Eigen::VectorXd> field_of(const Array<double>& fields, Index sample, Index points) {
  return {fields.data() + sample * points, points};
}

// Sigma of one sample, all points by all points.
inline Eigen::MatrixXd dense_covariance(const Prediction& p, Index sample, const FieldLayout& layout,
                                        const Covariance& covariance) {
  const Index points = layout.points(), members = p.samples.extent(1);
  Eigen::MatrixXd sigma = Eigen::MatrixXd::Zero(points, points);
  for (Index m = 0; m < members; ++m) {
    const Eigen::VectorXd d =
        (field_of(p.samples, sample * members + m, points) - field_of(p.mean, sample, points)) /
        std::sqrt(static_cast<double>(members - 1));
    sigma += (1 - covariance.diagonal_share) * d * d.transpose();
  }
  for (Index i = 0; i < points && !covariance.independent_axis.empty(); ++i) {
    const std::size_t axis = layout.axis(covariance.independent_axis);
    for (Index j = 0; j < points; ++j)
      if (layout.index_along(axis, i) != layout.index_along(axis, j)) sigma(i, j) = 0;
  }
  sigma.diagonal() += covariance.diagonal_share * field_of(p.variance, sample, points);
  return sigma;
}

struct DenseResult {
  Eigen::VectorXd mean, variance;
};

// The formula of projection.h with a pseudo-inverse.
inline DenseResult dense_projection(const Eigen::VectorXd& mean, const Eigen::MatrixXd& sigma,
                                    const LinearConstraints& constraints, Index sample) {
  const Eigen::MatrixXd g = dense_rows(constraints);
  const auto b = constraints.right_hand_side(sample);
  Eigen::MatrixXd s = g * sigma * g.transpose();
  for (Index r = 0; r < constraints.rows(); ++r) s(r, r) += constraints.noise_variance[r];
  const Eigen::MatrixXd inverse = s.completeOrthogonalDecomposition().pseudoInverse();
  const Eigen::VectorXd residual = g * mean - Eigen::Map<const Eigen::VectorXd>(b.data(), std::ssize(b));
  const Eigen::MatrixXd gain = sigma * g.transpose() * inverse;
  return {mean - gain * residual, (sigma - gain * g * sigma).diagonal()};
}

}  // namespace nouq::test
