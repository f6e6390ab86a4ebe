#include "projection_summary.h"

#include <algorithm>
#include <cmath>

#include "plot/table.h"

namespace nouq::cli {
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
