#include "projection_options.h"

#include <algorithm>

#include "argument_values.h"
#include "conserve/bounded_projection.h"
#include "conserve/projection.h"
#include "conserve/sample_projector.h"
#include "conserve/smoothing.h"

namespace nouq::cli {
namespace {

// Samples are few and times are many: by default each time has its own covariance.
std::string independent_axis(const ProjectionSettings& settings, const Grid& grid) {
  if (settings.independent_axis == "none") return "";
  if (settings.independent_axis != "auto") return settings.independent_axis;
  const bool timed = std::any_of(grid.begin(), grid.end(), [](const Axis& axis) { return axis.name == "t"; });
  return timed && grid.size() > 1 ? "t" : "";
}

void require_no_samples_options(const ProjectionSettings& settings) {
  const ProjectionSettings usual;
  require(
      settings.diagonal_share == usual.diagonal_share && settings.independent_axis == usual.independent_axis,
      "--diagonal-share and --independent-axis are about the covariance of samples: give --covariance "
      "low-rank or low-rank+diagonal");
}

Covariance covariance_of(const ProjectionSettings& settings, const FieldLayout& layout) {
  if (settings.covariance == "diagonal") {
    require_no_samples_options(settings);
    return Covariance::diagonal(settings.sigma_power);
  }
  const std::string axis = independent_axis(settings, layout.grid);
  Covariance covariance = settings.covariance == "low-rank"
                              ? Covariance::low_rank(axis)
                              : Covariance::low_rank_plus_diagonal(settings.diagonal_share, axis);
  covariance.sigma_power = settings.sigma_power;
  return covariance;
}

BoundedOptions bounded_options(const ProjectionSettings& settings) {
  require(settings.covariance == "diagonal",
          "--covariance {}: bounds need the diagonal one; leave out either", settings.covariance);
  require_no_samples_options(settings);
  return {!settings.fixed_variance, settings.sigma_power, variance_update_from_name(settings.variance_update),
          settings.threads};
}

void check_unbounded(const ProjectionSettings& settings) {
  require(!settings.fixed_variance, "--fixed-variance is for bounded projections: give bounds or --bounded");
  require(settings.variance_update == "automatic",
          "--variance-update {} is for bounded projections: give bounds or --bounded",
          settings.variance_update);
}

void project_smoothly(const ProjectionSettings& settings, const LinearConstraints& constraints,
                      const FieldLayout& layout, const LoadedPrediction& prediction, Projected& result) {
  const auto [axis, correlation] = split_once(settings.smooth, ':');
  require(!correlation.empty(), "--smooth = '{}': expected AXIS:CORRELATION, as in x:0.5", settings.smooth);
  require(settings.covariance == "diagonal", "--smooth needs --covariance diagonal, got {}",
          settings.covariance);
  require(settings.sigma_power == 2, "--sigma-power {} has no meaning with --smooth: leave out either",
          settings.sigma_power);
  result.samples = {};
  project_smoothed(constraints, layout, axis, parse_number(correlation, "--smooth"),
                   {prediction.mean.view(), prediction.variance.view(), {}},
                   {result.mean.view(), result.variance.view(), {}}, settings.threads);
  for (Index i = 0; i < prediction.count(); ++i) {
    const Index at = i * layout.points();
    result.report.residual_before.push_back(largest_residual(constraints, i, prediction.mean.data() + at));
    result.report.residual_after.push_back(largest_residual(constraints, i, result.mean.data() + at));
  }
}

}  // namespace

void add_projection_options(OptionTable& table, ProjectionSettings& settings) {
  table.group("How to project");
  table
      .add("covariance", settings.covariance,
           "what spreads a correction over the field: the variances, the samples, or both")
      .one_of({"diagonal", "low-rank", "low-rank+diagonal"});
  table.add("diagonal-share", settings.diagonal_share, "share of the variances in low-rank+diagonal")
      .between(0, 1);
  table
      .add("independent-axis", settings.independent_axis,
           "axis along which samples count as uncorrelated, or none; auto is t where there is one")
      .shown_as("AXIS");
  table
      .add("sigma-power", settings.sigma_power,
           "1 spreads a correction more evenly than the variances do, 0 evenly")
      .between(0, 2);
  table
      .add("smooth", settings.smooth,
           "first condition the field on being smooth along an axis, as if neighbours had this correlation, "
           "as in x:0.5; samples are left out")
      .shown_as("AXIS:CORRELATION");
  table.add(
      "bounded", settings.bounded,
      "keep to the bounds, and scale up variances that do not explain the violation; implied by bounds");
  table.add("fixed-variance", settings.fixed_variance, "do not scale variances up in a bounded projection");
  table.add("variance-update", settings.variance_update, "the variance after a bounded projection")
      .one_of(variance_update_names());
  table.add("threads", settings.threads, "0 for all cores").at_least(0);
}

Projected project(const ProjectionSettings& settings, const LinearConstraints& constraints,
                  const Inequalities& inequalities, const FieldLayout& layout,
                  const LoadedPrediction& prediction) {
  Projected result{prediction.mean, prediction.variance, prediction.samples, {}};
  const PredictionView from{prediction.mean.view(), prediction.variance.view(), prediction.samples.view()};
  const ProjectedView to{result.mean.view(), result.variance.view(), result.samples.view()};
  const bool bounded = settings.bounded || !inequalities.empty();
  require(!bounded || settings.smooth.empty(), "--smooth cannot keep to bounds: leave out either");
  if (bounded) {
    BoundedProjector(constraints, inequalities, layout, bounded_options(settings))
        .project(from, to, &result.report);
    return result;
  }
  check_unbounded(settings);
  if (!settings.smooth.empty()) {
    project_smoothly(settings, constraints, layout, prediction, result);
  } else {
    const ProjectionOptions options{covariance_of(settings, layout), settings.threads};
    Projector(constraints, layout, options).project(from, to, &result.report);
  }
  return result;
}

}  // namespace nouq::cli
