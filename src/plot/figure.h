// A figure as data: what is to be seen, not how it is drawn.
//
// Why: one description is drawn as SVG, PNG, terminal text and interactive page, so that all of them show the
// same. When: fill a `Figure` with panels and their series and hand it to a renderer (plot/picture.h,
// plot/text_plot.h, plot/plotly.h, plot/page.h). Contract: series of one name share
// colour, marker and legend entry across the figure, so a mean and its band carry the same name; a nameless
// series has no entry. A value that is not finite, or not positive on a logarithmic axis, is a gap and never
// an error.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nouq/array.h>

#include "plot/colour.h"

namespace nouq::plot {

enum class Scale { linear, log };

struct Axis {
  std::string label = {};
  Scale scale = Scale::linear;
  std::optional<double> low = {}, high = {};  // unset: from the data, with a margin
  std::vector<std::string> categories = {};   // names for the places 0, 1, 2, ... instead of numbers
};

enum class Stroke { solid, dashed, dotted };

struct Line {
  std::string name = {};
  std::vector<double> x = {}, y = {};
  Colour colour = Colour::automatic;
  Stroke stroke = Stroke::solid;
};

// The area between two curves, e.g. mean -+ 3 sigma.
struct Band {
  std::string name = {};
  std::vector<double> x = {}, lower = {}, upper = {};
  Colour colour = Colour::automatic;
};

struct Points {
  std::string name = {};
  std::vector<double> x = {}, y = {};
  std::vector<double> error = {};  // half the length of the error bars; empty: none
  Colour colour = Colour::automatic;
  bool joined = false;  // a thin line through the points
  Stroke stroke = Stroke::solid;
  std::vector<std::string> labels = {};  // beside the points; empty: none
};

// One value per category of the x axis. Several of them in a panel stand side by side.
struct Bars {
  std::string name = {};
  std::vector<double> values = {};
  std::vector<double> error = {};
  Colour colour = Colour::automatic;
};

struct HeatMap {
  std::vector<double> x = {}, y = {};  // centres of the cells, increasing
  Array<double> values = {};           // [y][x]; the first row is the lowest
  ColourScale colours = ColourScale::sequential;
  Axis value = {};  // label, scale and range of the colour bar
};

using Series = std::variant<Line, Band, Points, Bars, HeatMap>;

enum class Direction { horizontal, vertical };

struct ReferenceLine {
  Direction direction = Direction::horizontal;
  double at = 0;
  std::string label = {};
  Stroke stroke = Stroke::dashed;
};

struct Panel {
  std::string title = {};
  Axis x = {}, y = {};
  std::vector<Series> series = {};
  std::vector<ReferenceLine> references = {};
};

struct Figure {
  std::string title = {};
  std::string caption = {};  // what to see
  std::vector<Panel> panels = {};
  Index columns = 0;  // of the grid of panels, filled row by row; 0: chosen
  bool share_x = false, share_y = false;
  bool share_values = false;  // one colour range and one bar for all heat maps
  double aspect = 0;          // height of a panel over its width; 0: chosen
  std::string name = {};      // of its file; empty: made of the title
};

// Throws an Error that names the figure, the panel and the series unless the figure can be drawn.
void validate(const Figure& figure);

// What a reader looks up in the legend: one entry per name.
struct Key {
  std::string name = {};
  Colour colour = Colour::ink;
  std::size_t marker = 0;  // which of the renderer's shapes
  Stroke stroke = Stroke::solid;
  bool line = false, band = false, points = false, bars = false;
};
std::vector<Key> legend_of(const Figure& figure);

// The colour and marker of one series, with `automatic` resolved.
struct Look {
  Colour colour = Colour::ink;
  std::size_t marker = 0;
};
Look look_of(const std::vector<Key>& legend, const Series& series);

std::string name_of(const Series& series);       // empty for a heat map
Index columns_of(const Figure& figure);          // with 0 resolved
const HeatMap* heat_map_of(const Panel& panel);  // nullptr: has none

}  // namespace nouq::plot
