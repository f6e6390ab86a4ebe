#include "rollout_table.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <nouq/rollout.h>

#include "core/error.h"

namespace nouq::cli {
namespace {

std::vector<plot::Column> rollout_columns(const Model& model) {
  const ModelInfo info = model.info();
  std::vector<plot::Column> columns = {{.header = "data"}, {.header = "projection"}, {.header = "t"}};
  columns.push_back({.header = "of trained time", .notation = plot::Notation::fixed, .digits = 2});
  columns.push_back({.header = "relative error"});
  columns.push_back({.header = "persistence"});
  columns.push_back({.header = "off the law"});
  columns.push_back({.header = "inside 95 %", .notation = plot::Notation::fixed, .digits = 2});
  if (info.rollout->band_coverage > 0)
    columns.push_back({.header = "bands hold", .notation = plot::Notation::fixed, .digits = 2});
  if (info.has_trust)
    columns.push_back({.header = "flagged", .notation = plot::Notation::fixed, .digits = 2});
  return columns;
}

// What is asked of one time of all trajectories.
struct AtTime {
  double error = 0, persistence = 0, inside = 0, held = 0;
};

AtTime judge_time(const Rollout& r, const DataSet& data, Index time) {
  const Prediction& p = r.prediction;
  const Index count = p.mean.extent(0), channels = p.mean.shape().back();
  const Index times = p.mean.shape()[p.mean.rank() - 2], all = data.grid.back().size();
  const Index space = p.mean.size() / (count * times * channels);
  AtTime result;
  for (Index i = 0; i < count; ++i) {
    double error = 0, lasting = 0, size = 0;
    Index inside = 0, held = 0;
    for (Index k = 0; k < space * channels; ++k) {
      const Index s = k / channels, c = k % channels;
      const Index at = ((i * space + s) * times + time) * channels + c;
      const float* own = data.outputs.data() + (i * space + s) * all * channels + c;
      const auto truth = static_cast<double>(own[(time + 1) * channels]);
      const double off = p.mean[at] - truth;
      error += off * off;
      lasting += std::pow(static_cast<double>(own[0]) - truth, 2);
      size += truth * truth;
      inside += std::abs(off) <= 1.96 * std::sqrt(p.variance[at]) ? 1 : 0;
      held += !p.band.empty() && std::abs(off) <= p.band[at] ? 1 : 0;
    }
    const auto each = static_cast<double>(count);
    result.error += std::sqrt(error / size) / each;
    result.persistence += std::sqrt(lasting / size) / each;
    result.inside += static_cast<double>(inside) / static_cast<double>(space * channels) / each;
    result.held += held == space * channels ? 1 / each : 0;
  }
  return result;
}

plot::RowGroup rollout_rows(const Model& model, const TestSet& set, const EvaluationChoice& choice) {
  const RolloutInfo info = *model.info().rollout;
  const Index steps = (set.data.grid.back().size() - 1) / info.block, times = steps * info.block;
  require(steps >= 1, "{} times: expected {} or more, one step of the model", set.data.grid.back().size(),
          info.block + 1);
  std::set<Index> shown = {info.block - 1, times / 2 - (times > 1 ? 1 : 0), times - 1};
  if (info.horizon <= times) shown.insert(info.horizon - 1);
  plot::RowGroup group;
  for (const std::string& projection : choice.projections) {
    const Rollout r = roll_out(model, set.data,
                               {.steps = steps,
                                .project = projection,
                                .noise_variance = choice.noise_variance,
                                .threads = choice.threads});
    double off = 0;
    for (const auto& law : r.violation) off = std::max(off, law.second);
    for (const Index time : shown) {
      const AtTime at = judge_time(r, set.data, time);
      plot::Row row = {set.label, projection,
                       fmt::format("{:.4g}", r.grid.back().coordinates[static_cast<std::size_t>(time)])};
      row.emplace_back(static_cast<double>(time + 1) / static_cast<double>(info.horizon));
      row.emplace_back(at.error);
      row.emplace_back(at.persistence);
      row.push_back(r.violation.empty() ? plot::Cell("-") : plot::Cell(off));
      row.emplace_back(at.inside);
      if (info.band_coverage > 0) row.emplace_back(at.held);
      if (model.info().has_trust) {
        double flagged = 0;
        for (const std::vector<Trust>& judged : r.trust)
          flagged +=
              judged[static_cast<std::size_t>(time / info.block)].verdict == Verdict::in_domain ? 0 : 1;
        row.push_back(r.trust.empty() ? plot::Cell("-")
                                      : plot::Cell(flagged / static_cast<double>(r.trust.size())));
      }
      group.rows.push_back(std::move(row));
    }
  }
  return group;
}

}  // namespace

plot::Table rollout_table(const Model& model, const std::vector<TestSet>& sets,
                          const EvaluationChoice& choice) {
  plot::Table table;
  table.columns = rollout_columns(model);
  for (const TestSet& set : sets)
    table.groups.push_back(with_source(set.label, [&] { return rollout_rows(model, set, choice); }));
  return table;
}

}  // namespace nouq::cli
