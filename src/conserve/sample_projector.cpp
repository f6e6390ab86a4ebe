#include "conserve/sample_projector.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/threads.h"

namespace nouq {
namespace {

void prepare(ProjectionReport& report, Index samples, Index rows) {
  report.residual_before.resize(samples);
  report.residual_after.resize(samples);
  report.variance_scale.assign(samples, 1.0);
  report.multipliers = Array<double>({samples, rows});
}

}  // namespace

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
    if (report != nullptr) report->residual_after[at] = largest_residual(constraints, i, task.out_mean);
  });
  if (report != nullptr) std::copy(multipliers.begin(), multipliers.end(), report->multipliers.begin());
}

}  // namespace nouq
