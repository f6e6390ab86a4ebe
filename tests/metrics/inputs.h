// Small arrays for the metrics' tests.
#pragma once

#include <vector>

#include "metrics/metric.h"

namespace nouq::test {

// Owns what a MetricInput looks at.
struct Arrays {
  Array<double> mean, variance, truth;
  std::vector<double> weights;
  Array<double> rhs;

  [[nodiscard]] MetricInput input() const {
    return {mean.view(), variance.view(), truth.view(), {weights, rhs.view()}};
  }
};

// Two samples of three points.
inline Arrays small_case() {
  return {Array<double>({2, 3}, {1, 2, 3, 0, 0, 4}),
          Array<double>({2, 3}, {1, 4, 1, 0.25, 1, 4}),
          Array<double>({2, 3}, {1, 1, 1, 0.5, -2, 4}),
          {},
          {}};
}

}  // namespace nouq::test
