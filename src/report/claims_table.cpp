// What the paper claims, as ratios over all problems (study_table.h).
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/ranges.h>

#include "core/digits.h"
#include "report/study_table.h"

namespace nouq::report {
namespace {

const std::vector<std::string> cheap_methods = {"bayesian", "variance", "dropout"};
const std::vector<Shift> shifted = {Shift::small, Shift::medium, Shift::large};

// A metric of one problem before projection, or "mse_pc" after the paper's; not a number where it is missing,
// or of some seeds only.
using Number = std::function<double(const std::string& method, Shift shift, const std::string& metric)>;

struct Sources {
  Number ours, theirs;
};

double complete(const Cell& cell) { return cell.note.empty() ? cell.value.value_or(NAN) : NAN; }

Sources sources_of(const StudyResults& results, const std::string& problem, const std::string& part) {
  return {[&results, problem](const std::string& method, Shift shift, const std::string& metric) {
            const std::string place =
                metric.ends_with("_pc") ? metric_place(shift, metric.substr(0, metric.size() - 3), "diagonal")
                                        : metric_place(shift, metric);
            return complete(over_seeds(results.runs(problem, method), place));
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

Column ratio_column(const std::string& header, const std::string& group = "") {
  return {.header = header, .group = group, .digits = 2};
}

// "ensemble in 11 of 15 cases, diverse in 9 of 15": how often what a method has in columns from `first` on
// is below 1, or above it.
std::string tally(const Table& table, std::size_t first, std::size_t count, bool below) {
  std::vector<std::string> words;
  for (const std::string& method : method_names()) {
    int cases = 0, good = 0;
    for (const Row& row : table.groups[0].rows) {
      for (std::size_t c = first; c < first + count && row[1].text == method; ++c) {
        if (!row[c].value) continue;
        ++cases;
        good += (below ? *row[c].value < 1 : *row[c].value > 1) ? 1 : 0;
      }
    }
    if (cases > 0)
      words.push_back(fmt::format("{} in {} of {}{}", method, good, cases, words.empty() ? " cases" : ""));
  }
  return words.empty() ? "nowhere" : fmt::format("{}", fmt::join(words, ", "));
}

bool says_something(const Row& row) {
  for (const Cell& cell : row) {
    if (cell.value) return true;
  }
  return false;
}

Table ranking_table(const StudyResults& results) {
  Table table{.title = "How much closer does the uncertainty of ensemble and diverse follow the error?",
              .columns = {{.header = "problem"}, {.header = "method"}},
              .groups = {{}}};
  for (const Shift shift : shifted) table.columns.push_back(ratio_column(to_string(shift)));
  for (const std::string& problem : results.problems()) {
    if (!results.same_seeds(problem)) continue;
    const Sources sources = sources_of(results, problem, "uq");
    for (const std::string method : {"ensemble", "diverse"}) {
      Row row = {problem, method};
      for (const Shift shift : shifted)
        row.push_back(compared(sources, [&](const Number& number) {
          return best_cheap(number, shift) / number(method, shift, "nmerci");
        }));
      if (says_something(row)) table.groups[0].rows.push_back(std::move(row));
    }
  }
  table.caption = fmt::format(
      "n-MeRCI of the best cheap method (bayesian, variance, dropout) over that of the method; nothing where "
      "one of them is missing. Above 1 its uncertainty follows the error more closely than that of all "
      "three: {}.",
      tally(table, 2, shifted.size(), false));
  return table;
}

Table rivals_table(const StudyResults& results) {
  Table table{.title = "Is diverse as good as an ensemble?",
              .caption =
                  "Error and n-MeRCI of diverse over those of the ensemble: below 1 diverse is better. Its "
                  "cost is that of one network.",
              .columns = {{.header = "problem"}},
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
    Row row = {problem};
    each([&](const char* metric, const char* /*label*/, Shift shift) {
      row.push_back(compared(sources, [&](const Number& number) {
        return number("diverse", shift, metric) / number("ensemble", shift, metric);
      }));
    });
    if (says_something(row)) table.groups[0].rows.push_back(std::move(row));
  }
  return table;
}

// A row for every problem and method that has something to say, three shifts under each of two headers.
using CellOf = std::function<Cell(const std::string& problem, const std::string& method, Shift shift)>;

Table projection_claims(const StudyResults& results, const std::string& title, const std::string& metric,
                        const CellOf& diagonal, const CellOf& bounded) {
  Table table{.title = title, .columns = {{.header = "problem"}, {.header = "method"}}, .groups = {{}}};
  for (const char* kind : {", diagonal", ", bounded"}) {
    for (const Shift shift : shifted) table.columns.push_back(ratio_column(to_string(shift), metric + kind));
  }
  for (const std::string& problem : results.problems()) {
    for (const std::string& method : results.methods(problem)) {
      Row row = {problem, method};
      for (const CellOf& cell : {diagonal, bounded}) {
        for (const Shift shift : shifted) row.push_back(cell(problem, method, shift));
      }
      if (says_something(row)) table.groups[0].rows.push_back(std::move(row));
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
      "paper rounds to two decimals: its 0 is anything below 0.005.";
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
    const double ratio = complete(over_seeds(runs, metric_place(shift, "mse", "bounded"))) /
                         complete(over_seeds(runs, metric_place(shift, "mse")));
    return std::isfinite(ratio) ? Cell(ratio) : Cell();
  };
  Table table = projection_claims(results, "Does the projection help?", "MSE", diagonal, bounded);
  table.caption = fmt::format(
      "The squared error after over that before, for the paper's projection and the one within physical "
      "bounds. Below 1 the projection helps; the diagonal one {}; the bounded one {}.",
      tally(table, 2, shifted.size(), true), tally(table, 2 + shifted.size(), shifted.size(), true));
  return table;
}

}  // namespace

std::vector<Table> claims_tables(const StudyResults& results) {
  std::vector<Table> tables = {ranking_table(results), rivals_table(results), law_table(results),
                               help_table(results)};
  std::erase_if(tables, [](const Table& table) { return table.groups[0].rows.empty(); });
  return tables;
}

}  // namespace nouq::report
