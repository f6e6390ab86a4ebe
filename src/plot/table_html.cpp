// Tables for the page and for scripts.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plot/table.h"
#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

using Json = OrderedJson;

Json number_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json cell_json(const Cell& cell) {
  if (!cell.value && !cell.reference) return printable(cell.text);
  Json json = {{"value", number_or_null(cell.value)}};
  if (cell.spread) json["spread"] = number_or_null(cell.spread);
  if (cell.reference) json["reference"] = number_or_null(cell.reference);
  if (cell.reference_spread) json["reference_spread"] = number_or_null(cell.reference_spread);
  if (!cell.note.empty()) json["note"] = printable(cell.note);
  if (cell.best) json["best"] = true;
  return json;
}

// The line of column groups above the header, where there are any.
std::string group_header(const Table& table) {
  std::string cells;
  bool any = false;
  for (std::size_t c = 0, end = 0; c < table.columns.size(); c = end) {
    const std::string& group = table.columns[c].group;
    for (end = c + 1; end < table.columns.size() && table.columns[end].group == group;) ++end;
    cells += fmt::format("<th colspan=\"{}\" scope=\"colgroup\">{}</th>", end - c, escape_markup(group));
    any |= !group.empty();
  }
  return any ? "<tr class=\"groups\">" + cells + "</tr>\n" : "";
}

constexpr std::size_t longest_line = 40;  // characters of a cell that is kept on one line

// A row's first words are what the row is about.
std::string cell_html(const Cell& cell, const Column& column, bool numeric, bool first) {
  std::string attributes;
  if (numeric) attributes += cell.best ? " class=\"number best\"" : " class=\"number\"";
  if (cell.value && std::isfinite(*cell.value))
    attributes += fmt::format(" data-value=\"{:.9g}\"", *cell.value);
  const std::string text = cell_text(cell, column);
  if (!numeric && text.size() > longest_line) attributes += " class=\"prose\"";
  std::string content = escape_markup(text);
  if (cell.best) content = "<strong>" + content + "</strong>";
  const std::string reference = reference_text(cell);
  if (!reference.empty()) content += fmt::format(" <span class=\"reference\">[{}]</span>", reference);
  if (first && !numeric) return fmt::format("<th scope=\"row\"{}>{}</th>", attributes, content);
  return fmt::format("<td{}>{}</td>", attributes, content);
}

std::string group_html(const Table& table, const RowGroup& group, const std::vector<bool>& numeric) {
  std::string text = "<tbody>\n";
  if (!group.title.empty())
    text += fmt::format("<tr class=\"group\"><th colspan=\"{}\" scope=\"rowgroup\">{}</th></tr>\n",
                        table.columns.size(), escape_markup(group.title));
  for (const Row& row : group.rows) {
    text += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c)
      text += cell_html(row[c], table.columns[c], numeric[c], c == 0);
    text += "</tr>\n";
  }
  return text + "</tbody>\n";
}

}  // namespace

Json table_json(const Table& table) {
  validate(table);
  Json columns = Json::array(), groups = Json::array();
  for (const Column& column : table.columns)
    columns.push_back({{"header", printable(column.header)}, {"group", printable(column.group)}});
  for (const RowGroup& group : table.groups) {
    Json rows = Json::array();
    for (const Row& row : group.rows) {
      Json cells = Json::array();
      for (const Cell& cell : row) cells.push_back(cell_json(cell));
      rows.push_back(std::move(cells));
    }
    groups.push_back({{"title", printable(group.title)}, {"rows", std::move(rows)}});
  }
  return {{"title", printable(table.title)},
          {"caption", printable(table.caption)},
          {"reference", printable(table.reference_name)},
          {"columns", std::move(columns)},
          {"groups", std::move(groups)}};
}

std::string table_html(const Table& table) {
  validate(table);
  std::vector<bool> numeric;
  std::string header;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    numeric.push_back(is_numeric(table, c));
    std::string title = table.columns[c].header;
    std::replace(title.begin(), title.end(), '_', ' ');  // where a narrow column may break it
    header += fmt::format("<th scope=\"col\"{}>{}</th>", numeric[c] ? " class=\"number\"" : "",
                          escape_markup(title));
  }
  std::string text = "<table class=\"sortable\">\n<thead>\n" + group_header(table);
  text += "<tr class=\"columns\">" + header + "</tr>\n</thead>\n";
  for (const RowGroup& group : table.groups) text += group_html(table, group, numeric);
  return text + "</table>\n";
}

}  // namespace nouq::plot
