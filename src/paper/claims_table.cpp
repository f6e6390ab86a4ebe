// What the paper claims, as ratios over all problems (study_table.h).
#include <cmath>

#include <fmt/format.h>

#include "paper/claims.h"
#include "paper/projection_claims.h"
#include "paper/study_table.h"

namespace nouq::paper {
namespace {

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
