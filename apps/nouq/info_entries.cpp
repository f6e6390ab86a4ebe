#include "info_entries.h"

#include "plot/typesetting.h"

namespace nouq::cli {
namespace {

std::string with_unit(const Json& entry) {
  const auto unit = entry.value("unit", "");
  return entry["name"].get<std::string>() + (unit.empty() || unit == "1" ? "" : " [" + unit + "]");
}

std::string described(const Json& entry) {
  std::string text;
  if (entry.contains("points")) text += fmt::format("{} points ", entry["points"].get<Index>());
  if (entry.contains("shape")) text += to_string(entry["shape"].get<Shape>()) + " values ";
  if (entry.contains("low"))
    text += fmt::format("from {:.6g} to {:.6g}", entry["low"].get<double>(), entry["high"].get<double>());
  if (entry.value("periodic", false)) text += ", periodic";
  return text;
}

}  // namespace

Json describe_grid(const Grid& grid) {
  Json axes = Json::array();
  for (const Axis& axis : grid) {
    axes.push_back({{"name", axis.name},
                    {"unit", axis.unit},
                    {"points", axis.size()},
                    {"low", axis.coordinates.front()},
                    {"high", axis.coordinates.back()},
                    {"periodic", axis.periodic}});
  }
  return axes;
}

void print_fact(const Output& output, const std::string& heading, const std::string& text) {
  output.print("{:<12} {}\n", heading, plot::printable(text));
}

void print_entries(const Output& output, const std::string& heading, const Json& entries) {
  std::string first = heading;
  for (const Json& entry : entries) {
    const std::string text = described(entry);
    print_fact(output, first,
               text.empty() ? with_unit(entry) : fmt::format("{:<24} {}", with_unit(entry), text));
    first.clear();
  }
}

void print_texts(const Output& output, const std::string& heading, const Json& texts) {
  std::string first = heading;
  for (const auto& [key, text] : texts.items()) {
    print_fact(output, first, fmt::format("{}: {}", key, text.get<std::string>()));
    first.clear();
  }
}

}  // namespace nouq::cli
