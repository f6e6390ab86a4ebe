#include "conserve/sample_projector.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/threads.h"
#include "kernels/rows.h"

namespace nouq {
namespace {

constexpr double lowest = std::numeric_limits<double>::lowest();

void require_finite(const char* name, Index sample, const double* values, Index count) {
  if (all_finite_from(lowest, values, count)) return;
  for (Index i = 0; i < count; ++i) {
    require(std::isfinite(values[i]), "{} is {} in sample {}, element {}: expected a finite number", name,
            values[i], sample, i);
  }
}

void require_shape(const char* name, const Shape& shape, const Shape& expected) {
  require(shape == expected, "{} has shape {}, expected {}", name, to_string(shape), to_string(expected));
}

void prepare(ProjectionReport& report, Index samples, Index rows) {
  report.residual_before.resize(samples);
  report.residual_after.resize(samples);
  report.variance_scale.assign(samples, 1.0);
  report.multipliers = Array<double>({samples, rows});
}

}  // namespace

void validate_shapes(const PredictionView& prediction, const ProjectedView& projected, Index points) {
  const Shape& shape = prediction.mean.shape();
  require(is_given(prediction.mean), "mean has shape {}, expected [samples, axes..., channels]",
          to_string(shape));
  require(prediction.points() == points,
          "mean has shape {}, so {} values per field, but the constraints are on {}", to_string(shape),
          prediction.points(), points);
  require_shape("variance", prediction.variance.shape(), shape);
  require_shape("projected mean", projected.mean.shape(), shape);
  require_shape("projected variance", projected.variance.shape(), shape);
  if (is_given(prediction.samples)) {
    Shape expected = shape;
    expected.insert(expected.begin() + 1, prediction.samples.rank() < 2 ? 0 : prediction.samples.extent(1));
    require_shape("samples", prediction.samples.shape(), expected);
  }
  if (is_given(projected.samples))
    require_shape("projected samples", projected.samples.shape(), prediction.samples.shape());
}

void validate_values(const SampleTask& task) {
  require_finite("mean", task.sample, task.mean, task.points);
  if (task.samples != nullptr)
    require_finite("samples", task.sample, task.samples, task.points * task.members);
  if (all_finite_from(0.0, task.variance, task.points)) return;
  require_finite("variance", task.sample, task.variance, task.points);
  for (Index i = 0; i < task.points; ++i) {
    require(task.variance[i] >= 0, "variance is {} in sample {}, element {}: expected none below zero",
            task.variance[i], task.sample, i);
  }
}

// Variances so small that their products vanish leave nothing to divide by.
void require_finite_result(const SampleTask& task) {
  if ((task.out_mean == nullptr || all_finite_from(lowest, task.out_mean, task.points)) &&
      all_finite_from(lowest, task.out_variance, task.points))
    return;
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (Index i = 0; i < task.points; ++i) {
    if (task.variance[i] > 0) smallest = std::min(smallest, task.variance[i]);
    largest = std::max(largest, task.variance[i]);
  }
  fail(
      "sample {} cannot be projected in double precision: its variances are {:.3g} to {:.3g} where they are not "
      "zero; give variances of the size of the squared errors, or a noise variance",
      task.sample, smallest, largest);
}

SampleTask task_of(const PredictionView& prediction, const ProjectedView& projected, Index sample) {
  const Index points = prediction.points(), members = prediction.members();
  SampleTask task;
  task.sample = sample;
  task.points = points;
  task.members = members;
  task.mean = prediction.mean.data() + sample * points;
  task.variance = prediction.variance.data() + sample * points;
  task.diagonal = task.variance;
  task.out_mean = projected.mean.data() + sample * points;
  task.out_variance = projected.variance.data() + sample * points;
  if (members > 0) task.samples = prediction.samples.data() + sample * members * points;
  if (is_given(projected.samples)) task.out_samples = projected.samples.data() + sample * members * points;
  return task;
}

double largest_residual(const LinearConstraints& constraints, Index sample, const double* field) {
  std::vector<double> residuals(constraints.rows());
  const std::span<const double> values(field, static_cast<std::size_t>(constraints.points));
  evaluate_residuals(constraints, sample, values, residuals);
  double largest = 0;
  for (const double residual : residuals) largest = std::max(largest, std::abs(residual));
  return largest;
}

void project_samples(SampleProjector& projector, const LinearConstraints& constraints, int threads,
                     const PredictionView& prediction, const ProjectedView& projected,
                     std::vector<double>& multipliers, ProjectionReport* report) {
  const Index samples = prediction.count(), rows = constraints.rows();
  validate_shapes(prediction, projected, constraints.points);
  const Index given = constraints.right_hand_sides.extent(0);
  require(given == 1 || given == samples, "right-hand sides for {} samples, but {} are to be projected",
          given, samples);
  const int team = resolve_threads(threads);
  projector.prepare(team, prediction.members());
  multipliers.resize(samples * rows);
  if (report != nullptr) prepare(*report, samples, rows);
  parallel_for(team, samples, [&](Index i) {
    const std::size_t at = i;
    double scale = 1;
    SampleTask task = task_of(prediction, projected, i);
    task.multipliers = multipliers.data() + i * rows;
    task.variance_scale = report == nullptr ? &scale : &report->variance_scale[at];
    validate_values(task);
    if (report != nullptr) report->residual_before[at] = largest_residual(constraints, i, task.mean);
    projector.project(task, thread_index());
    require_finite_result(task);
    if (report != nullptr) report->residual_after[at] = largest_residual(constraints, i, task.out_mean);
  });
  if (report != nullptr) std::copy(multipliers.begin(), multipliers.end(), report->multipliers.begin());
}

}  // namespace nouq
