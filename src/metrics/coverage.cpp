// Coverage of the 95 % interval: share of samples and grid points with |mu - u| <= 1.96 sigma. Right is 0.95:
// less is overconfident, more is too cautious. For all levels at once see quantile_coverage (metric.h).
#include <cmath>

#include "metrics/detail.h"

namespace nouq::metrics::detail {

MetricResult coverage(const MetricInput& input) {
  return mean_over_points(input, [](const Fields& fields, std::size_t j) {
    return std::abs(fields.error(j)) <= interval_half_width * fields.sigma(j) ? 1.0 : 0.0;
  });
}

}  // namespace nouq::metrics::detail
