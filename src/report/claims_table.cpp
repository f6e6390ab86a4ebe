// What the paper claims, as ratios over all problems (study_table.h).
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/digits.h"
#include "report/study_table.h"

namespace nouq::report {
namespace {

const std::vector<std::string> cheap_methods = {"bayesian", "variance", "dropout"};
const std::vector<Shift> shifted = {Shift::small, Shift::medium, Shift::large};

// A metric of one problem before projection, or "mse_pc" after the paper's; not a number where it is missing.
using Number = std::function<double(const std::string& method, Shift shift, const std::string& metric)>;

struct Sources {
  Number ours, theirs;
};

Sources sources_of(const StudyResults& results, const std::string& problem, const std::string& part) {
  return {[&results, problem](const std::string& method, Shift shift, const std::string& metric) {
            const std::string place =
                metric.ends_with("_pc") ? metric_place(shift, metric.substr(0, metric.size() - 3), "diagonal")
                                        : metric_place(shift, metric);
            return over_seeds(results.runs(problem, method), place).value.value_or(NAN);
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

double best_cheap(const Number& number, Shift shift) {
  double best = NAN;
  for (const std::string& method : cheap_methods) best = std::fmin(best, number(method, shift, "nmerci"));
  return best;
}

Column ratio_column(const std::string& header, const std::string& group = "") {
  return {.header = header, .group = group, .digits = 2};
}

bool says_something(const Row& row) {
  for (const Cell& cell : row) {
    if (cell.value) return true;
  }
  return false;
}

Table ranking_table(const StudyResults& results) {
  Table table{.title = "How much better do ensemble and diverse rank?",
              .caption =
                  "n-MeRCI of the best cheap method (bayesian, variance, dropout) over that of the method. "
                  "Above 1 it ranks samples by their error better than all of them.",
              .columns = {{.header = "problem"}, {.header = "method"}},
              .groups = {{}}};
  for (const Shift shift : shifted) table.columns.push_back(ratio_column(to_string(shift)));
  for (const std::string& problem : results.problems()) {
    // The best of some would not be comparable with the paper's best of all.
    if (std::any_of(cheap_methods.begin(), cheap_methods.end(),
                    [&](const std::string& method) { return results.runs(problem, method).empty(); }))
      continue;
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

Cell bounded_ratio(const Runs& runs, Shift shift) {
  const Cell before = over_seeds(runs, metric_place(shift, "mse")),
             after = over_seeds(runs, metric_place(shift, "mse", "bounded"));
  return before.value && after.value ? Cell(*after.value / *before.value) : Cell();
}

Row projection_row(const StudyResults& results, const std::string& problem, const std::string& method) {
  const Sources sources = sources_of(results, problem, "probconserv");
  const Runs runs = results.runs(problem, method);
  Row row = {problem, method};
  for (const Shift shift : shifted) {
    row.push_back(over_seeds(runs, metric_place(shift, "conservation_error", "diagonal")));
    row.back().reference = results.paper("probconserv", problem, shift, method, "ce_pc").value;
  }
  for (const Shift shift : shifted)
    row.push_back(compared(sources, [&](const Number& number) {
      return number(method, shift, "mse_pc") / number(method, shift, "mse");
    }));
  for (const Shift shift : shifted) row.push_back(bounded_ratio(runs, shift));
  return row;
}

Table projection_claims(const StudyResults& results) {
  Table table{.title = "Does the projection help?",
              .caption =
                  "The conservation error after the paper's (diagonal) projection, and the squared error "
                  "after over that before, for it and for the one within physical bounds. Below 1 the "
                  "projection helps.",
              .columns = {{.header = "problem"}, {.header = "method"}},
              .groups = {{}}};
  for (const char* group : {"conservation error", "MSE, diagonal", "MSE, bounded"}) {
    for (const Shift shift : shifted) table.columns.push_back(ratio_column(to_string(shift), group));
  }
  for (const std::string& problem : results.problems()) {
    for (const std::string& method : results.methods(problem)) {
      Row row = projection_row(results, problem, method);
      if (says_something(row)) table.groups[0].rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace

std::vector<Table> claims_tables(const StudyResults& results) {
  std::vector<Table> tables = {ranking_table(results), rivals_table(results), projection_claims(results)};
  std::erase_if(tables, [](const Table& table) { return table.groups[0].rows.empty(); });
  return tables;
}

}  // namespace nouq::report
