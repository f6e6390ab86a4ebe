#include "conserve/bounded_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conserve/bounded_rows.h"
#include "conserve/covariance.h"
#include "conserve/projection.h"
#include "conserve/redundancy.h"
#include "core/buffer.h"
#include "core/error.h"
#include "core/names.h"
#include "core/normal.h"
#include "kernels/rows.h"

namespace nouq {
namespace {

void scale_by(double factor, const double* values, Index count, double* scaled) {
#pragma omp simd
  for (Index i = 0; i < count; ++i) scaled[i] = factor * values[i];
}

// The linear projector inside gives the Gaussian variance; the bounded solver gives the fields.
class BoundedRows final : public SampleProjector {
 public:
  BoundedRows(const LinearConstraints& constraints, const Inequalities& inequalities,
              const FieldLayout& layout, const BoundedOptions& options)
      : constraints_(constraints),
        inequalities_(inequalities),
        options_(options),
        power_(constraints, options.sigma_power),
        solver_(make_bounded_solver(constraints, inequalities, layout)),
        linear_(make_linear_rows(constraints, layout, Covariance::diagonal())),
        no_lower_(static_cast<std::size_t>(layout.points()), -std::numeric_limits<double>::infinity()),
        no_upper_(no_lower_.size(), std::numeric_limits<double>::infinity()),
        weight_squares_(no_lower_.size(), 0.0) {
    for (const auto& [point, weight] : constraints.entries) weight_squares_[point] += weight * weight;
  }

  void prepare(int threads, Index members) override {
    update_ = options_.variance_update;
    if (update_ == VarianceUpdate::automatic)
      update_ = members >= 2 ? VarianceUpdate::samples : VarianceUpdate::displaced;
    require(options_.variance_update != VarianceUpdate::samples || members >= 2,
            "the variance of projected samples needs at least two samples, got {}", members);
    solver_->prepare(threads);
    linear_->prepare(threads, members);
    scratch_.resize(threads);
    const std::size_t points = no_lower_.size();
    for (Scratch& scratch : scratch_) {
      scratch.variance.resize(points);
      scratch.multipliers.resize(constraints_.rows());
      scratch.residuals.resize(scratch.multipliers.size());
      scratch.moved.resize(points);
      scratch.prior.resize(points);
      for (auto* list : {&scratch.sample, &scratch.sum, &scratch.squares}) list->resize(points);
    }
  }

  void project(const SampleTask& task, int thread) override {
    Scratch& scratch = scratch_[thread];
    BoundedField field{task.sample, task.mean, nullptr, lower(task.sample), upper(task.sample)};
    const double scale = *task.variance_scale = variance_scale(task, field, scratch);
    scale_by(scale, task.variance, task.points, scratch.variance.data());
    field.diagonal = power_.raise(scratch.variance.data(), scratch.powered);
    // Outputs may be the inputs.
    std::copy_n(task.variance, task.points, scratch.prior.data());
    std::copy_n(task.mean, task.points, scratch.moved.data());
    update_gaussian(task, field, scratch, thread);
    solver_->begin(field, thread);
    solver_->solve(task.mean, task.out_mean, task.multipliers, thread);
    if (update_ == VarianceUpdate::samples || task.out_samples != nullptr)
      project_samples(task, scratch, thread);
    if (update_ == VarianceUpdate::truncated) truncate(task, field, scratch);
    if (update_ == VarianceUpdate::samples) take_variance(task, scratch);
    if (update_ == VarianceUpdate::displaced) displace(task, scratch);
  }

 private:
  struct Scratch {
    std::vector<double> variance, powered, multipliers, residuals;
    std::vector<double> prior;    // variances as given
    std::vector<double> moved;    // the mean, as given, clipped or pulled
    Buffer<double> sample;        // one, projected
    Buffer<double> sum, squares;  // of the samples' deviations from the projected mean
  };

  [[nodiscard]] const double* lower(Index sample) const {
    const double* bound = lower_of(inequalities_, sample);
    return bound == nullptr ? no_lower_.data() : bound;
  }
  [[nodiscard]] const double* upper(Index sample) const {
    const double* bound = upper_of(inequalities_, sample);
    return bound == nullptr ? no_upper_.data() : bound;
  }

  // s^2: how much of the rows' violation the variance and the noise variance leave unexplained.
  double variance_scale(const SampleTask& task, const BoundedField& field, Scratch& scratch) const {
    if (!options_.scale_variance) return 1;
    clip(field, task.points, scratch.moved.data());
    evaluate_residuals<double>(constraints_, task.sample, scratch.moved, scratch.residuals);
    double violation = 0;
    for (std::size_t r = 0; r < scratch.residuals.size(); ++r)
      violation += scratch.residuals[r] * scratch.residuals[r] - constraints_.noise_variance[r];
    const double explained = dot(weight_squares_.data(), task.variance, task.points);
    return explained > 0 ? std::max(1.0, violation / explained) : 1;
  }

  // The samples are moved by the same law, and their deviations from the projected mean summed up.
  void project_samples(const SampleTask& task, Scratch& scratch, int thread) {
    std::fill(scratch.sum.begin(), scratch.sum.end(), 0.0);
    std::fill(scratch.squares.begin(), scratch.squares.end(), 0.0);
    for (Index m = 0; m < task.members; ++m) {
      const Index at = m * task.points;
      double* sample = task.out_samples == nullptr ? scratch.sample.data() : task.out_samples + at;
      solver_->solve(task.samples + at, sample, scratch.multipliers.data(), thread);
      add_deviations(sample, task.out_mean, task.points, scratch.sum.data(), scratch.squares.data());
    }
  }

  // The variance as if there were no bounds.
  void update_gaussian(const SampleTask& task, const BoundedField& field, Scratch& scratch, int thread) {
    if (update_ == VarianceUpdate::samples || update_ == VarianceUpdate::displaced) return;
    SampleTask linear = task;
    linear.variance = scratch.variance.data();
    linear.diagonal = field.diagonal;
    linear.out_mean = nullptr;
    linear.out_samples = nullptr;
    linear_->project(linear, thread);
  }

  // The Gaussian cut off at the bounds, about the projected value, or where that is on a bound about
  // mu - s^2 Sigma G' lambda beyond it.
  void truncate(const SampleTask& task, const BoundedField& field, Scratch& scratch) const {
    for (Index r = 0; r < constraints_.rows(); ++r) {
      for (const auto& [point, weight] : constraints_.row(r))
        scratch.moved[point] -= field.diagonal[point] * weight * task.multipliers[r];
    }
    for (Index p = 0; p < task.points; ++p) {
      const double value = task.out_mean[p];
      const bool inside = value > field.lower[p] && value < field.upper[p];
      const double centre = inside ? value : scratch.moved[p];
      task.out_variance[p] =
          truncated_deviation(centre, task.out_variance[p], field.lower[p], field.upper[p]);
    }
  }

  // How far the law and the bounds had to move a point is itself a sign of its error.
  static void displace(const SampleTask& task, const Scratch& scratch) {
    const double *mean = task.out_mean, *before = scratch.moved.data(), *prior = scratch.prior.data();
    double* variance = task.out_variance;
#pragma omp simd
    for (Index p = 0; p < task.points; ++p)
      variance[p] = prior[p] + (mean[p] - before[p]) * (mean[p] - before[p]);
  }

  // Of the projected samples and, as one more, the prediction before: where bounds have made all samples
  // equal, the variance must not be zero.
  static void take_variance(const SampleTask& task, const Scratch& scratch) {
    displace(task, scratch);
    const auto members = static_cast<double>(task.members);
    const double *sum = scratch.sum.data(), *squares = scratch.squares.data();
    const double share = members / (members - 1) / (members + 1);
    double* variance = task.out_variance;
#pragma omp simd
    for (Index p = 0; p < task.points; ++p) {
      const double about_centre = std::max(0.0, squares[p] - sum[p] * sum[p] * (1 / members));
      variance[p] = share * about_centre + variance[p] * (1 / (members + 1));
    }
  }

  const LinearConstraints& constraints_;
  const Inequalities& inequalities_;
  BoundedOptions options_;
  VarianceUpdate update_ = VarianceUpdate::automatic;  // as resolved
  SigmaPower power_;
  std::unique_ptr<BoundedSolver> solver_;
  std::unique_ptr<SampleProjector> linear_;
  std::vector<double> no_lower_, no_upper_;
  std::vector<double> weight_squares_;  // per point, summed over the rows
  std::vector<Scratch> scratch_;
};

// For how many samples there are bounds; 1 when they are the same for all.
Index bound_samples(const Inequalities& inequalities) {
  Index samples = 1;
  for (const auto* bound : {&inequalities.lower, &inequalities.upper})
    if (!bound->empty()) samples = std::max(samples, bound->extent(0));
  return samples;
}

}  // namespace

std::vector<std::string> variance_update_names() {
  return {"automatic", "gaussian", "truncated", "samples", "displaced"};
}

VarianceUpdate variance_update_from_name(std::string_view name) {
  return static_cast<VarianceUpdate>(index_of_name("variance update", name, variance_update_names()));
}

BoundedProjector::BoundedProjector(const LinearConstraints& constraints, Inequalities inequalities,
                                   const FieldLayout& layout, BoundedOptions options)
    : layout_(layout), options_(options), inequalities_(std::move(inequalities)) {
  require(options_.sigma_power >= 0 && options_.sigma_power <= 2, "sigma power {}, expected 0 to 2",
          options_.sigma_power);
  require(
      options_.variance_update != VarianceUpdate::truncated || !inequalities_.monotone,
      "variance update truncated: is for bounds alone, not for monotone profiles; take displaced or samples");
  validate(constraints, layout.points(), constraints.right_hand_sides.extent(0));
  validate(inequalities_, layout, bound_samples(inequalities_));
  constraints_ = without_redundant_rows(constraints);
  rows_ = std::make_unique<BoundedRows>(constraints_, inequalities_, layout_, options_);
}

void BoundedProjector::project(const PredictionView& prediction, const ProjectedView& projected,
                               ProjectionReport* report) {
  const Index given = bound_samples(inequalities_);
  require(given == 1 || given == prediction.count(), "bounds for {} samples, but {} are to be projected",
          given, prediction.count());
  PredictionView used = prediction;
  const bool may_use = options_.variance_update == VarianceUpdate::samples ||
                       options_.variance_update == VarianceUpdate::automatic;
  if (!may_use && !is_given(projected.samples)) used.samples = {};
  project_samples(*rows_, constraints_, options_.threads, used, projected, multipliers_, report);
}

}  // namespace nouq
