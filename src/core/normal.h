// The normal distribution: density, distribution, quantile, and what bounds leave of its variance.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

namespace nouq {

inline double normal_density(double z) {
  return std::numbers::inv_sqrtpi / std::numbers::sqrt2 * std::exp(-0.5 * z * z);
}

inline double normal_distribution(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// The z with normal_distribution(z) = p. Below 1/2 the distribution is convex, so Newton from z = 0 comes
// down to the root without overshooting; the upper half is its mirror image.
inline double normal_quantile(double p) {
  if (p <= 0) return -std::numeric_limits<double>::infinity();
  if (p >= 1) return std::numeric_limits<double>::infinity();
  if (p > 0.5) return -normal_quantile(1 - p);
  double z = 0;
  for (int step = 0; step < 1000; ++step) {
    const double change = (normal_distribution(z) - p) / normal_density(z);
    z -= change;
    if (std::abs(change) <= 1e-15 * (1 + std::abs(z))) break;
  }
  return z;
}

// E (X - c)^2 for X normal with this mean and variance, given lower <= X <= upper, where c is the mean moved
// into the bounds: what is left of the variance, and a sign of how far outside the mean was. Bounds may be
// infinite; relative error below 1e-6.
double truncated_deviation(double mean, double variance, double lower, double upper);

}  // namespace nouq
