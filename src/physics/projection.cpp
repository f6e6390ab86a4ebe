#include "physics/projection.h"

#include <algorithm>

#include "conserve/projection.h"
#include "conserve/sample_projector.h"
#include "conserve/smoothing.h"
#include "core/error.h"

namespace nouq {
namespace {

// The rows with the settings' noise, where they set one.
class Rows {
 public:
  Rows(const ProjectionSettings& settings, const LinearConstraints& constraints) : rows_(&constraints) {
    if (!settings.noise_variance) return;
    changed_ = constraints;
    changed_.set_noise_variance(*settings.noise_variance);
    rows_ = &changed_;
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  [[nodiscard]] const LinearConstraints& get() const { return *rows_; }

 private:
  LinearConstraints changed_;
  const LinearConstraints* rows_;
};

std::string independent_axis(const ProjectionSettings& settings, const Grid& grid) {
  if (settings.independent_axis) return *settings.independent_axis;
  const bool timed = std::any_of(grid.begin(), grid.end(), [](const Axis& axis) { return axis.name == "t"; });
  return timed && grid.size() > 1 ? "t" : "";
}

void check(const ProjectionSettings& settings, bool bounded) {
  require(!bounded || settings.diagonal_share == 1,
          "diagonal share {}: bounds need 1, the diagonal covariance", settings.diagonal_share);
  require(!bounded || !settings.smooth, "a smoothing projection cannot keep to bounds");
  require(bounded || !settings.fixed_variance, "a fixed variance is for bounded projections");
  require(bounded || settings.variance_update == VarianceUpdate::automatic,
          "an update of the variance other than the automatic one is for bounded projections");
  if (!settings.smooth) return;
  require(settings.diagonal_share == 1, "a smoothing projection needs diagonal share 1, got {}",
          settings.diagonal_share);
  require(settings.sigma_power == 2, "sigma power {} has no meaning in a smoothing projection",
          settings.sigma_power);
}

void project_smoothly(const ProjectionSettings& settings, const LinearConstraints& rows,
                      const FieldLayout& layout, const PredictionView& from, const ProjectedView& to,
                      ProjectionReport* report) {
  const auto note = [&](std::vector<double>& list, const double* fields) {
    for (Index i = 0; i < from.count(); ++i)
      list.push_back(largest_residual(rows, i, fields + i * layout.points()));
  };
  // Before the outputs are written: they may be the inputs.
  if (report != nullptr) note(report->residual_before, from.mean.data());
  project_smoothed(rows, layout, settings.smooth->axis, settings.smooth->correlation,
                   {from.mean, from.variance, {}}, {to.mean, to.variance, {}}, settings.threads);
  if (report != nullptr) note(report->residual_after, to.mean.data());
}

}  // namespace

void project(const ProjectionSettings& settings, const LinearConstraints& constraints,
             const Inequalities& inequalities, const FieldLayout& layout, const PredictionView& prediction,
             const ProjectedView& projected, ProjectionReport* report) {
  const bool bounded = settings.bounded || !inequalities.empty();
  check(settings, bounded);
  const Rows rows(settings, constraints);
  if (bounded) {
    BoundedProjector(
        rows.get(), inequalities, layout,
        {!settings.fixed_variance, settings.sigma_power, settings.variance_update, settings.threads})
        .project(prediction, projected, report);
  } else if (settings.smooth) {
    project_smoothly(settings, rows.get(), layout, prediction, projected, report);
  } else {
    Covariance covariance{settings.diagonal_share, "", settings.sigma_power};
    if (covariance.uses_samples()) covariance.independent_axis = independent_axis(settings, layout.grid);
    Projector(rows.get(), layout, {covariance, settings.threads}).project(prediction, projected, report);
  }
}

}  // namespace nouq
