#include "conserve/projection.h"

#include <algorithm>
#include <cmath>

#include "conserve/coupled_rows.h"
#include "conserve/coupling.h"
#include "conserve/disjoint_rows.h"
#include "conserve/redundancy.h"
#include "core/error.h"
#include "core/threads.h"

namespace nouq {
namespace {

void check(const Covariance& covariance) {
  require(covariance.diagonal_share >= 0 && covariance.diagonal_share <= 1,
          "diagonal share {} of the covariance, expected 0 to 1", covariance.diagonal_share);
  require(covariance.sigma_power >= 0 && covariance.sigma_power <= 2, "sigma power {}, expected 0 to 2",
          covariance.sigma_power);
  require(covariance.sigma_power == 2 || !covariance.uses_samples(),
          "sigma power {} needs a diagonal covariance, but the samples have a share of {}",
          covariance.sigma_power, 1 - covariance.diagonal_share);
}

// Which points move together.
std::vector<Index> labels_of(const FieldLayout& layout, const Covariance& covariance) {
  std::vector<Index> labels = own_labels(layout.points());
  if (!covariance.uses_samples()) return labels;
  const bool blocks = !covariance.independent_axis.empty();
  const std::size_t axis = blocks ? layout.axis(covariance.independent_axis) : 0;
  for (Index& label : labels) label = blocks ? layout.index_along(axis, label) : 0;
  return labels;
}

std::unique_ptr<SampleProjector> make_rows(const LinearConstraints& constraints, const FieldLayout& layout,
                                           const Covariance& covariance) {
  const auto labels = labels_of(layout, covariance);
  if (DisjointRows::applies(constraints, labels, covariance))
    return std::make_unique<DisjointRows>(constraints, labels, covariance);
  return std::make_unique<CoupledRows>(constraints, labels, covariance);
}

void prepare(ProjectionReport& report, Index samples, Index rows) {
  report.residual_before.resize(static_cast<std::size_t>(samples));
  report.residual_after.resize(static_cast<std::size_t>(samples));
  report.variance_scale.assign(static_cast<std::size_t>(samples), 1.0);
  report.multipliers = Array<double>({samples, rows});
}

}  // namespace

double largest_residual(const LinearConstraints& constraints, Index sample, const double* field) {
  std::vector<double> residuals(static_cast<std::size_t>(constraints.rows()));
  const std::span<const double> values(field, static_cast<std::size_t>(constraints.points));
  evaluate_residuals(constraints, sample, values, residuals);
  double largest = 0;
  for (const double residual : residuals) largest = std::max(largest, std::abs(residual));
  return largest;
}

Projector::Projector(const LinearConstraints& constraints, const FieldLayout& layout,
                     ProjectionOptions options)
    : layout_(layout), options_(std::move(options)) {
  check(options_.covariance);
  validate(constraints, layout.points(), constraints.right_hand_sides.extent(0));
  constraints_ = without_redundant_rows(constraints);
  rows_ = make_rows(constraints_, layout_, options_.covariance);
}

void Projector::project(const PredictionView& prediction, const ProjectedView& projected,
                        ProjectionReport* report) {
  const Index samples = prediction.count(), rows = constraints_.rows();
  validate_shapes(prediction, projected, layout_.points());
  const Index given = constraints_.right_hand_sides.extent(0);
  require(given == 1 || given == samples, "right-hand sides for {} samples, but {} are to be projected",
          given, samples);
  require(!options_.covariance.uses_samples() || prediction.members() >= 2,
          "a covariance from samples needs at least two of them, got {}", prediction.members());
  const int threads = resolve_threads(options_.threads);
  rows_->prepare(threads, prediction.members());
  multipliers_.resize(static_cast<std::size_t>(samples * rows));
  if (report != nullptr) prepare(*report, samples, rows);
  parallel_for(threads, samples, [&](Index i) {
    SampleTask task = task_of(prediction, projected, i);
    task.multipliers = multipliers_.data() + i * rows;
    validate_values(task);
    const auto at = static_cast<std::size_t>(i);
    if (report != nullptr) report->residual_before[at] = largest_residual(constraints_, i, task.mean);
    rows_->project(task, thread_index());
    if (report != nullptr) report->residual_after[at] = largest_residual(constraints_, i, task.out_mean);
  });
  if (report != nullptr) std::copy(multipliers_.begin(), multipliers_.end(), report->multipliers.begin());
}

}  // namespace nouq
