#include "metrics/rescaled_interval.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "metrics/detail.h"

namespace nouq::metrics {
namespace {

double ratio(double error, double uncertainty) {
  if (error == 0) return 0;
  return uncertainty > 0 ? error / uncertainty : std::numeric_limits<double>::infinity();
}

}  // namespace

double linear_quantile(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  const double position = level * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const auto above = std::min(below + 1, values.size() - 1);
  const double weight = position - static_cast<double>(below);
  // The first case also keeps two infinities from being subtracted.
  if (weight <= 0 || values[below] == values[above]) return values[below];
  return values[below] + weight * (values[above] - values[below]);
}

MetricResult rescaled_interval(std::span<const double> errors, std::span<const double> uncertainties,
                               const std::string& what) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < errors.size(); ++i) ratios.push_back(ratio(errors[i], uncertainties[i]));
  const double tau = linear_quantile(std::move(ratios), 0.95);
  const double mean_error = detail::mean_of(errors);
  const double largest = *std::max_element(errors.begin(), errors.end()), spread = largest - mean_error;
  require(spread > 1e-12 * largest,  // the mean of equal numbers may be off in its last digits
          "{} are all equal, so n-MeRCI is not defined", what);
  MetricResult result;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    // Not tau * 0 for an infinite tau: that would be no number.
    const double rescaled = std::isfinite(tau) ? tau * uncertainties[i] : tau;
    result.per_sample.push_back((rescaled - errors[i]) / spread);
  }
  result.value = detail::mean_of(result.per_sample);
  return result;
}

}  // namespace nouq::metrics
