// Where everything goes on a drawn figure: title, legend, panels, colour bars.
//
// Why: drawing is simple once each box is known; keeping the arithmetic of margins apart keeps both readable.
// Contract: all panels have plot areas of one size; nothing is laid out beyond the figure's width.
#pragma once

#include <string>
#include <vector>

#include "plot/axes.h"
#include "plot/canvas.h"
#include "plot/figure.h"

namespace nouq::plot {

namespace type {  // sizes of type, in points
inline constexpr double title = 15, panel_title = 12.5, label = 12, tick = 11, legend = 12;
}

struct LayoutOptions {
  double width = 760;
  Index columns = 0;  // 0: as the figure says
  bool title = true;
  double legend_row = 20;  // height of one row of the legend
};

struct PanelLayout {
  Box plot;
  std::vector<std::string> title;  // its lines, the last one just above the plot
  std::vector<Tick> x_ticks, y_ticks;
  bool x_labels = true, y_labels = true;  // whether this panel shows them, or a neighbour does for it
  double x_label_at = 0, y_label_at = 0;  // baseline of the axis labels
  bool turned = false;                    // names of categories are written at an angle
};

struct ColourBarLayout {
  Box bar;
  std::size_t panel = 0;  // whose heat map it explains
  std::vector<Tick> ticks;
  double label_at = 0;
};

struct KeyLayout {
  Key key;
  Point at;  // left end of the sample, on the baseline of the name
};

struct Layout {
  double width = 0, height = 0;
  std::vector<std::string> title;
  std::vector<KeyLayout> legend;
  std::vector<PanelLayout> panels;
  std::vector<ColourBarLayout> bars;
};

inline constexpr double line_height = 1.3;  // of a line of type, over its size
inline constexpr double sample_width = 26;  // of a line or box in the legend

// The figure must be valid and the ranges its own.
Layout lay_out(const Figure& figure, const std::vector<PanelRanges>& ranges, const LayoutOptions& options);

}  // namespace nouq::plot
