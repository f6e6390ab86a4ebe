// Draws a figure on a canvas.
//
// Why and when: the one place that turns the description of a figure into strokes; plot/picture.h
// has the canvases. Contract: draws exactly the figure's layout, needs no font and no file.
#pragma once

#include "plot/axes.h"
#include "plot/canvas.h"
#include "plot/layout.h"

namespace nouq::plot {

void draw(const Figure& figure, const std::vector<PanelRanges>& ranges, const Layout& layout, Canvas& canvas);

// ---- The series of one panel, in its plot area ----
//
// `draw` has set the clip. Values that cannot be placed leave gaps.

// From values to points of the canvas.
struct Mapping {
  Box plot;
  Range x_range, y_range;
  Scale x_scale = Scale::linear, y_scale = Scale::linear;

  [[nodiscard]] double x(double value) const {
    return plot.left + plot.width * position(value, x_range, x_scale);
  }
  [[nodiscard]] double y(double value) const {
    return plot.bottom() - plot.height * position(value, y_range, y_scale);
  }
  [[nodiscard]] bool holds(double x_value, double y_value) const {
    return drawable(x_value, x_scale) && drawable(y_value, y_scale);
  }
};

inline constexpr double band_opacity = 0.22;

void draw_series(const Panel& panel, const std::vector<Key>& legend, const Mapping& mapping,
                 std::optional<Range> value_range, Canvas& canvas);

// One of the shapes that tell series apart without colour.
void draw_marker(Canvas& canvas, Point at, const Look& look);

}  // namespace nouq::plot
