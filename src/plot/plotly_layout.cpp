#include <cmath>

#include "plot/plotly.h"
#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

Json annotation(double x, double y, const std::string& text) {
  return {{"x", x}, {"y", y}, {"text", text}, {"showarrow", false}};
}

class Layouter {
 public:
  Layouter(const Figure& figure, const LayoutOptions& options)
      : figure_(figure), ranges_(ranges_of(figure)), layout_(lay_out(figure, ranges_, options)) {}

  Json layout() {
    Json result = {{"height", std::round(layout_.height)},
                   {"margin", {{"l", 0}, {"r", 0}, {"t", 0}, {"b", 0}}},
                   {"paper_bgcolor", "@paper"},
                   {"plot_bgcolor", "@paper"},
                   {"font", {{"color", "@ink"}, {"size", type::label}}},
                   {"hovermode", "closest"},
                   {"bargap", 0.2},
                   {"showlegend", !layout_.legend.empty()}};
    if (!layout_.legend.empty()) result["legend"] = legend();
    annotations_ = shapes_ = Json::array();
    for (std::size_t p = 0; p < layout_.panels.size(); ++p) {
      result[plotly_axis("xaxis", p)] = x_axis(p);
      result[plotly_axis("yaxis", p)] = y_axis(p);
      add_title(p);
      for (const ReferenceLine& line : figure_.panels[p].references) add_reference(p, line);
    }
    for (const ColourBarLayout& bar : layout_.bars)
      result[plotly_axis("coloraxis", figure_.share_values ? 0 : bar.panel)] = colour_axis(bar);
    result["annotations"] = std::move(annotations_);
    result["shapes"] = std::move(shapes_);
    return result;
  }

 private:
  [[nodiscard]] double across(double x) const { return x / layout_.width; }
  [[nodiscard]] double up(double y) const { return 1 - y / layout_.height; }

  [[nodiscard]] Json legend() const {
    const double top = layout_.legend.front().at.y - type::legend - 6;
    return {{"orientation", "h"},   {"x", 0},           {"y", up(top)},
            {"xanchor", "left"},    {"yanchor", "top"}, {"font", {{"size", type::legend}}},
            {"bgcolor", "@paper:0"}};
  }

  // Plotly's own labels of short logarithmic axes collide, or leave the power of ten out: our ticks there,
  // and whole decades elsewhere. Ticks are given as they are; only `range` and `dtick` are in decades.
  static void set_log_ticks(Json& axis, Range range, const std::vector<Tick>& ticks) {
    const double decades = std::log10(range.high) - std::log10(range.low);
    if (decades < 2.2)
      set_ticks(axis, ticks, Scale::linear);
    else
      axis["dtick"] = static_cast<int>(decades / 7) + 1;
  }

  static Json axis(const Axis& description, Range range, const std::vector<Tick>& ticks, bool labelled) {
    const bool log = description.scale == Scale::log;
    Json result = {
        {"type", log ? "log" : "linear"},
        {"range", log ? Json{std::log10(range.low), std::log10(range.high)} : Json{range.low, range.high}},
        {"showticklabels", labelled},
        {"showline", true},
        {"mirror", true},
        {"linecolor", "@muted"},
        {"gridcolor", "@grid"},
        {"zeroline", false},
        {"ticks", "outside"},
        {"ticklen", 4},
        {"tickcolor", "@muted"},
        {"tickfont", {{"size", type::tick}, {"color", "@muted"}}},
        {"exponentformat", "power"}};
    if (log) set_log_ticks(result, range, ticks);
    if (labelled) result["title"] = {{"text", escape_markup(description.label)}, {"standoff", 6}};
    return result;
  }

  Json x_axis(std::size_t p) {
    const Axis& description = figure_.panels[p].x;
    const PanelLayout& panel = layout_.panels[p];
    Json result = axis(description, ranges_[p].x, panel.x_ticks, panel.x_labels);
    result["domain"] = {across(panel.plot.left), across(panel.plot.right())};
    result["anchor"] = plotly_axis("y", p);
    result["nticks"] = static_cast<int>(panel.x_ticks.size()) + 1;
    if (figure_.share_x && p > 0) result["matches"] = "x";
    if (!description.categories.empty()) {
      set_ticks(result, panel.x_ticks, Scale::linear);
      result["showgrid"] = false;
      result["tickangle"] = panel.turned ? -35 : 0;
    }
    return result;
  }

  Json y_axis(std::size_t p) {
    const PanelLayout& panel = layout_.panels[p];
    Json result = axis(figure_.panels[p].y, ranges_[p].y, panel.y_ticks, panel.y_labels);
    result["domain"] = {up(panel.plot.bottom()), up(panel.plot.top)};
    result["anchor"] = plotly_axis("x", p);
    result["nticks"] = static_cast<int>(panel.y_ticks.size()) + 1;
    if (figure_.share_y && p > 0) result["matches"] = "y";
    return result;
  }

  static void set_ticks(Json& axis, const std::vector<Tick>& ticks, Scale scale) {
    axis["tickvals"] = axis["ticktext"] = Json::array();
    for (const Tick& tick : ticks) {
      axis["tickvals"].push_back(scale == Scale::log ? std::log10(tick.at) : tick.at);
      axis["ticktext"].push_back(escape_markup(tick.label));
    }
  }

  void add_title(std::size_t p) {
    const PanelLayout& panel = layout_.panels[p];
    if (panel.title.empty()) return;
    std::string text;
    for (const std::string& line : panel.title) text += (text.empty() ? "" : "<br>") + escape_markup(line);
    Json title = annotation(across(panel.plot.left), up(panel.plot.top - 3), "<b>" + text + "</b>");
    title.update({{"xref", "paper"},
                  {"yref", "paper"},
                  {"xanchor", "left"},
                  {"yanchor", "bottom"},
                  {"align", "left"},
                  {"font", {{"size", type::panel_title}}}});
    annotations_.push_back(std::move(title));
  }

  void add_reference(std::size_t p, const ReferenceLine& line) {
    const bool flat = line.direction == Direction::horizontal;
    const Axis& along = flat ? figure_.panels[p].y : figure_.panels[p].x;
    if (!drawable(line.at, along.scale)) return;
    const std::string x = plotly_axis("x", p), y = plotly_axis("y", p);
    const std::string x_reference = flat ? x + " domain" : x, y_reference = flat ? y : y + " domain";
    shapes_.push_back({{"type", "line"},
                       {"xref", x_reference},
                       {"yref", y_reference},
                       {"x0", flat ? 0 : line.at},
                       {"x1", flat ? 1 : line.at},
                       {"y0", flat ? line.at : 0},
                       {"y1", flat ? line.at : 1},
                       {"line", {{"color", "@muted"}, {"width", 1.2}, {"dash", plotly_dash(line.stroke)}}}});
    if (line.label.empty()) return;
    // Other than shapes, annotations on a logarithmic axis are placed by the logarithm.
    const double at = along.scale == Scale::log ? std::log10(line.at) : line.at;
    Json label = annotation(flat ? 1 : at, flat ? at : 1, escape_markup(line.label));
    label.update({{"xref", x_reference},
                  {"yref", y_reference},
                  {"xanchor", flat ? "right" : "left"},
                  {"yanchor", flat ? "bottom" : "top"},
                  {"font", {{"size", type::tick}, {"color", "@muted"}}},
                  {"bgcolor", "@paper:0.75"},
                  {"borderpad", 1}});
    annotations_.push_back(std::move(label));
  }

  Json colour_axis(const ColourBarLayout& layout) {
    const HeatMap& map = *heat_map_of(figure_.panels[layout.panel]);
    const Range range = *ranges_[layout.panel].value;
    const bool log = map.value.scale == Scale::log;
    Json stops = Json::array();
    const auto colours = colour_stops(map.colours);
    for (std::size_t i = 0; i < colours.size(); ++i)
      stops.push_back({static_cast<double>(i) / static_cast<double>(colours.size() - 1), hex(colours[i])});
    Json bar = {{"x", across(layout.bar.left)},
                {"xanchor", "left"},
                {"xpad", 0},
                {"ypad", 0},
                {"y", up(layout.bar.bottom())},
                {"yanchor", "bottom"},
                {"len", layout.bar.height / layout_.height},
                {"thickness", layout.bar.width},
                {"outlinecolor", "@muted"},
                {"outlinewidth", 0.8},
                {"tickfont", {{"size", type::tick}, {"color", "@muted"}}},
                {"title", {{"text", escape_markup(map.value.label)}, {"side", "right"}}}};
    set_ticks(bar, layout.ticks, map.value.scale);
    return {{"cmin", log ? std::log10(range.low) : range.low},
            {"cmax", log ? std::log10(range.high) : range.high},
            {"colorscale", stops},
            {"colorbar", bar}};
  }

  const Figure& figure_;
  std::vector<PanelRanges> ranges_;
  Layout layout_;
  Json annotations_, shapes_;
};

}  // namespace

Json plotly_layout(const Figure& figure, const LayoutOptions& options) {
  validate(figure);
  LayoutOptions roomy = options;
  roomy.legend_row = 29;  // Plotly's rows are this high
  return Layouter(figure, roomy).layout();
}

}  // namespace nouq::plot
