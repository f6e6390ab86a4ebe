// Where the values of a field sit: one Axis per dimension, each with a name, a unit and its coordinates.
//
// Contract: fields are stored [axis 0][axis 1]...[channel], C order. Coordinates increase strictly.
#pragma once

#include <string>
#include <vector>

#include <nouq/array.h>

namespace nouq {

struct Axis {
  std::string name;
  std::string unit;
  std::vector<double> coordinates;
  bool periodic = false;  // the field continues where it began: no padding is needed along this axis

  [[nodiscard]] Index size() const { return static_cast<Index>(coordinates.size()); }
  friend bool operator==(const Axis&, const Axis&) = default;
};

using Grid = std::vector<Axis>;

// n points from first to last, both included (n = 1 gives first alone). Throws when n is below 1.
NOUQ_API std::vector<double> linspace(double first, double last, Index n);

inline Shape shape_of(const Grid& grid) {
  Shape shape;
  for (const Axis& axis : grid) shape.push_back(axis.size());
  return shape;
}

}  // namespace nouq
