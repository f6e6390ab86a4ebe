// A figure as Plotly's JSON: traces and a layout.
//
// Why: in the page a reader zooms, hovers and switches series off. When: plot/page.h embeds it; any Plotly
// can show it once the colour tokens are replaced. Contract: a colour of the palette is the token "@blue", or
// "@blue:0.22" with an opacity, because the page's theme is not known here; gaps are null; texts are escaped
// for Plotly's own markup. Places are shares of the figure's size, taken from the same layout as the
// drawings.
#pragma once

#include <string>

#include "core/json_types.h"
#include "plot/figure.h"
#include "plot/layout.h"

namespace nouq::plot {

using Json = OrderedJson;

// The traces are the same for every layout, so a page can hold one layout for wide and one for narrow
// screens.
Json plotly_traces(const Figure& figure);
Json plotly_layout(const Figure& figure, const LayoutOptions& options = {});

// What Plotly calls the parts of a figure; for the two files that write its JSON.
inline const char* plotly_dash(Stroke stroke) {
  if (stroke == Stroke::dashed) return "dash";
  return stroke == Stroke::dotted ? "dot" : "solid";
}

// "x", "x2", "x3", ...: the axes of the panels.
inline std::string plotly_axis(const char* name, std::size_t panel) {
  return panel == 0 ? name : name + std::to_string(panel + 1);
}

}  // namespace nouq::plot
