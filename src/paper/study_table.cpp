#include "paper/study_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "core/error.h"

namespace nouq::paper {
namespace {

// Bold is the paper's rule; with one seed there is no deviation.
std::string best_words(const StudyResults& results, const std::string& problem) {
  if (!results.same_seeds(problem)) return "nothing is marked as best, because methods have different seeds";
  std::size_t seeds = 1;
  for (const std::string& method : results.methods(problem))
    seeds = std::max(seeds, results.runs(problem, method).size());
  return seeds > 1 ? "bold is what lies within one standard deviation, over seeds, of the best mean"
                   : "bold is the best";
}

// One column of numbers: where a result has it, and where the paper, if at all.
struct Measure {
  Column column;
  std::string metric;               // of the registry, or the name of an entry of the range
  std::string projection = "none";  // empty: `metric` is an entry of the range itself
  std::string paper = {};           // name in the paper's tables; empty: not there
  std::string part = "uq";          // of the paper's tables
  bool only_shifted = false;        // in domain it is a constant
};

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

// "heat, 2 seeds", or nothing about seeds where methods differ in it.
std::string title_of(const StudyResults& results, const std::string& problem) {
  const std::vector<std::string> methods = results.methods(problem);
  if (methods.empty() || !results.same_seeds(problem)) return problem;
  const std::size_t count = results.runs(problem, methods.front()).size();
  return fmt::format("{}, {} seed{}", problem, count, count == 1 ? "" : "s");
}

// A column that has nothing to show, ours or the paper's, is left out.
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

// Rows of one method and range; several where a table shows several projections.
using Rows = std::function<std::vector<Row>(const std::string& method, Shift shift)>;

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

Column lowest(std::string header, int digits = 3) {
  return {.header = std::move(header), .digits = digits, .best = Best::lowest};
}
Column share(std::string header, Best best) {
  return {.header = std::move(header), .notation = Notation::fixed, .digits = 2, .best = best};
}

bool has_law(const StudyResults& results, const std::string& problem) {
  const auto methods = results.methods(problem);
  return std::any_of(methods.begin(), methods.end(), [&](const std::string& method) {
    return !values_at(results.runs(problem, method), metric_place(Shift::small, "mse", "diagonal")).empty();
  });
}

bool has_sized(const StudyResults& results, const std::string& problem) {
  const auto methods = results.methods(problem);
  return std::any_of(methods.begin(), methods.end(), [&](const std::string& method) {
    return !values_at(results.runs(problem, method), range_place(Shift::in_domain, "sized/coverage")).empty();
  });
}

}  // namespace

Table study_table(const StudyResults& results, const std::string& problem) {
  Table table = table_of(results, problem,
                         {{lowest("MSE"), "mse", "none", "mse"},
                          {lowest("NLL"), "nll", "none", "nll"},
                          {lowest("n-MeRCI", 2), "nmerci", "none", "nmerci"},
                          {lowest("RMSCE", 2), "rmsce", "none", "rmsce"},
                          {lowest("CRPS"), "crps", "none", "crps"}});
  table.title += ": error and uncertainty";
  table.caption = fmt::format("Lower is better throughout; {}.", best_words(results, problem));
  if (problem == "darcy")
    table.caption +=
        " The paper's CRPS (0.031 to 30.7) cannot be a mean over the field where its MSE is 1e-11 to 1e-6, "
        "and its unit is not stated: do not compare it with ours.";
  return table;
}

Table sized_table(const StudyResults& results, const std::string& problem) {
  const auto entry = [](const char* metric) { return std::string("sized/") + metric; };
  Table table = table_of(results, problem,
                         {{share("95 % coverage, plain", Best::none), "coverage"},
                          {share("95 % coverage, sized", Best::none), entry("coverage"), ""},
                          {lowest("NLL, plain"), "nll", "none", "nll"},
                          {lowest("NLL, sized"), entry("nll"), ""},
                          {lowest("n-MeRCI, plain", 2), "nmerci", "none", "nmerci"},
                          {lowest("n-MeRCI, sized", 2), entry("nmerci"), ""},
                          {lowest("RMSCE, plain", 2), "rmsce", "none", "rmsce"},
                          {lowest("RMSCE, sized", 2), entry("rmsce"), ""},
                          {lowest("CRPS, plain"), "crps", "none", "crps"},
                          {lowest("CRPS, sized"), entry("crps"), ""},
                          {share("band coverage, plain", Best::none), "band_coverage", ""},
                          {share("band coverage, sized", Best::none), "sized_band_coverage", ""}});
  table.title += ": sigma as the method gives it, and sized";
  table.caption = fmt::format(
      "'plain' is the spread as the method gives it, which is what the paper's numbers are of; 'sized' by the "
      "held-out samples and, where its values are known, by the conservation law. Coverage is the share of "
      "points within 1.96 standard deviations (nominal 0.95); 'band coverage' that of whole fields (nominal "
      "0.9). Where a low number is good, {}.",
      best_words(results, problem));
  return has_sized(results, problem) ? table : Table{.title = problem};
}

Table own_table(const StudyResults& results, const std::string& problem) {
  const std::vector<Measure> measures = {{lowest("MSE"), "mse"},
                                         {lowest("MSE, bounded"), "mse", "bounded"},
                                         {lowest("pointwise n-MeRCI"), "nmerci_pointwise"},
                                         {share("95 % coverage", Best::none), "coverage"},
                                         {share("95 % coverage, bounded", Best::none), "coverage", "bounded"},
                                         {.column = share("trust AUROC", Best::highest),
                                          .metric = "trust_auroc",
                                          .projection = "",
                                          .only_shifted = true},
                                         {share("flagged", Best::none), "flagged", ""},
                                         {share("band coverage", Best::none), "band_coverage", ""}};
  Table table = table_of(results, problem, measures);
  table.title += ": what the paper does not measure";
  table.caption = fmt::format(
      "{}'95 % coverage' is the share of points within 1.96 standard deviations. AUROC of the trust score is "
      "0.5 in domain by definition. 'flagged' is the share of samples that the trust score does not call "
      "in-domain; 'band coverage' the share of fields that lie in their conformal band as a whole (nominal "
      "0.9). Where a low or a high number is good, {}.",
      has_law(results, problem) ? "'bounded' is after the projection within physical bounds. " : "",
      best_words(results, problem));
  return table;
}

Table projection_table(const StudyResults& results, const std::string& problem) {
  if (!has_law(results, problem)) return {.title = problem};
  const std::vector<std::array<std::string, 3>> metrics = {{"conservation error", "conservation_error", "ce"},
                                                           {"MSE", "mse", "mse"},
                                                           {"NLL", "nll", ""},
                                                           {"n-MeRCI", "nmerci", "nmerci"},
                                                           {"RMSCE", "rmsce", "rmsce"}};
  std::vector<Column> columns = {{.header = "method"}, {.header = "projection", .separates = true}};
  for (const auto& metric : metrics) columns.push_back(lowest(metric[0], 2));
  columns[2].negligible = 1e-12;  // a conservation error of rounding
  Table table = table_of(results, problem, columns, [&](const std::string& method, Shift shift) {
    std::vector<Row> rows;
    for (const std::string projection : {"none", "diagonal", "bounded"}) {
      const std::string suffix = projection == "none" ? "" : "_pc";
      Row row = {method, projection};
      for (const auto& [header, metric, paper] : metrics) {
        // The paper's projection is the diagonal one.
        const std::string theirs = paper.empty() || projection == "bounded" ? "" : paper + suffix;
        row.push_back(
            measured(results, problem, method, shift, {{}, metric, projection, theirs, "probconserv"}));
      }
      rows.push_back(std::move(row));
    }
    return rows;
  });
  table.title += ": before and after projection";
  table.caption = fmt::format(
      "'diagonal' is the paper's projection, 'bounded' keeps to physical bounds as well. Lower is better; of "
      "the methods with the same projection {}.",
      best_words(results, problem));
  if (has_references(table))
    table.caption +=
        " The paper rounds conservation errors to two decimals: its 0 is anything below 0.005. Its RMSCE is "
        "from columns that its source has and does not print.";
  return table;
}

Table cost_table(const StudyResults& results) {
  Table table{.columns = {{.header = "method"},
                          {.header = "networks", .notation = Notation::fixed, .digits = 0},
                          {.header = "parameters", .best = Best::lowest},
                          {.header = "FLOPs of a prediction", .best = Best::lowest},
                          {.header = "seconds of training"},
                          {.header = "best epoch", .notation = Notation::fixed, .digits = 0}}};
  for (const std::string& problem : results.problems()) {
    RowGroup group{problem, {}};
    for (const std::string& method : results.methods(problem)) {
      const Runs runs = results.runs(problem, method);
      const auto networks = static_cast<double>(runs.front()->value("networks", ResultJson::array()).size());
      // Seeds may have chosen different widths.
      group.rows.push_back({method, networks > 0 ? Cell(networks) : Cell(), over_seeds(runs, "/parameters"),
                            over_seeds(runs, "/prediction_flops"), over_seeds(runs, training_seconds),
                            over_seeds(runs, "/networks/0/best_epoch")});
    }
    table.groups.push_back(std::move(group));
  }
  drop_empty_columns(table);
  mark_best(table);
  table.title = "Size and time";
  table.caption =
      "FLOPs are the multiplications and additions of one prediction. Seconds are wall time of the chosen "
      "networks, one after another, where their checkpoints kept it; machines differ, and some had other "
      "work besides: a factor of two or three says nothing. The best epoch is that of the first network. "
      "Bold is the lowest.";
  return table;
}

}  // namespace nouq::paper
