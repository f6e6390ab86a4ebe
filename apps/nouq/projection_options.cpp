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

void set_smoothing(const ProjectionArguments& words, ProjectOptions& settings) {
  const auto [axis, correlation] = split_once(words.smooth, ':');
  require(!correlation.empty(), "--smooth = '{}': expected AXIS:CORRELATION, as in x:0.5", words.smooth);
  require(words.covariance == "diagonal", "--smooth needs --covariance diagonal, got {}", words.covariance);
  require(words.sigma_power == 2, "--sigma-power {} has no meaning with --smooth: leave out either",
          words.sigma_power);
  settings.smooth_axis = axis;
  settings.smooth_correlation = parse_number(correlation, "--smooth");
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
      .one_of(variance_updates());
  table.add("threads", words.threads, "0 for all cores").at_least(0);
}

ProjectOptions settings_of(const ProjectionArguments& words, bool bounded) {
  if (bounded) {
    check_bounded(words);
  } else {
    check_unbounded(words);
  }
  ProjectOptions settings;
  if (!words.smooth.empty()) set_smoothing(words, settings);
  settings.independent_axis = "auto";
  if (words.covariance == "diagonal") {
    if (words.smooth.empty()) require_no_samples_options(words);
  } else {
    settings.diagonal_share = words.covariance == "low-rank" ? 0.0 : words.diagonal_share;
    if (words.independent_axis != "auto")
      settings.independent_axis = words.independent_axis == "none" ? "" : words.independent_axis;
  }
  settings.sigma_power = words.sigma_power;
  settings.bounded = bounded;
  settings.fixed_variance = words.fixed_variance;
  settings.variance_update = words.variance_update;
  settings.threads = words.threads;
  return settings;
}

Projected project(const ProjectionArguments& words, const Constraints& constraints,
                  const LoadedPrediction& prediction) {
  const ProjectOptions settings = settings_of(words, words.bounded || constraints.has_bounds());
  Projected result{prediction.mean, prediction.variance, prediction.samples, {}};
  if (!settings.smooth_axis.empty()) result.samples = {};
  // As fields of plain values: files may have more axes than a Layout.
  const Index count = prediction.count(), points = prediction.mean.size() / count;
  const Layout fields({count, points});
  ProjectInputs given{{prediction.mean.data(), fields}, {}, {}, {prediction.variance.data(), fields}};
  ProjectOutputs wanted{{result.mean.data(), fields}, {}, {}, {result.variance.data(), fields}};
  if (!result.samples.empty()) {
    const Layout members({count, prediction.samples.extent(1), points});
    given.samples = {prediction.samples.data(), members};
    wanted.samples = {result.samples.data(), members};
  }
  project(constraints, given, wanted, settings, &result.report);
  return result;
}

}  // namespace nouq::cli
