#include "projection.h"

#include <algorithm>
#include <cmath>

#include "argument_values.h"
#include "core/error.h"
#include "plot/table.h"

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

namespace {

struct Deviation {
  double largest = 0;
  double mean = 0;
};

Json json_of(const Deviation& deviation) {
  return {{"largest", deviation.largest}, {"mean", deviation.mean}};
}

// |g.u - b| over all samples and the rows of a part.
Deviation deviation_of(const Constraints& part, const Array<double>& mean) {
  Deviation deviation;
  const Index samples = mean.extent(0), rows = part.rows(), points = mean.size() / samples;
  for (Index i = 0; i < samples; ++i) {
    for (const double residual : part.residuals(i, mean.span().subspan(i * points, points))) {
      const double size = std::abs(residual);
      deviation.largest = std::max(deviation.largest, size);
      deviation.mean += size / static_cast<double>(rows * samples);
    }
  }
  return deviation;
}

// How far values are outside the bounds.
Deviation outside(const Constraints& constraints, const Array<double>& mean) {
  Deviation deviation;
  const Index samples = mean.extent(0), points = mean.size() / samples;
  for (Index i = 0; i < samples; ++i) {
    const std::vector<double> lower = constraints.lower(i), upper = constraints.upper(i);
    for (Index p = 0; p < points; ++p) {
      const double value = mean[i * points + p];
      const double below = lower.empty() ? 0 : lower[p] - value, above = upper.empty() ? 0 : value - upper[p];
      const double excess = std::max({0.0, below, above});
      deviation.largest = std::max(deviation.largest, excess);
      deviation.mean += excess / static_cast<double>(samples * points);
    }
  }
  return deviation;
}

double root_mean_square_change(const Array<double>& from, const Array<double>& to) {
  double sum = 0;
  for (Index i = 0; i < from.size(); ++i) sum += (to[i] - from[i]) * (to[i] - from[i]);
  return std::sqrt(sum / static_cast<double>(from.size()));
}

}  // namespace

Json summarise(const GivenConstraints& given, const LoadedPrediction& prediction,
               const Projected& projected) {
  Json constraints = Json::array();
  for (const auto& [name, part] : given.parts) {
    if (name.empty() || part.rows() == 0) continue;
    constraints.push_back({{"name", name},
                           {"rows", part.rows()},
                           {"before", json_of(deviation_of(part, prediction.mean))},
                           {"after", json_of(deviation_of(part, projected.mean))}});
  }
  Json summary = {{"samples", prediction.count()},
                  {"constraints", constraints},
                  {"change", root_mean_square_change(prediction.mean, projected.mean)},
                  {"residual_before", projected.report.residual_before},
                  {"residual_after", projected.report.residual_after},
                  {"variance_scale", projected.report.variance_scale}};
  const Constraints bounds = given.all();
  if (!bounds.lower(0).empty() || !bounds.upper(0).empty())
    summary["bounds"] = {{"before", json_of(outside(bounds, prediction.mean))},
                         {"after", json_of(outside(bounds, projected.mean))}};
  return summary;
}

void print_summary(const Json& summary, const Output& output) {
  plot::Table table;
  table.columns = {{.header = "constraint"},
                   {.header = "rows", .notation = plot::Notation::fixed, .digits = 0},
                   {.header = "largest", .group = "off before"},
                   {.header = "mean", .group = "off before"},
                   {.header = "largest", .group = "after"},
                   {.header = "mean", .group = "after"}};
  table.groups.emplace_back();
  const auto add = [&](const std::string& name, const plot::Cell& rows, const Json& about) {
    plot::Row row = {name, rows};
    for (const char* when : {"before", "after"}) {
      for (const char* what : {"largest", "mean"}) row.emplace_back(about[when][what].get<double>());
    }
    table.groups.front().rows.push_back(std::move(row));
  };
  for (const Json& part : summary["constraints"])
    add(part["name"].get<std::string>(), part["rows"].get<double>(), part);
  if (summary.contains("bounds")) add("bounds", "", summary["bounds"]);
  output.print("{}", plot::table_text(table));
  output.print("the mean changed by {:.3g} (root mean square)\n", summary["change"].get<double>());
  const auto scales = summary["variance_scale"].get<std::vector<double>>();
  const double scale = scales.empty() ? 1 : *std::max_element(scales.begin(), scales.end());
  if (scale > 1) output.print("variances were scaled by up to {:.3g} to explain the violations\n", scale);
}

}  // namespace nouq::cli
