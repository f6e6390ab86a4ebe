// What tables over all problems share: ratios of our numbers with the paper's own beside them, and counts of
// cases.
#pragma once

#include <functional>

#include "paper/study_results.h"

namespace nouq::paper {

// A metric of one problem before projection, or "mse_pc" after the paper's; not a number where it is missing,
// or of some seeds only.
using Number = std::function<double(const std::string& method, Shift shift, const std::string& metric)>;

struct Sources {
  Number ours, theirs;
};

// `part` of the paper's tables is "uq" or "probconserv". The results must outlive the sources.
Sources sources_of(const StudyResults& results, const std::string& problem, const std::string& part);

// A ratio of numbers: ours, and the paper's in two digits beside it.
Cell compared(const Sources& sources, const std::function<double(const Number&)>& ratio);
Column ratio_column(const std::string& header, const std::string& group = "");

// "ensemble in 11 of 15 cases, diverse in 9 of 15": how often what the second cell of a row names has values
// below 1, or above it, in `count` columns from `first` on.
std::string tally(const Table& table, std::size_t first, std::size_t count, bool below);

// What tells the two kinds of diverse apart, after a blank; nothing where the table has no fixed_diverse().
std::string words_of_diverse(const Table& table);

// Adds the row if it has a number.
void add_if_numeric(Row row, Table& table);

}  // namespace nouq::paper
