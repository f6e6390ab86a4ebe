// Width of the 95 % interval: mean over samples and grid points of 2 * 1.96 sigma. Also called sharpness;
// small is good only where coverage is right.
#include "metrics/detail.h"

namespace nouq::metrics::detail {

MetricResult interval_width(const MetricInput& input) {
  return mean_over_points(
      input, [](const Fields& fields, std::size_t j) { return 2 * interval_half_width * fields.sigma(j); });
}

}  // namespace nouq::metrics::detail
