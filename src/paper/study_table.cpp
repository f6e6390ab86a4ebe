#include "paper/study_table.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "paper/measure_table.h"

namespace nouq::paper {
namespace {

bool has_law(const StudyResults& results, const std::string& problem) {
  return has_entry(results, problem, metric_place(Shift::small, "mse", "diagonal"));
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
