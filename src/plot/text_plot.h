// A figure as text, for a terminal.
//
// Why: on a remote machine one sees at once whether a prediction makes sense. When: `nouq predict
// --plot`. Contract: no line is wider than asked for; lines are drawn in braille dots, heat maps in shades,
// bars as bars; with `colour` the output has ANSI escapes (24-bit for heat maps), without it none. Texts are
// stripped of control characters, so no string can drive the terminal.
#pragma once

#include <string>

#include "plot/figure.h"

namespace nouq::plot {

struct TextPlotOptions {
  Index width = 80;   // columns, at least 30
  Index height = 16;  // rows of each plot area, at least 4
  bool colour = false;
};

std::string text_plot(const Figure& figure, const TextPlotOptions& options = {});

}  // namespace nouq::plot
