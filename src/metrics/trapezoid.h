// Weights of the trapezoid rule on given points: sum of weights[i] f(x_i) approximates the integral of f.
#pragma once

#include <span>
#include <vector>

#include "core/error.h"

namespace nouq {

inline std::vector<double> trapezoid_weights(std::span<const double> coordinates) {
  require(coordinates.size() >= 2, "the trapezoid rule needs at least two points, got {}",
          coordinates.size());
  std::vector<double> weights(coordinates.size(), 0.0);
  for (std::size_t i = 0; i + 1 < coordinates.size(); ++i) {
    const double half = 0.5 * (coordinates[i + 1] - coordinates[i]);
    weights[i] += half;
    weights[i + 1] += half;
  }
  return weights;
}

}  // namespace nouq
