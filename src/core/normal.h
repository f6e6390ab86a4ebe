// The standard normal distribution.
#pragma once

#include <cmath>
#include <numbers>

namespace nouq {

inline double normal_density(double z) {
  return std::numbers::inv_sqrtpi / std::numbers::sqrt2 * std::exp(-0.5 * z * z);
}

inline double normal_distribution(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

}  // namespace nouq
