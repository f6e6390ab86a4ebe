// Whether a method notices a shift, over all problems (study_table.h).
#include <fmt/ranges.h>

#include "paper/claims.h"
#include "paper/study_table.h"

namespace nouq::paper {
namespace {

struct Share {
  const char* group;  // of columns
  const char* entry;  // of a result's range
  std::vector<Shift> ranges;
};
// In domain AUROC is 0.5 by definition, and what is flagged there are false alarms.
const std::vector<Share> shares = {{"trust AUROC", "trust_auroc", shifted},
                                   {"flagged", "flagged", {Shift::in_domain}},
                                   {"in its band", "band_coverage", {all_shifts.begin(), all_shifts.end()}}};

// Means over different seeds stand side by side.
std::string words_of_seeds(const StudyResults& results) {
  std::vector<std::string> problems = results.problems();
  std::erase_if(problems, [&](const std::string& problem) { return results.same_seeds(problem); });
  return problems.empty() ? ""
                          : fmt::format(" Methods have different seeds on {}.", fmt::join(problems, ", "));
}

}  // namespace

Table trust_table(const StudyResults& results) {
  Table table{.title = "Does the trust score notice a shift, and do bands hold?",
              .columns = {{.header = "problem"}, {.header = "method"}},
              .groups = {{}}};
  for (const Share& share : shares) {
    for (const Shift shift : share.ranges)
      table.columns.push_back(
          {.header = to_string(shift), .group = share.group, .notation = Notation::fixed, .digits = 3});
  }
  for (const std::string& problem : results.problems()) {
    for (const std::string& method : results.contenders(problem)) {
      const Runs runs = results.runs(problem, method);
      Row row = {problem, method};
      for (const Share& share : shares) {
        for (const Shift shift : share.ranges)
          row.push_back(over_seeds(runs, range_place(shift, share.entry)));
      }
      add_if_numeric(std::move(row), table);
    }
  }
  table.caption =
      "AUROC of the trust score: how well it tells samples of a range from in-domain ones; 1 is perfect, 0.5 "
      "chance, and below that a method is surer outside its domain than inside. 'flagged' is the share of "
      "in-domain samples that are called something else: false alarms, nominally 0.05. 'in its band': the "
      "share of fields that lie in their conformal band as a whole, nominally 0.9 in domain." +
      words_of_diverse(table) + words_of_seeds(results);
  return table;
}

}  // namespace nouq::paper
