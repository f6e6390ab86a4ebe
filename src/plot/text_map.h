// The kinds of panel that are not dots: heat maps in shades, bars as bars. For report/text_plot.cpp.
#pragma once

#include <string>
#include <vector>

#include "plot/range.h"
#include "plot/text_plot.h"

namespace nouq::plot {

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
