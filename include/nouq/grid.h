// Where the values of a field sit: one Axis per dimension, each with a name, a unit and its coordinates.
//
// Contract: fields are stored [axis 0][axis 1]...[channel], C order. Coordinates increase strictly; the kind
// of an axis says what the values at its coordinates are, and with that which rule integrates over it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nouq/array.h>
#include <nouq/export.h>

namespace nouq {

// points    values at points, the first and the last of them at the ends of the domain: finite differences,
//           finite elements; integrals by the trapezoid rule
// cells     averages over cells, or values at their centres, which are the coordinates: finite volumes; the
//           domain reaches half a cell beyond the first and the last centre; integrals by the midpoint rule
// periodic  the field continues where it began: integrals once around, and no padding is needed
enum class AxisKind { points, cells, periodic };

NOUQ_API std::vector<std::string> axis_kind_names();
NOUQ_API std::string name(AxisKind kind);
// Throws for an unknown name and says the nearest valid one.
NOUQ_API AxisKind axis_kind_from_name(std::string_view name);

struct Axis {
  std::string name;
  std::string unit;
  std::vector<double> coordinates;
  AxisKind kind = AxisKind::points;

  [[nodiscard]] bool periodic() const { return kind == AxisKind::periodic; }
  [[nodiscard]] Index size() const { return std::ssize(coordinates); }
  friend bool operator==(const Axis&, const Axis&) = default;
};

using Grid = std::vector<Axis>;

// n points from first to last, both included (n = 1 gives first alone). Throws when n is below 1.
NOUQ_API std::vector<double> linspace(double first, double last, Index n);
// The centres of n cells of equal size from first to last.
NOUQ_API std::vector<double> cell_centres(double first, double last, Index n);
// n coordinates over a range of the axis: the centres of n cells that fill it, otherwise evenly spaced points
// from end to end.
NOUQ_API std::vector<double> evenly_spaced(AxisKind kind, double first, double last, Index n);

inline Shape shape_of(const Grid& grid) {
  Shape shape;
  for (const Axis& axis : grid) shape.push_back(axis.size());
  return shape;
}

}  // namespace nouq
