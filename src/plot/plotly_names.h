// The words Plotly has for what our figures say; for the two files that write its JSON.
#pragma once

#include <string>

#include "plot/figure.h"

namespace nouq::plot {

inline const char* plotly_dash(Stroke stroke) {
  if (stroke == Stroke::dashed) return "dash";
  return stroke == Stroke::dotted ? "dot" : "solid";
}

// "x", "x2", "x3", ...: the axes of the panels.
inline std::string plotly_axis(const char* name, std::size_t panel) {
  return panel == 0 ? name : name + std::to_string(panel + 1);
}

}  // namespace nouq::plot
