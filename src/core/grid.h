// Where the values of a field sit: one Axis per dimension, each with a name, a unit and its coordinates.
//
// Contract: fields are stored [axis 0][axis 1]...[channel], C order. Coordinates increase strictly; the kind
// of an axis says what the values at its coordinates are, and with that which rule integrates over it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"

namespace nouq {

// points    values at points, the first and the last of them at the ends of the domain: finite differences,
//           finite elements; integrals by the trapezoid rule
// cells     averages over cells, or values at their centres, which are the coordinates: finite volumes; the
//           domain reaches half a cell beyond the first and the last centre; integrals by the midpoint rule
// periodic  the field continues where it began: integrals once around, and no padding is needed
enum class AxisKind { points, cells, periodic };

std::vector<std::string> axis_kind_names();
std::string name(AxisKind kind);
// Throws for an unknown name and says the nearest valid one.
AxisKind axis_kind_from_name(std::string_view name);

struct Axis {
  std::string name;
  std::string unit;
  std::vector<double> coordinates;
  AxisKind kind = AxisKind::points;

  [[nodiscard]] bool periodic() const { return kind == AxisKind::periodic; }
  [[nodiscard]] Index size() const { return static_cast<Index>(coordinates.size()); }
  friend bool operator==(const Axis&, const Axis&) = default;
};

using Grid = std::vector<Axis>;

// n points from first to last, both included (n = 1 gives first alone).
inline std::vector<double> linspace(double first, double last, Index n) {
  require(n >= 1, "linspace needs at least one point, got {}", n);
  std::vector<double> points(static_cast<std::size_t>(n), first);
  for (Index i = 1; i + 1 < n; ++i) {
    points[static_cast<std::size_t>(i)] =
        first + (last - first) * static_cast<double>(i) / static_cast<double>(n - 1);
  }
  if (n > 1) points.back() = last;  // exactly, which the formula is not
  return points;
}

// The centres of n cells of equal size from first to last.
inline std::vector<double> cell_centres(double first, double last, Index n) {
  require(n >= 1, "an axis needs at least one cell, got {}", n);
  std::vector<double> centres;
  for (Index i = 0; i < n; ++i)
    centres.push_back(first + (last - first) * (static_cast<double>(i) + 0.5) / static_cast<double>(n));
  return centres;
}

// n coordinates over a range of the axis: the centres of n cells that fill it, otherwise evenly spaced points
// from end to end.
inline std::vector<double> evenly_spaced(AxisKind kind, double first, double last, Index n) {
  return kind == AxisKind::cells ? cell_centres(first, last, n) : linspace(first, last, n);
}

inline Shape shape_of(const Grid& grid) {
  Shape shape;
  for (const Axis& axis : grid) shape.push_back(axis.size());
  return shape;
}

}  // namespace nouq
