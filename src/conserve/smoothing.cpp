#include "conserve/smoothing.h"

#include <algorithm>
#include <cmath>

#include "conserve/redundancy.h"
#include "core/error.h"
#include "core/threads.h"

namespace nouq {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The rows that lie in each line along the axis.
std::vector<std::vector<Index>> rows_by_line(const LinearConstraints& constraints, const FieldLayout& layout,
                                             std::size_t axis) {
  const Index stride = layout.stride(axis), length = layout.grid[axis].size();
  const auto line_of = [&](Index point) { return point / (stride * length) * stride + point % stride; };
  std::vector<std::vector<Index>> lines(layout.points() / length);
  for (Index r = 0; r < constraints.rows(); ++r) {
    const auto row = constraints.row(r);
    for (const RowEntry& entry : row) {
      require(line_of(entry.point) == line_of(row[0].point),
              "constraint '{}' joins several lines along axis {}: smoothing takes each line by itself",
              constraints.names[r], layout.grid[axis].name);
    }
    if (!row.empty()) lines[line_of(row[0].point)].push_back(r);
  }
  return lines;
}

// The constraints of one line as a dense system, for one sample.
struct LineSystem {
  MatrixXd rows;
  VectorXd values, noise;

  LineSystem(const LinearConstraints& constraints, const FieldLayout& layout, std::size_t axis,
             const std::vector<Index>& wanted, Index sample)
      : rows(MatrixXd::Zero(std::ssize(wanted), layout.grid[axis].size())),
        values(rows.rows()),
        noise(rows.rows()) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::size_t r = wanted[i];
      const Index at = i;
      values[at] = constraints.right_hand_side(sample)[r];
      noise[at] = constraints.noise_variance[r];
      for (const RowEntry& entry : constraints.row(wanted[i])) {
        rows(at, layout.index_along(axis, entry.point)) += entry.weight;
      }
    }
  }
};

}  // namespace

DenseGaussian condition(const DenseGaussian& prior, const MatrixXd& rows, const VectorXd& values,
                        const VectorXd& noise) {
  const MatrixXd cross = prior.covariance * rows.transpose();
  MatrixXd spread = rows * cross;
  spread.diagonal() += noise;
  const Eigen::LDLT<MatrixXd> factor(spread);
  DenseGaussian posterior;
  posterior.mean = prior.mean - cross * factor.solve(rows * prior.mean - values);
  posterior.covariance = prior.covariance - cross * factor.solve(cross.transpose());
  return posterior;
}

DenseGaussian smooth(const VectorXd& mean, const VectorXd& variance, double alpha) {
  const Eigen::Index count = mean.size() - 2;
  require(count >= 1, "smoothing needs at least three points along the axis, got {}", mean.size());
  MatrixXd differences = MatrixXd::Zero(count, mean.size());
  VectorXd noise(count);
  for (Eigen::Index j = 0; j < count; ++j) {
    differences.row(j).segment(j, 3) << 1, -2, 1;
    const double a = std::sqrt(variance[j]), b = std::sqrt(variance[j + 1]), c = std::sqrt(variance[j + 2]);
    noise[j] = variance[j] + 4 * variance[j + 1] + variance[j + 2] - 4 * alpha * b * (a + c) +
               2 * alpha * alpha * a * c;
  }
  return condition({mean, variance.asDiagonal()}, differences, VectorXd::Zero(count), noise);
}

namespace {

// The differences are those of evenly spaced points.
void require_even(const Axis& axis) {
  const auto& x = axis.coordinates;
  const double step = (x.back() - x.front()) / static_cast<double>(std::max<std::size_t>(2, x.size()) - 1);
  for (std::size_t i = 1; i < x.size(); ++i)
    require(std::abs(x[i] - x[i - 1] - step) <= 1e-6 * step,
            "smoothing along {}: its points are spaced unevenly ({} after {}); smoothing needs even spacing",
            axis.name, x[i], x[i - 1]);
}

// Exact rows on values without variance, or on a line made too stiff, cannot be met.
void check_met(const LinearConstraints& system, const std::vector<Index>& rows, const LineSystem& own,
               const VectorXd& mean, Index sample) {
  const VectorXd left = own.rows * mean - own.values;
  const VectorXd size = own.rows.cwiseAbs() * mean.cwiseAbs() + own.values.cwiseAbs();
  for (Eigen::Index r = 0; r < left.size(); ++r) {
    require(
        own.noise[r] > 0 || std::abs(left[r]) <= 1e-10 * size[r],
        "constraint '{}' cannot be met in sample {}: g.u - b stays at {}, because the values it could move "
        "have no variance, of their own or after smoothing; give it a noise variance, or a lower correlation",
        system.names[rows[r]], sample, left[r]);
  }
}

}  // namespace

void project_smoothed(const LinearConstraints& constraints, const FieldLayout& layout,
                      const std::string& axis, double alpha, const PredictionView& prediction,
                      const ProjectedView& projected, int threads) {
  require(std::abs(alpha) <= 1, "smoothing with alpha = {}, expected a correlation from -1 to 1", alpha);
  validate_shapes(prediction, projected, layout.points());
  validate(constraints, layout.points(), prediction.count());
  const LinearConstraints system = without_redundant_rows(constraints);
  const std::size_t a = layout.axis(axis);
  require_even(layout.grid[a]);
  const auto lines = rows_by_line(system, layout, a);
  const Index stride = layout.stride(a), length = layout.grid[a].size();
  parallel_for(resolve_threads(threads), prediction.count(), [&](Index sample) {
    const SampleTask task = task_of(prediction, projected, sample);
    validate_values(task);
    for (std::size_t line = 0; line < lines.size(); ++line) {
      const Index first =
          static_cast<Index>(line) / stride * stride * length + static_cast<Index>(line) % stride;
      using Line = Eigen::Map<const VectorXd, 0, Eigen::InnerStride<>>;
      const Line mean(task.mean + first, length, Eigen::InnerStride<>(stride));
      const Line variance(task.variance + first, length, Eigen::InnerStride<>(stride));
      DenseGaussian field = smooth(mean, variance, alpha);
      if (!lines[line].empty()) {
        const LineSystem own(system, layout, a, lines[line], sample);
        field = condition(field, own.rows, own.values, own.noise);
        check_met(system, lines[line], own, field.mean, sample);
      }
      for (Index i = 0; i < length; ++i) {
        task.out_mean[first + i * stride] = field.mean[i];
        task.out_variance[first + i * stride] = std::max(0.0, field.covariance(i, i));
      }
    }
  });
}

}  // namespace nouq
