// Tables of what a sized sigma is worth: beside the plain one, beside nulls, after projections, and trust.
#include <fmt/format.h>

#include "paper/claims.h"
#include "paper/measure_table.h"

namespace nouq::paper {
namespace {

// Without rows where results of before do not have the entry.
Table only_where(const StudyResults& results, const std::string& problem, const std::string& entry,
                 Table table) {
  return has_entry(results, problem, range_place(Shift::in_domain, entry)) ? std::move(table)
                                                                           : Table{.title = problem};
}

// One metric of several sigmas or projections, side by side.
struct Compared {
  std::string header, metric;
  Best best = Best::lowest;
};
void add_compared(const Compared& what,
                  const std::vector<std::pair<std::string, std::string>>& places,  // header, entry
                  std::vector<Measure>& measures) {
  for (const auto& [name, place] : places) {
    const std::string header = what.header + ", " + name;
    measures.push_back(
        {what.best == Best::lowest ? lowest(header) : share(header, what.best), place + what.metric, ""});
  }
}

}  // namespace

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
  return only_where(results, problem, "sized/coverage", std::move(table));
}

Table nulls_table(const StudyResults& results, const std::string& problem) {
  const std::vector<std::pair<std::string, std::string>> sigmas = {
      {"sized", "sized/"}, {"constant", "nulls/constant/"}, {"distance", "nulls/distance/"}};
  std::vector<Measure> measures;
  add_compared({"CRPS", "crps"}, sigmas, measures);
  add_compared({"NLL", "nll"}, sigmas, measures);
  add_compared({"n-MeRCI", "nmerci"}, sigmas, measures);
  add_compared({"95 % coverage", "coverage", Best::none}, sigmas, measures);
  Table table = table_of(results, problem, measures);
  table.title += ": sigma beside sigmas that look at no prediction";
  table.caption = fmt::format(
      "'constant' is the root mean square error of the held-out samples, everywhere; 'distance' that, times the "
      "distance of the parameter from the middle of the training range, in halves of the range. The n-MeRCI "
      "of a constant is 1 by definition. Where a low number is good, {}.",
      best_words(results, problem));
  return only_where(results, problem, "nulls/constant/crps", std::move(table));
}

Table after_table(const StudyResults& results, const std::string& problem) {
  const std::vector<std::pair<std::string, std::string>> before_and_after = {
      {"none", "sized/"}, {"diagonal", "sized_after/diagonal/"}, {"bounded", "sized_after/bounded/"}};
  std::vector<std::pair<std::string, std::string>> all = before_and_after;
  all.insert(all.begin() + 1,
             {{"clip", "sized_after/clip/"}, {"diagonal-clip", "sized_after/diagonal-clip/"}});
  std::vector<Measure> measures;
  add_compared({"MSE", "mse"}, all, measures);
  add_compared({"n-MeRCI", "nmerci"}, before_and_after, measures);
  add_compared({"95 % coverage", "coverage", Best::none}, before_and_after, measures);
  add_compared({"band coverage", "band_coverage", Best::none},
               {before_and_after.begin() + 1, before_and_after.end()}, measures);
  Table table = table_of(results, problem, measures);
  table.title += ": sized after each projection";
  table.caption = fmt::format(
      "Sigma and bands are calibrated for what comes out of each projection. 'clip' keeps to the physical bounds "
      "alone, 'diagonal-clip' is the paper's projection and then the bounds. Where a low number is good, {}.",
      best_words(results, problem));
  return only_where(results, problem, "sized_after/diagonal/mse", std::move(table));
}

Table verdict_table(const StudyResults& results) {
  const std::vector<std::pair<std::string, std::string>> speakers = {
      {"verdict", "auroc"}, {"spread", "auroc_spread"}, {"law", "auroc_law"}, {"novelty", "auroc_novelty"}};
  Table table{.title = "Whether the verdict notices a shift, and each witness alone",
              .columns = {{.header = "problem"}, {.header = "method"}},
              .groups = {{}}};
  const auto add = [&](const std::string& header, const std::string& group) {
    table.columns.push_back({.header = header, .group = group, .notation = Notation::fixed, .digits = 3});
  };
  add("in-domain", "flagged");
  for (const Shift shift : shifted) {
    for (const auto& [name, entry] : speakers) add(name, "AUROC, " + to_string(shift));
  }
  for (const std::string& problem : results.problems()) {
    for (const std::string& method : results.methods(problem)) {
      const Runs runs = results.runs(problem, method);
      Row row = {problem, method, over_seeds(runs, range_place(Shift::in_domain, "verdict/flagged"))};
      for (const Shift shift : shifted) {
        for (const auto& [name, entry] : speakers)
          row.push_back(over_seeds(runs, range_place(shift, "verdict/" + entry)));
      }
      add_if_numeric(std::move(row), table);
    }
  }
  table.caption =
      "'flagged' are false alarms, nominally 0.05. AUROC: how well samples of a range are told from those in "
      "domain, 1 is perfect and 0.5 chance; a witness that is not heard has a dash.";
  return table;
}

}  // namespace nouq::paper
