#include "plot/text_plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "plot/axes.h"
#include "plot/text_grid.h"
#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

struct Dashes {
  Index drawn, period;
};

// Without colour, curves are told apart by their dashes: first as asked for, then by their order.
Dashes dashes_of(const std::vector<Key>& legend, const std::string& name, Stroke stroke, bool colour) {
  static constexpr std::array<Dashes, 4> patterns = {{{1, 1}, {5, 8}, {1, 3}, {3, 5}}};
  if (stroke == Stroke::dashed) return patterns[1];
  if (stroke == Stroke::dotted) return patterns[2];
  std::size_t order = 0;  // among the solid ones
  for (const Key& key : legend) {
    if (key.name == name) break;
    order += key.line && key.stroke == Stroke::solid ? 1 : 0;
  }
  return colour ? patterns[0] : patterns[order % patterns.size()];
}

const char* marker_of(std::size_t marker) {
  static constexpr std::array<const char*, series_colours.size()> markers = {"●", "■", "▲", "◆",
                                                                             "▼", "○", "□"};
  return markers[marker % markers.size()];
}

class PanelPlot {
 public:
  PanelPlot(const Panel& panel, const PanelRanges& ranges, const std::vector<Key>& legend, TextGrid& grid,
            bool colour)
      : panel_(panel), ranges_(ranges), legend_(legend), grid_(grid), colour_(colour) {}

  void draw() {
    for (const ReferenceLine& line : panel_.references) draw_reference(line);
    for (const Series& series : panel_.series) {
      if (std::holds_alternative<Band>(series))
        draw_one(std::get<Band>(series), look_of(legend_, series).colour);
    }
    for (const Series& series : panel_.series) {
      const Look look = look_of(legend_, series);
      if (const auto* line = std::get_if<Line>(&series))
        curve(line->x, line->y, look.colour, dashes_of(legend_, line->name, line->stroke, colour_));
      if (const auto* points = std::get_if<Points>(&series)) draw_points(*points, look);
    }
  }

 private:
  [[nodiscard]] double across(double value) const {
    return position(value, ranges_.x, panel_.x.scale) * static_cast<double>(2 * grid_.columns() - 1);
  }
  [[nodiscard]] double down(double value) const {
    return (1 - position(value, ranges_.y, panel_.y.scale)) * static_cast<double>(4 * grid_.rows() - 1);
  }
  [[nodiscard]] bool holds(double x, double y) const {
    return drawable(x, panel_.x.scale) && drawable(y, panel_.y.scale);
  }

  void curve(const std::vector<double>& x, const std::vector<double>& y, Colour colour, Dashes dashes) {
    Index phase = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      if (!holds(x[i], y[i]) || !holds(x[i + 1], y[i + 1])) continue;
      grid_.line(across(x[i]), down(y[i]), across(x[i + 1]), down(y[i + 1]), colour, dashes.drawn,
                 dashes.period, phase);
    }
  }

  void draw_one(const Band& band, Colour colour) {
    for (std::size_t i = 0; i + 1 < band.x.size(); ++i) {
      if (!holds(band.x[i], band.lower[i]) || !holds(band.x[i], band.upper[i])) continue;
      const double end = drawable(band.x[i + 1], panel_.x.scale) ? across(band.x[i + 1]) : across(band.x[i]);
      const auto first = static_cast<Index>(across(band.x[i]) / 2), last = static_cast<Index>(end / 2);
      const auto top = static_cast<Index>(std::max(0.0, down(band.upper[i]) / 4));
      const auto bottom =
          static_cast<Index>(std::min(down(band.lower[i]) / 4, static_cast<double>(grid_.rows())));
      for (Index c = first; c <= last; ++c) {
        for (Index r = top; r <= bottom; ++r) grid_.shade(c, r, colour);
      }
    }
  }

  void draw_points(const Points& points, const Look& look) {
    if (points.joined) curve(points.x, points.y, look.colour, {1, 2});
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      if (!holds(points.x[i], points.y[i])) continue;
      const double x = across(points.x[i]) / 2, y = down(points.y[i]) / 4;
      if (std::abs(x) < 1e6 && std::abs(y) < 1e6)
        grid_.put(static_cast<Index>(std::floor(x)), static_cast<Index>(std::floor(y)),
                  marker_of(look.marker), look.colour);
    }
  }

  void draw_reference(const ReferenceLine& line) {
    Index phase = 0;
    const bool flat = line.direction == Direction::horizontal;
    if (!drawable(line.at, flat ? panel_.y.scale : panel_.x.scale)) return;
    const double at = flat ? down(line.at) : across(line.at);
    const auto length = static_cast<double>(flat ? 2 * grid_.columns() : 4 * grid_.rows());
    grid_.line(flat ? 0 : at, flat ? at : 0, flat ? length : at, flat ? at : length, Colour::muted, 1, 3,
               phase);
  }

  const Panel& panel_;
  const PanelRanges& ranges_;
  const std::vector<Key>& legend_;
  TextGrid& grid_;
  bool colour_;
};

class TextPlotter {
 public:
  TextPlotter(const Figure& figure, const TextPlotOptions& options)
      : figure_(figure), options_(options), ranges_(ranges_of(figure)), legend_(legend_of(figure)) {}

  std::string plot() {
    add_line(figure_.title);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) {
      if (p > 0) text_ += "\n";
      add_line(figure_.panels[p].title);
      add_panel(figure_.panels[p], ranges_[p]);
    }
    add_legend();
    return std::move(text_);
  }

 private:
  void add_line(const std::string& line) {
    if (!line.empty()) text_ += shortened_to(line, options_.width) + "\n";
  }

  void add_panel(const Panel& panel, const PanelRanges& ranges) {
    if (ranges.empty) return add_line("(no values to draw)");
    const bool has_bars = std::any_of(panel.series.begin(), panel.series.end(), [](const Series& series) {
      return std::holds_alternative<Bars>(series);
    });
    if (has_bars) {
      for (const std::string& line : text_bars(panel, legend_, ranges.y, options_)) text_ += line + "\n";
      return;
    }
    const auto y_ticks = ticks_of(ranges.y, panel.y.scale, static_cast<int>(options_.height / 4));
    Index margin = 0;
    for (const Tick& tick : y_ticks)
      margin = std::max(margin, static_cast<Index>(characters(tick.label).size()));
    const Index columns = options_.width - margin - 2;
    add_line(panel.y.label);
    const auto rows = plot_area(panel, ranges, columns);
    for (Index r = 0; r < options_.height; ++r)
      text_ += pad_left(label_at(y_ticks, panel, ranges, r), margin) + " │" + rows[r] + "\n";
    add_x_axis(panel, ranges, margin, columns);
    if (const HeatMap* map = heat_map_of(panel))
      text_ += text_map_key(*map, *ranges.value, options_.width, options_.colour) + "\n";
  }

  std::vector<std::string> plot_area(const Panel& panel, const PanelRanges& ranges, Index columns) {
    if (const HeatMap* map = heat_map_of(panel))
      return text_map(*map, *ranges.value, columns, options_.height, options_.colour);
    TextGrid grid(columns, options_.height);
    PanelPlot(panel, ranges, legend_, grid, options_.colour).draw();
    std::vector<std::string> rows;
    for (Index r = 0; r < grid.rows(); ++r) rows.push_back(grid.row(r, options_.colour));
    return rows;
  }

  [[nodiscard]] std::string label_at(const std::vector<Tick>& ticks, const Panel& panel,
                                     const PanelRanges& ranges, Index row) const {
    for (const Tick& tick : ticks) {
      const double place =
          (1 - position(tick.at, ranges.y, panel.y.scale)) * static_cast<double>(options_.height);
      if (std::clamp<Index>(static_cast<Index>(place), 0, options_.height - 1) == row) return tick.label;
    }
    return "";
  }

  void add_x_axis(const Panel& panel, const PanelRanges& ranges, Index margin, Index columns) {
    std::string rule = pad_left("", margin) + " └";
    for (Index c = 0; c < columns; ++c) rule += "─";
    text_ += rule + "\n";
    std::string labels;
    Index used = 0;
    for (const Tick& tick : ticks_of(ranges.x, panel.x.scale, std::max(2, static_cast<int>(columns / 14)))) {
      const Index length = characters(tick.label).size();
      const auto centre =
          std::lround(position(tick.at, ranges.x, panel.x.scale) * static_cast<double>(columns - 1));
      const Index start = std::clamp<Index>(centre - length / 2, 0, columns - length);
      if (used > 0 && start < used + 2) continue;
      labels += pad_left("", start - used) + tick.label;
      used = start + length;
    }
    text_ += pad_left("", margin + 2) + labels + "\n";
    if (!panel.x.label.empty()) {
      const std::string label = shortened_to(panel.x.label, columns);
      const Index free = columns - static_cast<Index>(characters(label).size());
      text_ += pad_left("", margin + 2 + free / 2) + label + "\n";
    }
  }

  [[nodiscard]] std::string sample_of(const Key& key) const {
    if (key.bars) return "█";
    if (key.points) return marker_of(key.marker);
    if (!key.line) return "░░░░";
    TextGrid grid(4, 1);
    Index phase = 0;
    const Dashes dashes = dashes_of(legend_, key.name, key.stroke, options_.colour);
    grid.line(0, 1, 8, 1, key.colour, dashes.drawn, dashes.period, phase);
    return grid.row(0, false) + (key.band ? "░░" : "");
  }

  void add_legend() {
    for (const Key& key : legend_) {
      const std::string sample = sample_of(key);
      text_ += "  " + (options_.colour ? in_colour(sample, key.colour) : sample) + " " +
               shortened_to(key.name, options_.width - 10) + "\n";
    }
  }

  const Figure& figure_;
  const TextPlotOptions& options_;
  std::vector<PanelRanges> ranges_;
  std::vector<Key> legend_;
  std::string text_;
};

}  // namespace

std::string text_plot(const Figure& figure, const TextPlotOptions& options) {
  validate(figure);
  require(options.width >= 30 && options.width <= 1000, "width of a text plot = {}: expected 30 to 1000",
          options.width);
  require(options.height >= 4 && options.height <= 1000, "height of a text plot = {}: expected 4 to 1000",
          options.height);
  return TextPlotter(figure, options).plot();
}

}  // namespace nouq::plot
