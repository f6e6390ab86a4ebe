// Draws a figure on a canvas.
//
// Why and when: the one place that turns the description of a figure into strokes; report/svg.h and
// report/png.h bring the canvases. Contract: draws exactly the figure's layout, needs no font and no file.
#pragma once

#include "plot/canvas.h"
#include "plot/layout.h"

namespace nouq::plot {

void draw(const Figure& figure, const std::vector<PanelRanges>& ranges, const Layout& layout, Canvas& canvas);

}  // namespace nouq::plot
