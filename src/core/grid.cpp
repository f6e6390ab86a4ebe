#include "core/grid.h"

namespace nouq {

std::vector<double> linspace(double first, double last, Index n) {
  require(n >= 1, "linspace needs at least one point, got {}", n);
  std::vector<double> points(static_cast<std::size_t>(n), first);
  for (Index i = 1; i + 1 < n; ++i) {
    points[static_cast<std::size_t>(i)] =
        first + (last - first) * static_cast<double>(i) / static_cast<double>(n - 1);
  }
  if (n > 1) points.back() = last;  // exactly, which the formula is not
  return points;
}

}  // namespace nouq
