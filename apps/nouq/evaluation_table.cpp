#include "evaluation_table.h"

#include <algorithm>

#include "core/error.h"

namespace nouq::cli {
namespace {

plot::Cell cell_of(const std::optional<double>& value) {
  return value ? plot::Cell(*value) : plot::Cell("-");
}

std::optional<double> find_metric_value(const Evaluation& e, const std::string& metric) {
  for (const auto& [name, value] : e.metrics) {
    if (name == metric) return value;
  }
  return std::nullopt;
}

std::vector<plot::Column> columns_of(const ModelInfo& info, const EvaluationChoice& choice) {
  std::vector<plot::Column> columns = {{.header = "data"}, {.header = "projection"}};
  for (const std::string& metric : choice.metrics) columns.push_back({.header = metric});
  const auto add_share = [&](const char* header) {
    columns.push_back({.header = header, .notation = plot::Notation::fixed, .digits = 2});
  };
  if (info.band) add_share("band coverage");
  if (info.has_trust) add_share("flagged");
  return columns;
}

plot::RowGroup rows_of(const Model& model, const TestSet& set, const EvaluationChoice& choice) {
  const ModelInfo info = model.info();
  const bool samples = std::any_of(choice.projections.begin(), choice.projections.end(),
                                   [](const std::string& projection) { return uses_samples(projection); });
  const Prediction prediction = predict(model, set.data.inputs, {samples, choice.threads});
  plot::RowGroup group;
  for (const std::string& projection : choice.projections) {
    const Evaluation e = evaluate(model, set.data, prediction,
                                  {.project = projection,
                                   .noise_variance = choice.slack,
                                   .metrics = choice.insist ? choice.metrics : std::vector<std::string>{},
                                   .threads = choice.threads});
    plot::Row row = {set.label, projection};
    for (const std::string& metric : choice.metrics) row.push_back(cell_of(find_metric_value(e, metric)));
    if (info.band) row.push_back(cell_of(e.band_coverage));
    if (info.has_trust) row.emplace_back(e.flagged);
    group.rows.push_back(std::move(row));
  }
  return group;
}

ParameterRange trained_range(const Model& model, const Problem& problem) {
  const Provenance provenance = model.provenance();
  const auto own = provenance.find("problem");
  const bool same = own != provenance.end() && own->second == problem.name();
  return (same ? range_of(provenance) : std::nullopt).value_or(problem.range(Shift::in_domain));
}

}  // namespace

plot::Table evaluation_table(const Model& model, const std::vector<TestSet>& sets,
                             const EvaluationChoice& choice) {
  plot::Table table;
  table.columns = columns_of(model.info(), choice);
  for (const TestSet& set : sets)
    table.groups.push_back(with_source(set.label, [&] { return rows_of(model, set, choice); }));
  return table;
}

std::vector<TestSet> shifted_sets(const Model& model, const Problem& problem, Index samples,
                                  std::uint64_t seed, int threads) {
  std::vector<TestSet> sets;
  for (const Shift shift : all_shifts) {
    const ParameterRange range =
        shift == Shift::in_domain ? trained_range(model, problem) : problem.range(shift);
    sets.push_back({to_string(shift), draw(problem, {.samples = samples,
                                                     .range = std::pair{range.low, range.high},
                                                     .seed = seed,
                                                     .grid = model.grid(),
                                                     .threads = threads})});
  }
  return sets;
}

}  // namespace nouq::cli
