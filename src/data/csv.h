// CSV: tables of parameters, and solver output in columns.
//
// Why: every program writes it and there is no one standard, so what is accepted is stated here. Cells are
// separated by commas, or by semicolons or tabs when the first line has such and no comma. A cell may stand
// in double quotes, a double quote in it is doubled; blanks around cells without quotes do not count. Lines
// end in LF or CRLF. Empty lines and lines that begin with # are passed over. Contract: all rows are equally
// long; messages name the source, the line and the column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nouq/array.h>

namespace nouq {

struct CsvRow {
  Index line = 0;  // where it begins in the file, from 1
  std::vector<std::string> cells;
};

struct CsvTable {
  std::vector<std::string> header;  // empty when the first row is all numbers
  std::vector<CsvRow> rows;         // without the header
};

CsvTable read_csv(std::string_view text, const std::string& source);

// Throws when there is no such column, naming the nearest.
std::size_t column_of(const CsvTable& table, const std::string& name, const std::string& source);
// Whether a cell holds a number.
bool is_csv_number(const std::string& cell);
// The cell as a number; `source` and the row's line begin the message.
double csv_number(const CsvRow& row, std::size_t column, const std::string& source);

}  // namespace nouq
