#include "paper/measure_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace nouq::paper {

std::string best_words(const StudyResults& results, const std::string& problem) {
  if (!results.same_seeds(problem)) return "nothing is marked as best, because methods have different seeds";
  std::size_t seeds = 1;
  for (const std::string& method : results.methods(problem))
    seeds = std::max(seeds, results.runs(problem, method).size());
  return seeds > 1 ? "bold is what lies within one standard deviation, over seeds, of the best mean"
                   : "bold is the best";
}

Cell measured(const StudyResults& results, const std::string& problem, const std::string& method, Shift shift,
              const Measure& m) {
  if (m.only_shifted && shift == Shift::in_domain) return {};
  const std::string place =
      m.projection.empty() ? range_place(shift, m.metric) : metric_place(shift, m.metric, m.projection);
  Cell cell = over_seeds(results.runs(problem, method), place);
  if (m.paper.empty()) return cell;
  const Cell paper = results.paper(m.part, problem, shift, method, m.paper);
  cell.reference = paper.value;
  cell.reference_spread = paper.spread;
  return cell;
}

namespace {

// "heat, 2 seeds", or nothing about seeds where methods differ in it.
std::string title_of(const StudyResults& results, const std::string& problem) {
  const std::vector<std::string> methods = results.methods(problem);
  if (methods.empty() || !results.same_seeds(problem)) return problem;
  const std::size_t count = results.runs(problem, methods.front()).size();
  return fmt::format("{}, {} seed{}", problem, count, count == 1 ? "" : "s");
}

}  // namespace

void drop_empty_columns(Table& table) {
  for (std::size_t c = table.columns.size(); c-- > 0;) {
    bool any = false;
    for (const RowGroup& group : table.groups) {
      for (const Row& row : group.rows)
        any |=
            !row[c].text.empty() || std::isfinite(row[c].value.value_or(NAN)) || row[c].reference.has_value();
    }
    if (any) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    table.columns.erase(table.columns.begin() + at);
    for (RowGroup& group : table.groups) {
      for (Row& row : group.rows) row.erase(row.begin() + at);
    }
  }
}

Table table_of(const StudyResults& results, const std::string& problem, std::vector<Column> columns,
               const Rows& rows) {
  Table table{.title = title_of(results, problem), .columns = std::move(columns)};
  const bool seeds = !results.same_seeds(problem);
  if (seeds)
    table.columns.insert(table.columns.begin() + 1,
                         {.header = "seeds", .notation = Notation::fixed, .digits = 0});
  for (const Shift shift : all_shifts) {
    RowGroup group{to_string(shift), {}};
    for (const std::string& method : results.methods(problem)) {
      for (Row& row : rows(method, shift)) {
        if (seeds) row.insert(row.begin() + 1, static_cast<double>(results.runs(problem, method).size()));
        group.rows.push_back(std::move(row));
      }
    }
    if (!group.rows.empty()) table.groups.push_back(std::move(group));
  }
  require(!table.groups.empty(), "no result of {} with these settings is in the store", problem);
  drop_empty_columns(table);
  if (results.methods(problem).size() > 1 && !seeds) mark_best(table);
  return table;
}

Table table_of(const StudyResults& results, const std::string& problem,
               const std::vector<Measure>& measures) {
  std::vector<Column> columns = {{.header = "method"}};
  for (const Measure& m : measures) columns.push_back(m.column);
  return table_of(results, problem, columns, [&](const std::string& method, Shift shift) {
    Row row = {method};
    for (const Measure& m : measures) row.push_back(measured(results, problem, method, shift, m));
    return std::vector<Row>{row};
  });
}

Column lowest(std::string header, int digits) {
  return {.header = std::move(header), .digits = digits, .best = Best::lowest};
}
Column share(std::string header, Best best) {
  return {.header = std::move(header), .notation = Notation::fixed, .digits = 2, .best = best};
}

bool has_entry(const StudyResults& results, const std::string& problem, const std::string& place) {
  const auto methods = results.methods(problem);
  return std::any_of(methods.begin(), methods.end(), [&](const std::string& method) {
    return !values_at(results.runs(problem, method), place).empty();
  });
}

}  // namespace nouq::paper
