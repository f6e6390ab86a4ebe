// Tables for terminals and for Markdown.
#include <algorithm>

#include <fmt/format.h>

#include "plot/table.h"
#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

std::size_t length_of(const std::string& text) { return characters(text).size(); }

std::string padded(const std::string& text, std::size_t width, bool to_the_right) {
  const std::string blanks(width - std::min(width, length_of(text)), ' ');
  return to_the_right ? blanks + text : text + blanks;
}

std::string bracketed(const Cell& cell) {
  const std::string reference = reference_text(cell);
  return reference.empty() ? "" : "[" + reference + "]";
}

// The star and the reference have places of their own in every cell of a column, so that digits stay aligned.
std::string terminal_cell(const Table& table, const Cell& cell, std::size_t c) {
  const Column& column = table.columns[c];
  std::string text = printable(cell_text(cell, column));
  bool marks = column.best != Best::none;
  std::size_t reference = 0;
  for (const RowGroup& group : table.groups) {
    for (const Row& row : group.rows) {
      marks |= row[c].best;
      reference = std::max(reference, length_of(bracketed(row[c])));
    }
  }
  if (marks) text += cell.best ? "*" : " ";
  return reference == 0 ? text : text + " " + padded(bracketed(cell), reference, false);
}

std::vector<std::size_t> widths_of(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t width = length_of(table.columns[c].header);
    for (const RowGroup& group : table.groups) {
      for (const Row& row : group.rows) width = std::max(width, length_of(terminal_cell(table, row[c], c)));
    }
    widths.push_back(width);
  }
  return widths;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// A column group's name stands above its first column and widens the last one where it needs the room.
std::string group_line(const Table& table, std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t c = 0, end = 0; c < widths.size(); c = end) {
    std::size_t span = widths[c];
    for (end = c + 1; end < widths.size() && table.columns[end].group == table.columns[c].group; ++end)
      span += 2 + widths[end];
    const std::size_t needed = length_of(table.columns[c].group);
    if (needed > span) widths[end - 1] += needed - span;
    line += padded(table.columns[c].group, std::max(span, needed), false) + "  ";
  }
  return trimmed(line) == "\n" ? "" : trimmed(line);
}

std::string markdown_cell(const Cell& cell, const Column& column) {
  std::string text = markdown_safe(cell_text(cell, column));
  if (cell.best) text = "**" + text + "**";
  const std::string reference = bracketed(cell);
  return reference.empty() ? text : text + " " + reference;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

}  // namespace

std::string table_text(const Table& table) {
  validate(table);
  auto widths = widths_of(table);
  std::string text = table.title.empty() ? "" : printable(table.title) + "\n";
  text += group_line(table, widths);
  std::string header;
  std::size_t total = 0;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    header += padded(table.columns[c].header, widths[c], is_numeric(table, c)) + "  ";
    total += widths[c] + (c > 0 ? 2 : 0);
  }
  text += trimmed(header);
  for (std::size_t i = 0; i < total; ++i) text += "─";
  text += "\n";
  for (const RowGroup& group : table.groups) {
    if (!group.title.empty()) text += printable(group.title) + "\n";
    for (const Row& row : group.rows) {
      std::string line;
      for (std::size_t c = 0; c < row.size(); ++c)
        line += padded(terminal_cell(table, row[c], c), widths[c], is_numeric(table, c)) + "  ";
      text += trimmed(line);
    }
  }
  if (has_references(table)) text += fmt::format("[...]: {}\n", printable(table.reference_name));
  return text;
}

std::string table_markdown(const Table& table) {
  validate(table);
  std::vector<std::string> headers, rules;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    headers.push_back(
        markdown_safe(column.group.empty() ? column.header : column.group + ": " + column.header));
    rules.emplace_back(is_numeric(table, c) ? "---:" : "---");
  }
  std::string text = table.title.empty() ? "" : fmt::format("**{}**\n\n", markdown_safe(table.title));
  text += markdown_row(headers) + markdown_row(rules);
  for (const RowGroup& group : table.groups) {
    if (!group.title.empty()) {
      std::vector<std::string> cells(table.columns.size());
      cells[0] = "*" + markdown_safe(group.title) + "*";
      text += markdown_row(cells);
    }
    for (const Row& row : group.rows) {
      std::vector<std::string> cells;
      for (std::size_t c = 0; c < row.size(); ++c) cells.push_back(markdown_cell(row[c], table.columns[c]));
      text += markdown_row(cells);
    }
  }
  if (has_references(table)) text += fmt::format("\nIn brackets: {}.\n", markdown_safe(table.reference_name));
  if (!table.caption.empty()) text += fmt::format("\n{}\n", markdown_safe(table.caption));
  return text;
}

}  // namespace nouq::plot
