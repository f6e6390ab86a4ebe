#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/parse.h"
#include "plot/draw.h"
#include "plot/plotly.h"
#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

// Six digits are more than a screen shows, and keep the page small; what is not finite is a gap.
Json shortened(double value) {
  if (!std::isfinite(value)) return nullptr;
  return with_digits(value, 6);
}

Json list_of(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(shortened(value));
  return list;
}

std::string token(Colour colour) { return "@" + colour_name(colour); }

const char* symbol_of(std::size_t marker) {
  static constexpr std::array<const char*, series_colours.size()> symbols = {
      "circle", "square", "triangle-up", "diamond", "triangle-down", "hexagon", "pentagon"};
  return symbols[marker % symbols.size()];
}

class Tracer {
 public:
  explicit Tracer(const Figure& figure) : figure_(figure), legend_(legend_of(figure)) {}

  Json traces() {
    Json list = Json::array();
    for (panel_ = 0; panel_ < figure_.panels.size(); ++panel_) {
      for (const Series& series : figure_.panels[panel_].series) {
        look_ = look_of(legend_, series);
        Json trace = std::visit([&](const auto& s) { return trace_of(s); }, series);
        add_common(trace, series);
        list.push_back(std::move(trace));
      }
    }
    return list;
  }

 private:
  void add_common(Json& trace, const Series& series) {
    const std::string name = name_of(series);
    trace["xaxis"] = plotly_axis("x", panel_);
    trace["yaxis"] = plotly_axis("y", panel_);
    trace["name"] = escape_markup(name);
    trace["legendgroup"] = escape_markup(name);
    const bool silent = name.empty() || (std::holds_alternative<Band>(series) && has_line(name));
    trace["showlegend"] = !silent && shown_.insert(name).second;
  }

  // A pale band alone is hard to see in the legend.
  [[nodiscard]] bool has_line(const std::string& name) const {
    return std::any_of(legend_.begin(), legend_.end(),
                       [&](const Key& key) { return key.name == name && (key.line || key.points); });
  }

  [[nodiscard]] Json trace_of(const Line& line) const {
    return {{"type", "scatter"},
            {"mode", "lines"},
            {"x", list_of(line.x)},
            {"y", list_of(line.y)},
            {"line", {{"color", token(look_.colour)}, {"width", 2}, {"dash", plotly_dash(line.stroke)}}}};
  }

  // There along the upper curve and back along the lower one; each piece between gaps on its own.
  Json trace_of(const Band& band) {
    Json x = Json::array(), y = Json::array();
    const Panel& panel = figure_.panels[panel_];
    for_each_piece(
        band.x.size(),
        [&](std::size_t i) {
          return drawable(band.x[i], panel.x.scale) && drawable(band.lower[i], panel.y.scale) &&
                 drawable(band.upper[i], panel.y.scale);
        },
        [&](std::size_t begin, std::size_t end) {
          if (!x.empty()) x.push_back(nullptr), y.push_back(nullptr);
          for (std::size_t i = begin; i < end; ++i)
            x.push_back(shortened(band.x[i])), y.push_back(shortened(band.upper[i]));
          for (std::size_t i = end; i-- > begin;)
            x.push_back(shortened(band.x[i])), y.push_back(shortened(band.lower[i]));
        });
    return {{"type", "scatter"},
            {"mode", "lines"},
            {"x", x},
            {"y", y},
            {"line", {{"width", 0}, {"color", token(look_.colour)}}},
            {"fill", "toself"},
            {"fillcolor", fmt::format("{}:{}", token(look_.colour), band_opacity)},
            {"hoverinfo", "skip"}};
  }

  [[nodiscard]] static Json error_of(const std::vector<double>& error, const std::string& colour) {
    return {{"type", "data"}, {"array", list_of(error)}, {"color", colour}, {"thickness", 1.2}, {"width", 3}};
  }

  void add_labels(const Points& points, Json& trace) const {
    trace["mode"] = trace["mode"].get<std::string>() + "+text";
    for (const std::string& label : points.labels) trace["text"].push_back(escape_markup(label));
    trace["textposition"] = "top right";
    trace["textfont"] = {{"size", type::tick}, {"color", token(look_.colour)}};
  }

  Json trace_of(const Points& points) {
    Json trace = {
        {"type", "scatter"},
        {"mode", points.joined ? "lines+markers" : "markers"},
        {"x", list_of(points.x)},
        {"y", list_of(points.y)},
        {"line", {{"color", token(look_.colour)}, {"width", 1.3}, {"dash", plotly_dash(points.stroke)}}},
        {"marker", {{"color", token(look_.colour)}, {"symbol", symbol_of(look_.marker)}, {"size", 8}}}};
    if (!points.error.empty()) trace["error_y"] = error_of(points.error, token(look_.colour));
    if (!points.labels.empty()) add_labels(points, trace);
    return trace;
  }

  [[nodiscard]] Json trace_of(const Bars& bars) const {
    Json places = Json::array();
    for (std::size_t i = 0; i < bars.values.size(); ++i) places.push_back(i);
    Json trace = {{"type", "bar"},
                  {"x", places},
                  {"y", list_of(bars.values)},
                  {"marker", {{"color", token(look_.colour)}}},
                  {"hovertemplate", "%{y:.4g}<extra>%{fullData.name}</extra>"}};
    if (!bars.error.empty()) trace["error_y"] = error_of(bars.error, token(Colour::ink));
    return trace;
  }

  // Plotly's colour axes are linear: logarithms are taken here, the true value is shown on hovering.
  [[nodiscard]] Json trace_of(const HeatMap& map) const {
    Json rows = Json::array(), logarithms = Json::array();
    for (Index r = 0; r < map.values.extent(0); ++r) {
      const auto row = map.values.row(r).span();
      rows.push_back(list_of(row));
      std::vector<double> logs;
      for (const double value : row) logs.push_back(value > 0 ? std::log10(value) : std::nan(""));
      logarithms.push_back(list_of(logs));
    }
    Json trace = {{"type", "heatmap"}, {"x", list_of(map.x)}, {"y", list_of(map.y)}};
    trace["coloraxis"] = plotly_axis("coloraxis", figure_.share_values ? 0 : panel_);
    if (map.value.scale == Scale::log) {
      trace["z"] = std::move(logarithms);
      trace["customdata"] = std::move(rows);
    } else {
      trace["z"] = std::move(rows);
    }
    trace["hovertemplate"] = fmt::format("x %{{x:.4g}}, y %{{y:.4g}}: %{{{}:.4g}}<extra></extra>",
                                         map.value.scale == Scale::log ? "customdata" : "z");
    return trace;
  }

  const Figure& figure_;
  std::vector<Key> legend_;
  std::size_t panel_ = 0;
  Look look_;
  std::set<std::string> shown_;  // names that already have their legend entry
};

}  // namespace

Json plotly_traces(const Figure& figure) {
  validate(figure);
  return Tracer(figure).traces();
}

}  // namespace nouq::plot
