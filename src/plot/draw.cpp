#include "plot/draw.h"

#include <array>

#include "plot/typesetting.h"

namespace nouq::plot {
namespace {

constexpr double tick_length = 4;

class Drawer {
 public:
  Drawer(const Figure& figure, const std::vector<PanelRanges>& ranges, const Layout& layout, Canvas& canvas)
      : figure_(figure), ranges_(ranges), layout_(layout), legend_(legend_of(figure)), canvas_(canvas) {}

  void draw() {
    draw_title();
    for (const KeyLayout& key : layout_.legend) draw_key(key);
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) draw_panel(p);
    for (const ColourBarLayout& bar : layout_.bars) draw_bar(bar);
  }

 private:
  void segment(Point from, Point to, const Pen& pen) { canvas_.line(std::array<Point, 2>{from, to}, pen); }

  void draw_title() {
    double y = 10 + type::title;
    for (const std::string& line : layout_.title) {
      canvas_.text({10, y}, line, {.size = type::title, .bold = true});
      y += line_height * type::title;
    }
  }

  void draw_key(const KeyLayout& entry) {
    const Key& key = entry.key;
    const double middle = entry.at.y - 0.35 * type::legend, right = entry.at.x + sample_width;
    const auto box = [&](double half, double opacity) {
      canvas_.polygon(std::array<Point, 4>{{{entry.at.x, middle - half},
                                            {right, middle - half},
                                            {right, middle + half},
                                            {entry.at.x, middle + half}}},
                      {key.colour, opacity});
    };
    if (key.band) box(5.5, band_opacity);
    if (key.bars) box(4.5, 0.9);
    if (key.line) segment({entry.at.x, middle}, {right, middle}, {key.colour, 1.8, key.stroke});
    if (key.points) draw_marker(canvas_, {(entry.at.x + right) / 2, middle}, {key.colour, key.marker});
    canvas_.text({right + 6, entry.at.y}, key.name, {.size = type::legend});
  }

  [[nodiscard]] Mapping mapping_of(std::size_t p) const {
    const Panel& panel = figure_.panels[p];
    return {layout_.panels[p].plot, ranges_[p].x, ranges_[p].y, panel.x.scale, panel.y.scale};
  }

  void draw_panel(std::size_t p) {
    const Mapping mapping = mapping_of(p);
    if (heat_map_of(figure_.panels[p]) == nullptr) draw_grid(p, mapping);
    canvas_.begin_clip(mapping.plot);
    draw_series(figure_.panels[p], legend_, mapping, ranges_[p].value, canvas_);
    draw_references(figure_.panels[p], mapping);
    canvas_.end_clip();
    draw_frame(mapping.plot);
    draw_x_axis(p, mapping);
    draw_y_axis(p, mapping);
    draw_panel_title(layout_.panels[p]);
    if (ranges_[p].empty) {
      canvas_.text({mapping.plot.left + mapping.plot.width / 2, mapping.plot.top + mapping.plot.height / 2},
                   "no values to draw",
                   {.size = type::label, .colour = Colour::muted, .anchor = Anchor::middle});
    }
  }

  void draw_grid(std::size_t p, const Mapping& mapping) {
    const Box& plot = mapping.plot;
    const Pen pen = {Colour::grid, 1};
    for (const Tick& tick : layout_.panels[p].y_ticks)
      segment({plot.left, mapping.y(tick.at)}, {plot.right(), mapping.y(tick.at)}, pen);
    if (!figure_.panels[p].x.categories.empty()) return;
    for (const Tick& tick : layout_.panels[p].x_ticks)
      segment({mapping.x(tick.at), plot.top}, {mapping.x(tick.at), plot.bottom()}, pen);
  }

  void draw_frame(const Box& plot) {
    const std::array<Point, 5> corners = {{{plot.left, plot.top},
                                           {plot.right(), plot.top},
                                           {plot.right(), plot.bottom()},
                                           {plot.left, plot.bottom()},
                                           {plot.left, plot.top}}};
    canvas_.line(corners, {Colour::muted, 0.8});
  }

  void draw_references(const Panel& panel, const Mapping& mapping) {
    const Box& plot = mapping.plot;
    for (const ReferenceLine& line : panel.references) {
      const Pen pen = {Colour::muted, 1.2, line.stroke};
      const bool flat = line.direction == Direction::horizontal;
      if (!drawable(line.at, flat ? mapping.y_scale : mapping.x_scale)) continue;
      const double at = flat ? mapping.y(line.at) : mapping.x(line.at);
      if (flat) {
        segment({plot.left, at}, {plot.right(), at}, pen);
      } else {
        segment({at, plot.top}, {at, plot.bottom()}, pen);
      }
      draw_reference_label(line.label, plot, at, flat);
    }
  }

  // Beside its line, on the side where there is room.
  void draw_reference_label(const std::string& label, const Box& plot, double at, bool flat) {
    TextStyle style = {.size = type::tick, .colour = Colour::muted, .anchor = Anchor::end, .halo = true};
    if (flat) {
      const bool above = at - plot.top > 16;
      return canvas_.text({plot.right() - 4, above ? at - 4 : at + 12}, label, style);
    }
    const bool to_the_left = at - plot.left > plot.width / 2;
    if (!to_the_left) style.anchor = Anchor::start;
    canvas_.text({to_the_left ? at - 4 : at + 4, plot.top + 13}, label, style);
  }

  void draw_x_axis(std::size_t p, const Mapping& mapping) {
    const PanelLayout& panel = layout_.panels[p];
    const Box& plot = mapping.plot;
    for (const Tick& tick : panel.x_ticks) {
      const double x = mapping.x(tick.at);
      segment({x, plot.bottom()}, {x, plot.bottom() + tick_length}, {Colour::muted, 0.8});
      if (!panel.x_labels) continue;
      TextStyle style = {.size = type::tick, .colour = Colour::muted, .anchor = Anchor::middle};
      if (panel.turned) style.anchor = Anchor::end;
      if (panel.turned) style.turn = -35;
      canvas_.text({x + (panel.turned ? 4 : 0), plot.bottom() + 6 + type::tick}, tick.label, style);
    }
    if (panel.x_labels && !figure_.panels[p].x.label.empty()) {
      canvas_.text({plot.left + plot.width / 2, panel.x_label_at}, figure_.panels[p].x.label,
                   {.size = type::label, .anchor = Anchor::middle});
    }
  }

  void draw_y_axis(std::size_t p, const Mapping& mapping) {
    const PanelLayout& panel = layout_.panels[p];
    const Box& plot = mapping.plot;
    for (const Tick& tick : panel.y_ticks) {
      const double y = mapping.y(tick.at);
      segment({plot.left - tick_length, y}, {plot.left, y}, {Colour::muted, 0.8});
      if (!panel.y_labels) continue;
      canvas_.text({plot.left - 6, y + 0.36 * type::tick}, tick.label,
                   {.size = type::tick, .colour = Colour::muted, .anchor = Anchor::end});
    }
    if (panel.y_labels && !figure_.panels[p].y.label.empty()) {
      canvas_.text({panel.y_label_at, plot.top + plot.height / 2}, figure_.panels[p].y.label,
                   {.size = type::label, .anchor = Anchor::middle, .turn = -90});
    }
  }

  void draw_panel_title(const PanelLayout& panel) {
    const double step = line_height * type::panel_title;
    double y = panel.plot.top - 6 - step * (static_cast<double>(panel.title.size()) - 1);
    for (const std::string& line : panel.title) {
      canvas_.text({panel.plot.left, y}, line, {.size = type::panel_title, .bold = true});
      y += step;
    }
  }

  void draw_bar(const ColourBarLayout& layout) {
    constexpr int steps = 64;
    const HeatMap& map = *heat_map_of(figure_.panels[layout.panel]);
    const Box& bar = layout.bar;
    const double height = bar.height / steps;
    for (int i = 0; i < steps; ++i) {
      const std::array<Box, 1> box = {{{bar.left, bar.bottom() - (i + 1) * height, bar.width, height}}};
      canvas_.cells(box, {colour_at(map.colours, i / (steps - 1.0)), 1});
    }
    draw_frame(bar);
    for (const Tick& tick : layout.ticks) {
      const double y =
          bar.bottom() - bar.height * position(tick.at, *ranges_[layout.panel].value, map.value.scale);
      segment({bar.right(), y}, {bar.right() + 3, y}, {Colour::muted, 0.8});
      canvas_.text({bar.right() + 6, y + 0.36 * type::tick}, tick.label,
                   {.size = type::tick, .colour = Colour::muted});
    }
    if (!map.value.label.empty()) {
      canvas_.text({layout.label_at, bar.top + bar.height / 2}, map.value.label,
                   {.size = type::label, .anchor = Anchor::middle, .turn = -90});
    }
  }

  const Figure& figure_;
  const std::vector<PanelRanges>& ranges_;
  const Layout& layout_;
  std::vector<Key> legend_;
  Canvas& canvas_;
};

}  // namespace

void draw(const Figure& figure, const std::vector<PanelRanges>& ranges, const Layout& layout,
          Canvas& canvas) {
  Drawer(figure, ranges, layout, canvas).draw();
}

}  // namespace nouq::plot
