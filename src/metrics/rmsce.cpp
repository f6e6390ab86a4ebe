// Root mean squared calibration error: with q_p = mu + (sigma + 1e-10) Phi^-1(p) the p-quantile,
//   at each grid point c_p = share of samples with u <= q_p,
//   rmsce = mean over grid points of sqrt(mean over p = 0, 0.1, ..., 1 of (p - c_p)^2).
// The levels 0 and 1 are met by any prediction but count in the mean, as released: the value is sqrt(9/11) of
// the one over the nine inner levels. per_sample is another thing, as one sample has no shares over samples:
// sqrt(mean over p of (p - c_p)^2) with c_p the share of that sample's grid points with u <= q_p.
// Reference: Kuleshov, Fenner, Ermon: Accurate uncertainties for deep learning using calibrated regression.
// ICML 2018.
#include <array>
#include <cmath>

#include "metrics/detail.h"
#include "metrics/metric.h"

namespace nouq::metrics {
namespace {

using Counts = std::array<double, decile_levels.size()>;

double calibration_error(const Counts& counts, std::size_t total) {
  double sum = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double gap = decile_levels[k] - counts[k] / static_cast<double>(total);
    sum += gap * gap;
  }
  return std::sqrt(sum / static_cast<double>(counts.size()));
}

// Calls visit(sample, point, level) for every u <= q_p.
template <class Visit>
void visit_covered(const MetricInput& input, Visit&& visit) {
  Counts z{};
  for (std::size_t k = 0; k < z.size(); ++k) z[k] = normal_quantile(decile_levels[k]);
  for (std::size_t i = 0; i < detail::sample_count(input); ++i) {
    const detail::Fields fields = detail::sample_fields(input, i);
    for (std::size_t j = 0; j < fields.size(); ++j) {
      for (std::size_t k = 0; k < z.size(); ++k) {
        if (fields.truth[j] <= predicted_quantile(fields.mean[j], fields.sigma(j), z[k])) visit(i, j, k);
      }
    }
  }
}

}  // namespace

std::vector<double> quantile_coverage(const MetricInput& input) {
  detail::check_input(input, "quantile_coverage", true, false);
  std::vector<double> shares(decile_levels.size());
  visit_covered(input, [&](std::size_t, std::size_t, std::size_t k) { shares[k] += 1; });
  for (double& share : shares) share /= static_cast<double>(input.mean.size());
  return shares;
}

MetricResult detail::rmsce(const MetricInput& input) {
  const std::size_t samples = sample_count(input);
  const std::size_t points = sample_fields(input, 0).size();
  std::vector<Counts> of_sample(samples, Counts{});
  std::vector<Counts> of_point(points, Counts{});
  visit_covered(input, [&](std::size_t i, std::size_t j, std::size_t k) {
    of_sample[i][k] += 1;
    of_point[j][k] += 1;
  });
  MetricResult result;
  for (const Counts& counts : of_point) result.value += calibration_error(counts, samples);
  result.value /= static_cast<double>(points);
  for (const Counts& counts : of_sample) result.per_sample.push_back(calibration_error(counts, points));
  return result;
}

}  // namespace nouq::metrics
