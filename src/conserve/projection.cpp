#include "conserve/projection.h"

#include "conserve/coupled_rows.h"
#include "conserve/coupling.h"
#include "conserve/covariance.h"
#include "conserve/disjoint_rows.h"
#include "conserve/redundancy.h"
#include "core/error.h"

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

// diag(sigma^p) in place of the variances, for the projection inside.
class PoweredRows final : public SampleProjector {
 public:
  PoweredRows(const LinearConstraints& constraints, double power, std::unique_ptr<SampleProjector> inner)
      : power_(constraints, power), inner_(std::move(inner)) {}

  void prepare(int threads, Index members) override {
    scratch_.resize(threads);
    inner_->prepare(threads, members);
  }
  void project(const SampleTask& task, int thread) override {
    SampleTask powered = task;
    powered.diagonal = power_.raise(task.variance, scratch_[thread]);
    inner_->project(powered, thread);
  }

 private:
  SigmaPower power_;
  std::unique_ptr<SampleProjector> inner_;
  std::vector<std::vector<double>> scratch_;
};

}  // namespace

std::unique_ptr<SampleProjector> make_linear_rows(const LinearConstraints& constraints,
                                                  const FieldLayout& layout, const Covariance& covariance) {
  const auto labels = labels_of(layout, covariance);
  if (DisjointRows::applies(constraints, labels, covariance))
    return std::make_unique<DisjointRows>(constraints, labels, covariance);
  return std::make_unique<CoupledRows>(constraints, labels, covariance);
}

Projector::Projector(const LinearConstraints& constraints, const FieldLayout& layout,
                     ProjectionOptions options)
    : layout_(layout), options_(std::move(options)) {
  check(options_.covariance);
  validate(constraints, layout.points(), constraints.right_hand_sides.extent(0));
  constraints_ = without_redundant_rows(constraints);
  rows_ = make_linear_rows(constraints_, layout_, options_.covariance);
  const double power = options_.covariance.sigma_power;
  if (power != 2) rows_ = std::make_unique<PoweredRows>(constraints_, power, std::move(rows_));
}

void Projector::project(const PredictionView& prediction, const ProjectedView& projected,
                        ProjectionReport* report) {
  require(!options_.covariance.uses_samples() || prediction.members() >= 2,
          "a covariance from samples needs at least two of them, got {}", prediction.members());
  PredictionView used = prediction;
  if (!options_.covariance.uses_samples() && !is_given(projected.samples)) used.samples = {};
  project_samples(*rows_, constraints_, options_.threads, used, projected, multipliers_, report);
}

}  // namespace nouq
