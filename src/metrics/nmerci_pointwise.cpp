// n-MeRCI inside one field: the formula of rescaled_interval.h over the grid points of a sample, e_j = |mu -
// u|, s_j = sigma; then the mean over samples. It says whether the uncertainty is large where the error is,
// which the form between samples (nmerci) cannot see.
#include <cmath>

#include <fmt/format.h>

#include "metrics/detail.h"
#include "metrics/rescaled_interval.h"

namespace nouq::metrics::detail {

MetricResult nmerci_pointwise(const MetricInput& input) {
  std::size_t sample = 0;
  return mean_over_samples(input, [&](const Fields& fields) {
    std::vector<double> errors;
    std::vector<double> uncertainties;
    for (std::size_t j = 0; j < fields.size(); ++j) {
      errors.push_back(std::abs(fields.error(j)));
      uncertainties.push_back(sigma_beyond_rounding(fields.sigma(j), std::abs(fields.mean[j])));
    }
    return rescaled_interval(errors, uncertainties,
                             fmt::format("nmerci_pointwise: the errors inside sample {}", sample++))
        .value;
  });
}

}  // namespace nouq::metrics::detail
