// Continuous ranked probability score of a Gaussian in closed form: mean over samples and grid points of
//   sigma (w (2 Phi(w) - 1) + 2 phi(w) - 1/sqrt(pi)),  w = (u - mu) / sigma;
// for sigma = 0 its limit |u - mu|. Reference: Gneiting, Raftery, Westveld, Goldman: Calibrated probabilistic
// forecasting using ensemble model output statistics. Monthly Weather Review 133, 2005.
#include <numbers>

#include "metrics/detail.h"

namespace nouq::metrics::detail {

MetricResult crps_gaussian(const MetricInput& input) {
  return mean_over_points(input, [](const Fields& fields, std::size_t j) {
    const double sigma = fields.sigma(j);
    if (sigma == 0) return std::abs(fields.error(j));
    const double w = -fields.error(j) / sigma;
    return sigma * (w * std::erf(w / std::numbers::sqrt2) + 2 * normal_density(w) - std::numbers::inv_sqrtpi);
  });
}

}  // namespace nouq::metrics::detail
