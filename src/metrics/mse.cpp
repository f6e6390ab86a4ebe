// Mean squared error: mean over samples and grid points of (mu - u)^2.
#include "metrics/detail.h"

namespace nouq::metrics::detail {

MetricResult mse(const MetricInput& input) {
  return mean_over_points(
      input, [](const Fields& fields, std::size_t j) { return fields.error(j) * fields.error(j); });
}

}  // namespace nouq::metrics::detail
