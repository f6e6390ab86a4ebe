#include <algorithm>
#include <cmath>

#include <nouq/grid.h>

#include "core/error.h"
#include "core/grid_domain.h"
#include "core/names.h"

namespace nouq {

std::vector<std::string> axis_kind_names() { return {"points", "cells", "periodic"}; }

std::string name(AxisKind kind) { return axis_kind_names().at(static_cast<std::size_t>(kind)); }

AxisKind axis_kind_from_name(std::string_view name) {
  return static_cast<AxisKind>(index_of_name("kind of axis", name, axis_kind_names()));
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

namespace {

constexpr double alike = 0.01;  // of the distance between points

double spacing(const std::vector<double>& points) {
  return (points.back() - points.front()) / static_cast<double>(std::max<std::size_t>(1, points.size() - 1));
}

bool same_interval(const std::vector<double>& own, const std::vector<double>& other) {
  const double close = 1e-6 * std::abs(own.back() - own.front());
  const double coarser = spacing(other) - spacing(own);
  const auto within = [&](double shift, double most) {
    return shift >= std::min(0.0, most) - close && shift <= std::max(0.0, most) + close;
  };
  return within(other.front() - own.front(), coarser) && within(other.back() - own.back(), -coarser);
}

}  // namespace

void require_same_domain(const Grid& trained, const Grid& given, const std::string& source) {
  if (trained.size() != given.size()) return;
  for (std::size_t a = 0; a < trained.size(); ++a) {
    const auto &own = trained[a].coordinates, &other = given[a].coordinates;
    if (own.empty() || other.empty()) continue;
    require(same_interval(own, other),
            "{}{}axis {} runs from {:.6g} to {:.6g}, but the model was trained on {:.6g} to {:.6g}", source,
            source.empty() ? "" : ": ", given[a].name, other.front(), other.back(), own.front(), own.back());
  }
}

bool evenly_spaced(const Axis& axis) {
  const double first = axis.coordinates.front(), h = spacing(axis.coordinates);
  for (Index i = 0; i < axis.size(); ++i) {
    const double expected = first + static_cast<double>(i) * h;
    if (std::abs(axis.coordinates[i] - expected) > alike * h) return false;
  }
  return true;
}

bool same_points(const Grid& first, const Grid& second) {
  if (shape_of(first) != shape_of(second)) return false;
  for (std::size_t a = 0; a < first.size(); ++a) {
    const auto &own = first[a].coordinates, &other = second[a].coordinates;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const double below = i > 0 ? own[i] - own[i - 1] : spacing(own);
      const double above = i + 1 < own.size() ? own[i + 1] - own[i] : spacing(own);
      if (std::abs(own[i] - other[i]) > alike * std::min(below, above)) return false;
    }
  }
  return true;
}

Grid regridded(const Grid& grid, const Shape& extents) {
  require(grid.size() == extents.size(), "a grid of shape {}: expected {} axes", to_string(extents),
          grid.size());
  Grid result = grid;
  for (std::size_t a = 0; a < grid.size(); ++a) {
    std::vector<double>& points = result[a].coordinates;
    if (extents[a] == grid[a].size()) continue;
    require(
        evenly_spaced(grid[a]),
        "{} points along axis {} without coordinates: the model's {} points there are unevenly spaced; give "
        "the inputs as a data set, whose grid says where its points are",
        extents[a], grid[a].name, grid[a].size());
    // Old cells for each new one, and how much smaller a new cell is.
    const double cells = static_cast<double>(grid[a].size()) / static_cast<double>(extents[a]);
    const double shrinkage = (1.0 - cells) * spacing(points);
    const double half = grid[a].kind == AxisKind::cells ? 0.5 * shrinkage : 0.0;
    const double last = points.back() + (grid[a].periodic() ? shrinkage : half);
    points = linspace(points.front() - half, last, extents[a]);
  }
  return result;
}

}  // namespace nouq
