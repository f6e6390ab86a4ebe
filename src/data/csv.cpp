#include "data/csv.h"

#include <algorithm>

#include "core/error.h"
#include "core/names.h"
#include "core/parse.h"

namespace nouq {
namespace {

bool parse_cell(std::string_view cell, double& value) {
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  return parse_number(cell, value);
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

char find_separator(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  for (const char candidate : {',', ';', '\t'}) {
    if (line.find(candidate) != std::string_view::npos) return candidate;
  }
  return ',';
}

// Walks through the text once, cell by cell.
class Reader {
 public:
  Reader(std::string_view text, const std::string& source) : rest_(text), source_(source) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // a byte order mark
    separator_ = find_separator(first_line());
  }

  // False at the end of the text.
  bool next_row(CsvRow& row) {
    skip_idle_lines();
    if (rest_.empty()) return false;
    row = {line_, {}};
    do {
      row.cells.push_back(next_cell());
    } while (take(separator_));
    require(rest_.empty() || end_line(), "{}:{}: column {} goes on after its closing quote", source_, line_,
            row.cells.size());
    return true;
  }

 private:
  std::string_view first_line() {
    skip_idle_lines();
    return rest_;
  }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool end_line() {
    if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
    if (!take('\n')) return false;
    ++line_;
    return true;
  }

  void skip_idle_lines() {
    for (;;) {
      const auto start = std::find_if_not(rest_.begin(), rest_.end(), is_blank);
      const bool idle = start == rest_.end() || *start == '\n' || *start == '\r' || *start == '#';
      if (!idle || rest_.empty()) return;
      const auto end = rest_.find('\n');
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ++line_;
    }
  }

  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front()) && rest_.front() != separator_) rest_.remove_prefix(1);
  }

  std::string next_cell() {
    skip_blanks();
    std::string cell = take('"') ? quoted() : plain();
    skip_blanks();
    require(cell.find('\0') == std::string::npos, "{}:{}: holds a zero byte, so it is not text", source_,
            line_);
    return cell;
  }

  std::string plain() {
    const auto end = std::min(rest_.find_first_of(std::string{separator_, '\n', '\r'}), rest_.size());
    std::string cell(rest_.substr(0, end));
    rest_.remove_prefix(end);
    while (!cell.empty() && is_blank(cell.back())) cell.pop_back();
    return cell;
  }

  std::string quoted() {
    std::string cell;
    const Index start = line_;
    for (;;) {
      const auto quote = rest_.find('"');
      require(quote != std::string_view::npos, "{}:{}: a quote is opened and never closed", source_, start);
      cell += rest_.substr(0, quote);
      rest_.remove_prefix(quote + 1);
      if (!take('"')) break;
      cell += '"';
    }
    line_ += std::count(cell.begin(), cell.end(), '\n');
    return cell;
  }

  std::string_view rest_;
  const std::string& source_;
  char separator_ = ',';
  Index line_ = 1;
};

bool all_numbers(const CsvRow& row) {
  double ignored = 0;
  return std::all_of(row.cells.begin(), row.cells.end(),
                     [&](const std::string& cell) { return parse_cell(cell, ignored); });
}

void require_distinct(const CsvRow& header, const std::string& source) {
  std::vector<std::string> sorted = header.cells;
  std::sort(sorted.begin(), sorted.end());
  const auto twin = std::adjacent_find(sorted.begin(), sorted.end());
  require(twin == sorted.end(), "{}:{}: two columns are called '{}'", source, header.line,
          twin == sorted.end() ? "" : *twin);
}

}  // namespace

CsvTable read_csv(std::string_view text, const std::string& source) {
  CsvTable table;
  Reader reader(text, source);
  std::size_t columns = 0;
  for (CsvRow row; reader.next_row(row);) {
    const bool first = columns == 0;
    if (first) columns = row.cells.size();
    require(row.cells.size() == columns, "{}:{}: has {} cells, the rows before have {}", source, row.line,
            row.cells.size(), columns);
    if (first && !all_numbers(row)) {
      require_distinct(row, source);
      table.header = std::move(row.cells);
    } else {
      table.rows.push_back(std::move(row));
    }
  }
  require(columns > 0, "{}: holds no rows", source);
  return table;
}

std::size_t column_of(const CsvTable& table, const std::string& name, const std::string& source) {
  require(!table.header.empty(), "{}: the first row is all numbers; write the names of the columns above it",
          source);
  const auto found = std::find(table.header.begin(), table.header.end(), name);
  require(found != table.header.end(), "{}: has no column '{}'; did you mean '{}'?", source, name,
          nearest_name(name, table.header));
  return static_cast<std::size_t>(found - table.header.begin());
}

bool is_csv_number(const std::string& cell) {
  double ignored = 0;
  return parse_cell(cell, ignored);
}

double csv_number(const CsvRow& row, std::size_t column, const std::string& source) {
  double value = 0;
  require(parse_cell(row.cells.at(column), value), "{}:{}: '{}' in column {} is not a number", source,
          row.line, row.cells.at(column), column + 1);
  return value;
}

}  // namespace nouq
