// The form that the study's tables share: rows are the ranges and methods of a problem, cells the mean and
// deviation over seeds with the paper's number beside them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "paper/study_table.h"

namespace nouq::paper {

// What of a caption says which numbers are bold: the paper's rule, with one seed the best.
std::string best_words(const StudyResults& results, const std::string& problem);

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
              const Measure& m);

// Columns of numbers of which the lowest is best, and of shares, with two decimals.
Column lowest(std::string header, int digits = 3);
Column share(std::string header, Best best);

// Whether some result of the problem has this in its range.
bool has_entry(const StudyResults& results, const std::string& problem, const std::string& place);

// A column that has nothing to show, ours or the paper's, is left out.
void drop_empty_columns(Table& table);

// Rows of one method and range; several where a table shows several projections.
using Rows = std::function<std::vector<Row>(const std::string& method, Shift shift)>;
Table table_of(const StudyResults& results, const std::string& problem, std::vector<Column> columns,
               const Rows& rows);
// One row each.
Table table_of(const StudyResults& results, const std::string& problem, const std::vector<Measure>& measures);

}  // namespace nouq::paper
