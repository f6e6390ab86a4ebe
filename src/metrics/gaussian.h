// Quantiles of the normal distribution, as the metrics need them.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "core/normal.h"

namespace nouq::metrics {

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

// The levels of the released metrics: 0, 0.1, ..., 1.
inline constexpr std::array<double, 11> decile_levels = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};

// The quantile of a prediction; the released code adds 1e-10 to sigma so that none is degenerate.
inline double predicted_quantile(double mean, double sigma, double z) { return mean + (sigma + 1e-10) * z; }

// Half the width of the 95 % interval, in sigmas, as the released code rounds it.
inline constexpr double interval_half_width = 1.96;

}  // namespace nouq::metrics
