#include "report/evaluation_table.h"

#include <algorithm>

#include "data/generate.h"

namespace nouq::report {
namespace {

Row evaluation_row(const Evaluation& e, const std::string& label, const std::string& projection,
                   const std::vector<std::string>& metrics) {
  Row row = {label, projection};
  for (const std::string& metric : metrics) {
    const bool there =
        std::any_of(e.metrics.begin(), e.metrics.end(), [&](const auto& m) { return m.first == metric; });
    row.push_back(there ? Cell(e.metric(metric)) : Cell("-"));
  }
  return row;
}

}  // namespace

Table evaluation_table(const Surrogate& surrogate, const std::vector<TestSet>& sets,
                       const EvaluationChoice& choice) {
  Table table;
  table.columns = {{.header = "data"}, {.header = "projection"}};
  for (const std::string& metric : choice.metrics) table.columns.push_back({.header = metric});
  if (has_trust(surrogate))
    table.columns.push_back({.header = "flagged", .notation = Notation::fixed, .digits = 2});
  const auto& projections = choice.projections;
  const bool samples = std::any_of(projections.begin(), projections.end(), [](const std::string& projection) {
    return uses_samples(projection_from_name(projection));
  });
  for (const TestSet& set : sets) {
    const Prediction prediction = predict(surrogate, set.data.inputs.view(), {samples, choice.threads});
    RowGroup group;
    for (const std::string& projection : projections) {
      const ProjectionChoice one{projection_from_name(projection), choice.slack, choice.threads};
      const Evaluation e = evaluate(surrogate, set.data, prediction, one);
      group.rows.push_back(evaluation_row(e, set.label, projection, choice.metrics));
      if (has_trust(surrogate)) group.rows.back().emplace_back(e.flagged);
    }
    table.groups.push_back(std::move(group));
  }
  return table;
}

std::vector<TestSet> shifted_sets(const Surrogate& surrogate, const std::string& problem, Index samples,
                                  std::uint64_t seed, int threads) {
  const auto family = make_problem(problem);
  std::vector<TestSet> sets;
  for (const Shift shift : all_shifts)
    sets.push_back({to_string(shift), generate_data_set(*family, {samples, seed, family->range(shift),
                                                                  surrogate.grid, threads})});
  return sets;
}

std::string problem_of(const Surrogate& surrogate) {
  const auto fact = surrogate.facts.find("data.problem");
  const auto names = problem_names();
  const bool known =
      fact != surrogate.facts.end() && std::find(names.begin(), names.end(), fact->second) != names.end();
  return known ? fact->second : "";
}

}  // namespace nouq::report
