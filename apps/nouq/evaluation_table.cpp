#include "evaluation_table.h"

#include <algorithm>

#include "core/error.h"
#include "data/generate.h"
#include "data/recorded_problem.h"
#include "uq/conformal.h"

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

std::vector<plot::Column> columns_of(const Surrogate& surrogate, const EvaluationChoice& choice) {
  std::vector<plot::Column> columns = {{.header = "data"}, {.header = "projection"}};
  for (const std::string& metric : choice.metrics) columns.push_back({.header = metric});
  const auto add_share = [&](const char* header) {
    columns.push_back({.header = header, .notation = plot::Notation::fixed, .digits = 2});
  };
  if (has_conformal(surrogate)) add_share("band coverage");
  if (has_trust(surrogate)) add_share("flagged");
  return columns;
}

plot::RowGroup rows_of(const Surrogate& surrogate, const TestSet& set, const EvaluationChoice& choice) {
  const bool samples = std::any_of(
      choice.projections.begin(), choice.projections.end(),
      [](const std::string& projection) { return uses_samples(projection_from_name(projection)); });
  const Prediction prediction = predict(surrogate, set.data.inputs.view(), {samples, choice.threads});
  plot::RowGroup group;
  for (const std::string& projection : choice.projections) {
    const ProjectionChoice one{projection_from_name(projection), choice.slack, choice.threads};
    const Evaluation e = evaluate(surrogate, set.data, prediction, one,
                                  choice.insist ? choice.metrics : std::vector<std::string>{});
    plot::Row row = {set.label, projection};
    for (const std::string& metric : choice.metrics) row.push_back(cell_of(find_metric_value(e, metric)));
    if (has_conformal(surrogate)) row.push_back(cell_of(e.band_coverage));
    if (has_trust(surrogate)) row.emplace_back(e.flagged);
    group.rows.push_back(std::move(row));
  }
  return group;
}

ParameterRange trained_range(const Surrogate& surrogate, const Problem& problem) {
  const Provenance provenance = provenance_of(surrogate);
  const auto own = provenance.find("problem");
  const bool same = own != provenance.end() && own->second == problem.name();
  return (same ? range_of(provenance) : std::nullopt).value_or(problem.range(Shift::in_domain));
}

}  // namespace

plot::Table evaluation_table(const Surrogate& surrogate, const std::vector<TestSet>& sets,
                             const EvaluationChoice& choice) {
  plot::Table table;
  table.columns = columns_of(surrogate, choice);
  for (const TestSet& set : sets)
    table.groups.push_back(with_source(set.label, [&] { return rows_of(surrogate, set, choice); }));
  return table;
}

std::vector<TestSet> shifted_sets(const Surrogate& surrogate, const Problem& problem, Index samples,
                                  std::uint64_t seed, int threads) {
  std::vector<TestSet> sets;
  for (const Shift shift : all_shifts) {
    const ParameterRange range =
        shift == Shift::in_domain ? trained_range(surrogate, problem) : problem.range(shift);
    sets.push_back(
        {to_string(shift), generate_data_set(problem, {samples, seed, range, surrogate.grid, threads})});
  }
  return sets;
}

}  // namespace nouq::cli
