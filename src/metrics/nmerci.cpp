// n-MeRCI between samples, as released: e_i = sum over j of |mu - u|, s_i = sqrt(sum over j of v), then the
// formula of rescaled_interval.h over the samples. It says whether uncertain samples are the wrong ones, and
// nothing about places inside a field: nmerci_pointwise does. Needs two samples or more.
#include <cmath>

#include "core/error.h"
#include "metrics/detail.h"
#include "metrics/rescaled_interval.h"

namespace nouq::metrics::detail {

MetricResult nmerci(const MetricInput& input) {
  require(sample_count(input) >= 2, "nmerci: compares samples, but mean has only {}", sample_count(input));
  std::vector<double> errors;
  std::vector<double> uncertainties;
  for (std::size_t i = 0; i < sample_count(input); ++i) {
    const Fields fields = sample_fields(input, i);
    errors.push_back(
        sum_over_grid(fields, [](const Fields& f, std::size_t j) { return std::abs(f.error(j)); }));
    const auto root_of_sum = [&](auto&& term) { return std::sqrt(sum_over_grid(fields, term)); };
    const double size = root_of_sum([](const Fields& f, std::size_t j) { return f.mean[j] * f.mean[j]; });
    uncertainties.push_back(sigma_beyond_rounding(
        root_of_sum([](const Fields& f, std::size_t j) { return f.variance[j]; }), size));
  }
  return rescaled_interval(errors, uncertainties, "nmerci: the samples' summed errors");
}

}  // namespace nouq::metrics::detail
