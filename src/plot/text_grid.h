// A grid of characters with braille dots: two across and four up in each.
//
// Why: dots give a line plot eight times the resolution of letters. When: plot/text_plot.cpp draws on it.
// Contract: dots outside the grid are ignored; later colours win within a character.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nouq/array.h>

#include "plot/axes.h"
#include "plot/colour.h"
#include "plot/text_plot.h"

namespace nouq::plot {

class TextGrid {
 public:
  TextGrid(Index columns, Index rows) : columns_(columns), rows_(rows), cells_(columns * rows) {}

  [[nodiscard]] Index columns() const { return columns_; }
  [[nodiscard]] Index rows() const { return rows_; }
  // Dots are counted from the upper left: 2 * columns across, 4 * rows down.
  void dot(Index x, Index y, Colour colour);
  // A straight line of dots; of each `period` of them only the first `drawn` are set, counted on in `phase`.
  void line(double x0, double y0, double x1, double y1, Colour colour, Index drawn, Index period,
            Index& phase);
  void put(Index column, Index row, const std::string& character, Colour colour);
  // A shade behind the dots, seen where there is no dot.
  void shade(Index column, Index row, Colour colour);
  [[nodiscard]] std::string row(Index row, bool colour) const;

 private:
  struct Cell {
    std::uint8_t dots = 0;
    bool shaded = false;
    std::string character = {};
    Colour colour = Colour::ink;
  };
  Cell& cell(Index column, Index row) { return cells_[row * columns_ + column]; }
  [[nodiscard]] bool inside(Index column, Index row) const {
    return column >= 0 && column < columns_ && row >= 0 && row < rows_;
  }
  [[nodiscard]] static std::string text_of(const Cell& cell);

  Index columns_, rows_;
  std::vector<Cell> cells_;
};

// The text in a colour of the palette, for a terminal of either background.
std::string in_colour(const std::string& text, Colour colour);

// ---- The kinds of panel that are not dots: heat maps in shades, bars as bars ----

// Rows of the map from the top, without axes; `columns` wide.
std::vector<std::string> text_map(const HeatMap& map, Range range, Index columns, Index rows, bool colour);

// What the shades mean: "0 ░▒▓█ 1.2 u".
std::string text_map_key(const HeatMap& map, Range range, Index width, bool colour);

// One line per category and series: name, bar, number.
std::vector<std::string> text_bars(const Panel& panel, const std::vector<Key>& legend, Range range,
                                   const TextPlotOptions& options);

std::string pad_left(const std::string& text, Index width);
std::string pad_right(const std::string& text, Index width);
// At most so many characters, the last one being an ellipsis where some were cut.
std::string shortened_to(const std::string& text, Index width);

}  // namespace nouq::plot
