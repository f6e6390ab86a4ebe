// A table as data, and its renderings.
//
// Why: the same numbers go to a terminal, a Markdown page, a script and the report page; they must agree to
// the last digit. When: fill the columns and groups of rows, call `mark_best` if the best cells are to stand
// out, render. Contract: strings are escaped for where they go; a number that is not finite shows as a dash;
// in text, lengths count characters, not bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json_types.h"

namespace nouq::plot {

enum class Notation { automatic, fixed, scientific };  // automatic: fixed unless zeros would hide the digits
enum class Best { none, lowest, highest };

struct Column {
  std::string header = {};
  std::string group = {};  // neighbours of one group stand under a common header
  Notation notation = Notation::automatic;
  int digits = 3;  // significant ones; decimals in fixed notation
  Best best = Best::none;
  double negligible = 0;   // what is not above it is as good as zero
  bool separates = false;  // rows with other words here do not compete for the best
};

struct Cell {
  Cell() = default;
  Cell(double number) : value(number) {}  // NOLINT: a number is a cell
  Cell(double number, double deviation) : value(number), spread(deviation) {}
  Cell(std::string words) : text(std::move(words)) {}  // NOLINT: and so is a word
  Cell(const char* words) : text(words) {}             // NOLINT

  std::string text;
  std::optional<double> value, spread;                // a number, +- its deviation
  std::optional<double> reference, reference_spread;  // e.g. the paper's number, shown beside ours
  std::string note;   // a reservation shown with the number, e.g. "1 of 2"; such a number is never the best
  bool best = false;  // or otherwise to stand out, as the caption says
};

using Row = std::vector<Cell>;

struct RowGroup {
  std::string title = {};  // empty: no line above the rows
  std::vector<Row> rows = {};
};

struct Table {
  std::string title = {}, caption = {};
  std::vector<Column> columns = {};
  std::vector<RowGroup> groups = {};
  std::string reference_name = "paper";  // what a number in brackets is
};

// Throws an Error that names the table and the row unless all rows have as many cells as there are columns.
void validate(const Table& table);

// Marks in each group of rows the best cell of every column that has one, and all that are within one
// deviation of it (its own) or print the same.
void mark_best(Table& table);

std::string format_number(double value, const Column& column);
// "0.43 ± 0.01 (1 of 2)": the cell without mark and reference.
std::string cell_text(const Cell& cell, const Column& column);
// "0.45 ± 0.02", or nothing: not rounded, as others have published it.
std::string reference_text(const Cell& cell);
bool has_references(const Table& table);
bool has_rows(const Table& table);
bool is_numeric(const Table& table, std::size_t column);  // numbers are aligned to the right

std::string table_text(const Table& table);      // aligned, the best with a star
std::string table_markdown(const Table& table);  // the best in bold
OrderedJson table_json(const Table& table);
std::string table_html(const Table& table);  // an element of the page, which makes it sortable

}  // namespace nouq::plot
