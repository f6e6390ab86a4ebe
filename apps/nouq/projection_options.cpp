#include "projection_options.h"

#include "argument_values.h"
#include "core/error.h"

namespace nouq::cli {
namespace {

constexpr const char* no_bounds = "is for bounded projections: give bounds or --bounded";

void require_no_samples_options(const ProjectionArguments& words) {
  const ProjectionArguments usual;
  require(words.diagonal_share == usual.diagonal_share && words.independent_axis == usual.independent_axis,
          "--diagonal-share and --independent-axis are about the covariance of samples: give --covariance "
          "low-rank or low-rank+diagonal");
}

Smoothing smoothing_of(const ProjectionArguments& words) {
  const auto [axis, correlation] = split_once(words.smooth, ':');
  require(!correlation.empty(), "--smooth = '{}': expected AXIS:CORRELATION, as in x:0.5", words.smooth);
  require(words.covariance == "diagonal", "--smooth needs --covariance diagonal, got {}", words.covariance);
  require(words.sigma_power == 2, "--sigma-power {} has no meaning with --smooth: leave out either",
          words.sigma_power);
  return {axis, parse_number(correlation, "--smooth")};
}

void check_bounded(const ProjectionArguments& words) {
  require(words.smooth.empty(), "--smooth cannot keep to bounds: leave out either");
  require(words.covariance == "diagonal", "--covariance {}: bounds need the diagonal one; leave out either",
          words.covariance);
}

void check_unbounded(const ProjectionArguments& words) {
  require(!words.fixed_variance, "--fixed-variance {}", no_bounds);
  require(words.variance_update == "automatic", "--variance-update {} {}", words.variance_update, no_bounds);
}

}  // namespace

void add_projection_options(OptionTable& table, ProjectionArguments& words) {
  table.group("How to project");
  table
      .add("covariance", words.covariance,
           "what spreads a correction over the field: the variances, the samples, or both")
      .one_of({"diagonal", "low-rank", "low-rank+diagonal"});
  table.add("diagonal-share", words.diagonal_share, "share of the variances in low-rank+diagonal")
      .between(0, 1);
  table
      .add("independent-axis", words.independent_axis,
           "axis along which samples count as uncorrelated, or none; auto is t where there is one")
      .shown_as("AXIS");
  table
      .add("sigma-power", words.sigma_power,
           "1 spreads a correction more evenly than the variances do, 0 evenly")
      .between(0, 2);
  table
      .add("smooth", words.smooth,
           "first condition the field on being smooth along an axis, as if neighbours had this correlation, "
           "as in x:0.5; samples are left out")
      .shown_as("AXIS:CORRELATION");
  table.add(
      "bounded", words.bounded,
      "keep to the bounds, and scale up variances that do not explain the violation; implied by bounds");
  table.add("fixed-variance", words.fixed_variance, "do not scale variances up in a bounded projection");
  table.add("variance-update", words.variance_update, "the variance after a bounded projection")
      .one_of(variance_update_names());
  table.add("threads", words.threads, "0 for all cores").at_least(0);
}

ProjectionSettings settings_of(const ProjectionArguments& words, bool bounded) {
  if (bounded) {
    check_bounded(words);
  } else {
    check_unbounded(words);
  }
  ProjectionSettings settings;
  if (!words.smooth.empty()) settings.smooth = smoothing_of(words);
  if (words.covariance == "diagonal") {
    if (!settings.smooth) require_no_samples_options(words);
  } else {
    settings.diagonal_share = words.covariance == "low-rank" ? 0.0 : words.diagonal_share;
    if (words.independent_axis != "auto")
      settings.independent_axis = words.independent_axis == "none" ? "" : words.independent_axis;
  }
  settings.sigma_power = words.sigma_power;
  settings.bounded = bounded;
  settings.fixed_variance = words.fixed_variance;
  settings.variance_update = variance_update_from_name(words.variance_update);
  settings.threads = words.threads;
  return settings;
}

Projected project(const ProjectionArguments& words, const LinearConstraints& constraints,
                  const Inequalities& inequalities, const FieldLayout& layout,
                  const LoadedPrediction& prediction) {
  const ProjectionSettings settings = settings_of(words, words.bounded || !inequalities.empty());
  Projected result{prediction.mean, prediction.variance, prediction.samples, {}};
  if (settings.smooth) result.samples = {};
  project(settings, constraints, inequalities, layout,
          {prediction.mean.view(), prediction.variance.view(), prediction.samples.view()},
          {result.mean.view(), result.variance.view(), result.samples.view()}, &result.report);
  return result;
}

}  // namespace nouq::cli
