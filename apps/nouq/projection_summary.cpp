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

// |g.u - b| over all samples and the rows of every part.
std::vector<Deviation> deviations(const GivenConstraints& given, const Array<double>& mean) {
  const Index samples = mean.extent(0);
  std::vector<double> residuals(given.set.equalities.rows());
  std::vector<Deviation> all(given.parts.size());
  for (Index i = 0; i < samples; ++i) {
    evaluate_residuals<double>(given.set.equalities, i, mean.row(i).span(), residuals);
    for (std::size_t p = 0; p < all.size(); ++p) {
      const auto& [name, first, rows] = given.parts[p];
      for (Index r = first; r < first + rows; ++r) {
        const double size = std::abs(residuals[r]);
        all[p].largest = std::max(all[p].largest, size);
        all[p].mean += size / static_cast<double>(rows * samples);
      }
    }
  }
  return all;
}

// How far values are outside the bounds.
Deviation outside(const Inequalities& inequalities, const Array<double>& mean) {
  Deviation deviation;
  const Index samples = mean.extent(0), points = mean.size() / samples;
  for (Index i = 0; i < samples; ++i) {
    const double *lower = lower_of(inequalities, i), *upper = upper_of(inequalities, i);
    for (Index p = 0; p < points; ++p) {
      const double value = mean[i * points + p];
      const double below = lower == nullptr ? 0 : lower[p] - value,
                   above = upper == nullptr ? 0 : value - upper[p];
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
  const auto before = deviations(given, prediction.mean), after = deviations(given, projected.mean);
  Json constraints = Json::array();
  for (std::size_t p = 0; p < given.parts.size(); ++p) {
    if (given.parts[p].rows == 0) continue;
    constraints.push_back({{"name", given.parts[p].name},
                           {"rows", given.parts[p].rows},
                           {"before", json_of(before[p])},
                           {"after", json_of(after[p])}});
  }
  Json summary = {{"samples", prediction.count()},
                  {"constraints", constraints},
                  {"change", root_mean_square_change(prediction.mean, projected.mean)},
                  {"residual_before", projected.report.residual_before},
                  {"residual_after", projected.report.residual_after},
                  {"variance_scale", projected.report.variance_scale}};
  const Inequalities& bounds = given.set.inequalities;
  if (!bounds.lower.empty() || !bounds.upper.empty())
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
