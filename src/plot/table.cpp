#include "plot/table.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"

namespace nouq::plot {
namespace {

// Exponents without padding: 1.70e-4.
std::string scientific(double value, int digits) {
  std::string text = fmt::format("{:.{}e}", value, std::max(0, digits - 1));
  const std::size_t sign = text.find('e') + 1;
  const std::size_t first = std::min(text.find_first_not_of('0', sign + 1), text.size() - 1);
  text.erase(sign + 1, first - sign - 1);
  if (text[sign] == '+') text.erase(sign, 1);
  return text;
}

std::string automatic(double value, int digits) {
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e5)) return scientific(value, digits);
  const int exponent = size == 0 ? 0 : static_cast<int>(std::floor(std::log10(size)));
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
}

// Two digits say enough of a deviation; an automatic one is written as its value is.
std::string spread_text(double spread, double value, const Column& column) {
  if (!std::isfinite(spread)) return "–";
  if (column.notation == Notation::fixed) return format_number(spread, column);
  if (column.notation == Notation::scientific) return scientific(spread, std::min(2, column.digits));
  const std::string shown = automatic(value, column.digits);
  const std::size_t point = shown.find('.');
  if (shown.find('e') != std::string::npos || spread >= 1e5) return scientific(spread, 2);
  const int decimals = point == std::string::npos ? 0 : static_cast<int>(shown.size() - point) - 1;
  const int needed =
      spread > 0 ? -static_cast<int>(std::floor(std::log10(spread))) : 0;  // to show a digit of it
  if (needed > decimals + 2) return scientific(spread, 1);
  return fmt::format("{:.{}f}", spread, std::max(decimals, needed));
}

std::string with_spread(std::optional<double> value, std::optional<double> spread, const Column& column) {
  if (!value) return "";
  std::string text = format_number(*value, column);
  if (spread) text += " ± " + spread_text(*spread, *value, column);
  return text;
}

// What keeps a row from competing with the others.
std::string rivals_of(const Row& row, const std::vector<Column>& columns) {
  std::string key;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].separates) key += row[c].text + '\n';
  }
  return key;
}

bool competes(const Cell& cell) { return cell.value && std::isfinite(*cell.value) && cell.note.empty(); }

void mark_cells(const std::vector<Cell*>& cells, const Column& column) {
  const double sign = column.best == Best::lowest ? 1 : -1;
  const auto less = [&](const Cell* a, const Cell* b) { return sign * *a->value < sign * *b->value; };
  const auto negligible = [&](const Cell& cell) { return std::abs(*cell.value) <= column.negligible; };
  const Cell& best = **std::min_element(cells.begin(), cells.end(), less);
  const double reach = std::isfinite(best.spread.value_or(0)) ? best.spread.value_or(0) : 0;
  const std::string shown = format_number(*best.value, column);
  for (Cell* cell : cells)
    cell->best = sign * *cell->value <= sign * *best.value + reach ||
                 format_number(*cell->value, column) == shown || (negligible(*cell) && negligible(best));
}

void mark_column(RowGroup& group, std::size_t c, const std::vector<Column>& columns) {
  std::map<std::string, std::vector<Cell*>> rivals;
  for (Row& row : group.rows) {
    row[c].best = false;
    if (competes(row[c])) rivals[rivals_of(row, columns)].push_back(&row[c]);
  }
  for (const auto& [key, cells] : rivals) mark_cells(cells, columns[c]);
}

template <class Condition>
bool any_cell(const Table& table, Condition condition) {
  for (const RowGroup& group : table.groups) {
    for (const Row& row : group.rows) {
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (condition(row[c], c)) return true;
      }
    }
  }
  return false;
}

}  // namespace

void validate(const Table& table) {
  require(!table.columns.empty(), "table '{}' has no columns", table.title);
  for (const RowGroup& group : table.groups) {
    for (std::size_t r = 0; r < group.rows.size(); ++r) {
      require(group.rows[r].size() == table.columns.size(),
              "table '{}', group '{}', row {}: {} cells, expected {}", table.title, group.title, r + 1,
              group.rows[r].size(), table.columns.size());
    }
  }
}

void mark_best(Table& table) {
  validate(table);
  for (RowGroup& group : table.groups) {
    if (group.rows.size() < 2) continue;  // the only one is no best
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].best != Best::none) mark_column(group, c, table.columns);
    }
  }
}

std::string format_number(double value, const Column& column) {
  if (!std::isfinite(value)) return "–";
  if (column.notation == Notation::scientific) return scientific(value, column.digits);
  if (column.notation == Notation::fixed) return fmt::format("{:.{}f}", value, column.digits);
  return automatic(value, column.digits);
}

std::string cell_text(const Cell& cell, const Column& column) {
  if (!cell.value) return cell.text;
  const std::string number = with_spread(cell.value, cell.spread, column);
  return cell.note.empty() ? number : number + " (" + cell.note + ")";
}

namespace {

// With the fewest digits that say it; plain where it is not below `plain_from`.
std::string as_published(double value, double plain_from) {
  const double size = std::abs(value);
  if (!std::isfinite(value)) return "–";
  if (size == 0 || (size >= plain_from && size < 1e5)) return fmt::format("{:.6g}", value);
  std::string digits = fmt::format("{:.6g}", size);  // more than six are never printed
  digits.resize(std::min(digits.find('e'), digits.size()));
  std::erase(digits, '.');
  const std::size_t first = digits.find_first_not_of('0'), last = digits.find_last_not_of('0');
  return scientific(value, static_cast<int>(last - first) + 1);
}

}  // namespace

std::string reference_text(const Cell& cell) {
  if (!cell.reference) return "";
  const std::string value = as_published(*cell.reference, 1e-3);
  const double plain_from = value.find('e') == std::string::npos ? 1e-4 : 1e-3;
  return value + (cell.reference_spread ? " ± " + as_published(*cell.reference_spread, plain_from) : "");
}

bool has_rows(const Table& table) {
  return std::any_of(table.groups.begin(), table.groups.end(),
                     [](const RowGroup& group) { return !group.rows.empty(); });
}

bool has_references(const Table& table) {
  return any_cell(table, [](const Cell& cell, std::size_t) { return cell.reference.has_value(); });
}

bool is_numeric(const Table& table, std::size_t column) {
  return any_cell(table, [&](const Cell& cell, std::size_t c) {
    return c == column && (cell.value.has_value() || cell.reference.has_value());
  });
}

}  // namespace nouq::plot
