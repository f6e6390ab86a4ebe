// Continuous ranked probability score from nine quantiles, as released: mean over samples and grid points of
//   2/9 sum over p = 0.1, ..., 0.9 of (1[q_p > u] - p) (q_p - u),  q_p = mu + (sigma + 1e-10) Phi^-1(p).
// The integral form of the score with the p-integral as an average of nine pinball losses; crps_gaussian is
// the integral itself. Reference: Gneiting, Raftery: Strictly proper scoring rules, prediction, and
// estimation. JASA 102, 2007.
#include <array>

#include "metrics/detail.h"

namespace nouq::metrics::detail {

MetricResult crps(const MetricInput& input) {
  constexpr std::size_t inner = decile_levels.size() - 2;
  std::array<double, inner> z{};
  for (std::size_t k = 0; k < inner; ++k) z[k] = normal_quantile(decile_levels[k + 1]);
  return mean_over_points(input, [&](const Fields& fields, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < inner; ++k) {
      const double above = predicted_quantile(fields.mean[j], fields.sigma(j), z[k]) - fields.truth[j];
      sum += ((above > 0 ? 1.0 : 0.0) - decile_levels[k + 1]) * above;
    }
    return 2 * sum / static_cast<double>(inner);
  });
}

}  // namespace nouq::metrics::detail
