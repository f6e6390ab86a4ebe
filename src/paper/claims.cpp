#include "paper/claims.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/parse.h"
#include "paper/study_table.h"

namespace nouq::paper {

Sources sources_of(const StudyResults& results, const std::string& problem, const std::string& part) {
  return {[&results, problem](const std::string& method, Shift shift, const std::string& metric) {
            const std::string place =
                metric.ends_with("_pc") ? metric_place(shift, metric.substr(0, metric.size() - 3), "diagonal")
                                        : metric_place(shift, metric);
            return complete_mean(over_seeds(results.runs(problem, method), place));
          },
          [&results, problem, part](const std::string& method, Shift shift, const std::string& metric) {
            return results.paper(part, problem, shift, method, metric).value.value_or(NAN);
          }};
}

Cell compared(const Sources& sources, const std::function<double(const Number&)>& ratio) {
  Cell cell;
  if (const double value = ratio(sources.ours); std::isfinite(value)) cell = value;
  // The paper prints two digits: a ratio of them has no more.
  if (const double value = ratio(sources.theirs); std::isfinite(value))
    cell.reference = with_digits(value, 2);
  return cell;
}

Column ratio_column(const std::string& header, const std::string& group) {
  return {.header = header, .group = group, .digits = 2};
}

std::string tally(const Table& table, std::size_t first, std::size_t count, bool below) {
  struct Count {
    std::string name;
    int cases = 0, good = 0;
  };
  std::vector<Count> counts;  // in the order of the rows
  for (const Row& row : table.groups[0].rows) {
    auto own = std::find_if(counts.begin(), counts.end(),
                            [&](const Count& other) { return other.name == row[1].text; });
    if (own == counts.end()) own = counts.insert(counts.end(), {row[1].text});
    for (std::size_t c = first; c < first + count; ++c) {
      if (!row[c].value) continue;
      ++own->cases;
      own->good += (below ? *row[c].value < 1 : *row[c].value > 1) ? 1 : 0;
    }
  }
  std::erase_if(counts, [](const Count& one) { return one.cases == 0; });
  std::vector<std::string> words;
  for (const Count& one : counts)
    words.push_back(
        fmt::format("{} in {} of {}{}", one.name, one.good, one.cases, words.empty() ? " cases" : ""));
  return words.empty() ? "nowhere" : fmt::format("{}", fmt::join(words, ", "));
}

std::string words_of_diverse(const Table& table) {
  const std::vector<Row>& rows = table.groups[0].rows;
  if (std::none_of(rows.begin(), rows.end(), [](const Row& row) { return row[1].text == fixed_diverse(); }))
    return "";
  return fmt::format(
      " 'diverse' has the strength that was chosen on validation data, '{}' that of nouq train.",
      fixed_diverse());
}

void add_if_numeric(Row row, Table& table) {
  if (std::any_of(row.begin(), row.end(), [](const Cell& cell) { return cell.value.has_value(); }))
    table.groups[0].rows.push_back(std::move(row));
}

// ---- What projections do to error and conservation law ----

namespace {

// A row for every problem and method that has something to say, three shifts under each of two headers.
using CellOf = std::function<Cell(const std::string& problem, const std::string& method, Shift shift)>;

Table projection_claims(const StudyResults& results, const std::string& title, const std::string& metric,
                        const CellOf& diagonal, const CellOf& bounded) {
  Table table{.title = title, .columns = {{.header = "problem"}, {.header = "method"}}, .groups = {{}}};
  for (const char* kind : {", diagonal", ", bounded"}) {
    for (const Shift shift : shifted) table.columns.push_back(ratio_column(to_string(shift), metric + kind));
  }
  for (const std::string& problem : results.problems()) {
    for (const std::string& method : results.contenders(problem)) {
      Row row = {problem, method};
      for (const CellOf& cell : {diagonal, bounded}) {
        for (const Shift shift : shifted) row.push_back(cell(problem, method, shift));
      }
      add_if_numeric(std::move(row), table);
    }
  }
  return table;
}

Table law_table(const StudyResults& results) {
  const auto after = [&](const char* projection) -> CellOf {
    return [&results, projection](const std::string& problem, const std::string& method, Shift shift) {
      Cell cell =
          over_seeds(results.runs(problem, method), metric_place(shift, "conservation_error", projection));
      if (projection == std::string("diagonal"))
        cell.reference = results.paper("probconserv", problem, shift, method, "ce_pc").value;
      return cell;
    };
  };
  Table table = projection_claims(results, "Does the projection meet the conservation law?",
                                  "conservation error", after("diagonal"), after("bounded"));
  table.caption =
      "The conservation error that is left after the paper's projection (diagonal), which takes the law as "
      "exact to a variance of 1e-9, and after the one within physical bounds, which takes it as exact as "
      "helps on validation data: on a coarse grid with a front even the true solution misses the law. The "
      "paper rounds to two decimals: its 0 is anything below 0.005." +
      words_of_diverse(table);
  return table;
}

Table help_table(const StudyResults& results) {
  const CellOf diagonal = [&](const std::string& problem, const std::string& method, Shift shift) {
    return compared(sources_of(results, problem, "probconserv"), [&](const Number& number) {
      return number(method, shift, "mse_pc") / number(method, shift, "mse");
    });
  };
  const CellOf bounded = [&](const std::string& problem, const std::string& method, Shift shift) {
    const Runs runs = results.runs(problem, method);
    const double ratio = complete_mean(over_seeds(runs, metric_place(shift, "mse", "bounded"))) /
                         complete_mean(over_seeds(runs, metric_place(shift, "mse")));
    return std::isfinite(ratio) ? Cell(ratio) : Cell();
  };
  Table table = projection_claims(results, "Does the projection help?", "MSE", diagonal, bounded);
  table.caption = fmt::format(
      "The squared error after over that before, for the paper's projection and the one within physical "
      "bounds. Below 1 the projection helps; the diagonal one {}; the bounded one {}.{}",
      tally(table, 2, shifted.size(), true), tally(table, 2 + shifted.size(), shifted.size(), true),
      words_of_diverse(table));
  return table;
}

// ---- What the paper claims, as ratios over all problems (study_table.h) ----

const std::vector<std::string> cheap_methods = {"bayesian", "variance", "dropout"};

// Not a number where one of them is missing: the best of some is not comparable with the best of all.
double best_cheap(const Number& number, Shift shift) {
  double best = INFINITY;
  for (const std::string& method : cheap_methods) {
    const double one = number(method, shift, "nmerci");
    if (!(best <= one)) best = one;
    if (std::isnan(one)) return NAN;
  }
  return best;
}

Table ranking_table(const StudyResults& results) {
  Table table{.title = "How much closer does the uncertainty of ensemble and diverse follow the error?",
              .columns = {{.header = "problem"}, {.header = "method"}},
              .groups = {{}}};
  for (const Shift shift : shifted) table.columns.push_back(ratio_column(to_string(shift)));
  for (const std::string& problem : results.problems()) {
    if (!results.same_seeds(problem)) continue;
    const Sources sources = sources_of(results, problem, "uq");
    for (const std::string& method : {std::string("ensemble"), std::string("diverse"), fixed_diverse()}) {
      Row row = {problem, method};
      for (const Shift shift : shifted)
        row.push_back(compared(sources, [&](const Number& number) {
          return best_cheap(number, shift) / number(method, shift, "nmerci");
        }));
      add_if_numeric(std::move(row), table);
    }
  }
  table.caption = fmt::format(
      "n-MeRCI of the best cheap method (bayesian, variance, dropout) over that of the method; nothing where "
      "one of them is missing. Above 1 its uncertainty follows the error more closely than that of all "
      "three: {}.{}",
      tally(table, 2, shifted.size(), false), words_of_diverse(table));
  return table;
}

Table rivals_table(const StudyResults& results) {
  Table table{.title = "Is diverse as good as an ensemble?",
              .caption =
                  "Error and n-MeRCI of diverse over those of the ensemble: below 1 diverse is better. Its "
                  "cost is that of one network.",
              .columns = {{.header = "problem"}, {.header = "method"}},
              .groups = {{}}};
  const auto each = [](const auto& visit) {
    for (const Shift shift : all_shifts) visit("mse", "MSE", shift);
    for (const Shift shift : shifted) visit("nmerci", "n-MeRCI", shift);
  };
  each([&](const char* /*metric*/, const char* label, Shift shift) {
    table.columns.push_back(ratio_column(to_string(shift), label));
  });
  for (const std::string& problem : results.problems()) {
    if (!results.same_seeds(problem)) continue;
    const Sources sources = sources_of(results, problem, "uq");
    for (const std::string& method : {std::string("diverse"), fixed_diverse()}) {
      Row row = {problem, method};
      each([&](const char* metric, const char* /*label*/, Shift shift) {
        row.push_back(compared(sources, [&](const Number& number) {
          return number(method, shift, metric) / number("ensemble", shift, metric);
        }));
      });
      add_if_numeric(std::move(row), table);
    }
  }
  table.caption += words_of_diverse(table);
  return table;
}

}  // namespace

std::vector<Table> claims_tables(const StudyResults& results) {
  std::vector<Table> tables = {ranking_table(results), rivals_table(results), law_table(results),
                               help_table(results)};
  std::erase_if(tables, [](const Table& table) { return !has_rows(table); });
  return tables;
}

}  // namespace nouq::paper
