#include "info_entries.h"

#include <cmath>

#include <fmt/ranges.h>

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
  if (entry.contains("kind") && entry["kind"] != name(AxisKind::points))
    text += ", " + entry["kind"].get<std::string>();
  if (entry.contains("integral_over"))
    text += fmt::format("integral of output {} over {}", entry["channel"].get<Index>(),
                        fmt::join(entry["integral_over"].get<std::vector<std::string>>(), ", "));
  const auto bound = [&](const char* key, const char* words) {
    if (entry.contains(key) && !entry[key].is_null())
      text += fmt::format("{}{} {:.6g}", text.empty() ? "" : ", ", words, entry[key].get<double>());
  };
  bound("at_least", "at least");
  bound("at_most", "at most");
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
                    {"periodic", axis.periodic()},
                    {"kind", name(axis.kind)}});
  }
  return axes;
}

Json describe_laws(const Laws& laws) {
  Json list = Json::array();
  for (const auto& [name, law] : laws)
    list.push_back({{"name", name}, {"integral_over", law.axes}, {"channel", law.channel}});
  return list;
}

Json describe_bounds(const std::vector<Bounds>& bounds, const std::vector<Channel>& outputs) {
  const auto value = [](double bound) { return std::isinf(bound) ? Json() : Json(bound); };
  Json list = Json::array();
  for (std::size_t c = 0; c < bounds.size(); ++c)
    list.push_back({{"name", outputs[c].name},
                    {"at_least", value(bounds[c].lower)},
                    {"at_most", value(bounds[c].upper)}});
  return list;
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
