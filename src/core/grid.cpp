#include "core/grid.h"

#include "core/names.h"

namespace nouq {

std::vector<std::string> axis_kind_names() { return {"points", "cells", "periodic"}; }

std::string name(AxisKind kind) { return axis_kind_names().at(static_cast<std::size_t>(kind)); }

AxisKind axis_kind_from_name(std::string_view name) {
  const auto names = axis_kind_names();
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == name) return static_cast<AxisKind>(k);
  }
  fail_unknown_name("kind of axis", name, names);
}

std::vector<double> linspace(double first, double last, Index n) {
  require(n >= 1, "linspace needs at least one point, got {}", n);
  std::vector<double> points(n, first);
  for (Index i = 1; i + 1 < n; ++i) {
    points[i] = first + (last - first) * static_cast<double>(i) / static_cast<double>(n - 1);
  }
  if (n > 1) points.back() = last;  // exactly, which the formula is not
  return points;
}

std::vector<double> cell_centres(double first, double last, Index n) {
  require(n >= 1, "an axis needs at least one cell, got {}", n);
  std::vector<double> centres;
  for (Index i = 0; i < n; ++i)
    centres.push_back(first + (last - first) * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
  return centres;
}

std::vector<double> evenly_spaced(AxisKind kind, double first, double last, Index n) {
  return kind == AxisKind::cells ? cell_centres(first, last, n) : linspace(first, last, n);
}

}  // namespace nouq
