#include "paper/claims.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "core/digits.h"

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

}  // namespace nouq::paper
