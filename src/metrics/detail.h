// What the metrics' files share: the formulas behind the checked functions, and the samples as rows.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/normal.h"
#include "metrics/metric.h"

namespace nouq::metrics {

// The levels of the released metrics: 0, 0.1, ..., 1.
inline constexpr std::array<double, 11> decile_levels = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};

// The quantile of a prediction; the released code adds 1e-10 to sigma so that none is degenerate.
inline double predicted_quantile(double mean, double sigma, double z) { return mean + (sigma + 1e-10) * z; }

// Half the width of the 95 % interval, in sigmas, as the released code rounds it.
inline constexpr double interval_half_width = 1.96;

}  // namespace nouq::metrics

namespace nouq::metrics::detail {

// The formulas; their input has been checked.
#define NOUQ_METRIC(name, uses_variance, uses_mass, summary) MetricResult name(const MetricInput& input);
#include "metrics/metrics.def"
#undef NOUQ_METRIC

// Throws unless the input is what the contract of metric.h says.
void check_input(const MetricInput& input, std::string_view metric, bool uses_variance, bool uses_mass);

// The values of one sample.
struct Fields {
  std::span<const double> mean, variance, truth;
  [[nodiscard]] std::size_t size() const { return mean.size(); }
  [[nodiscard]] double error(std::size_t j) const { return mean[j] - truth[j]; }
  [[nodiscard]] double sigma(std::size_t j) const { return std::sqrt(variance[j]); }
};

inline std::size_t sample_count(const MetricInput& input) {
  return static_cast<std::size_t>(input.mean.extent(0));
}

inline Fields sample_fields(const MetricInput& input, std::size_t i) {
  const auto points = static_cast<std::size_t>(input.mean.size()) / sample_count(input);
  const auto part = [&](const ArrayView<const double>& array) {
    return array.empty() ? std::span<const double>{} : array.span().subspan(i * points, points);
  };
  return {part(input.mean), part(input.variance), part(input.truth)};
}

// A sigma that members agreeing to the last digit leave around a mean of this size is rounding and no spread:
// nothing is ranked by it.
inline double sigma_beyond_rounding(double sigma, double size) {
  return sigma > 4 * std::numeric_limits<double>::epsilon() * size ? sigma : 0.0;
}

inline double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Sum over the grid of term(fields, j).
template <class Term>
double sum_over_grid(const Fields& fields, Term&& term) {
  double sum = 0;
  for (std::size_t j = 0; j < fields.size(); ++j) sum += term(fields, j);
  return sum;
}

// The result whose value is the mean over samples of of_sample(fields of the sample).
template <class OfSample>
MetricResult mean_over_samples(const MetricInput& input, OfSample&& of_sample) {
  MetricResult result;
  for (std::size_t i = 0; i < sample_count(input); ++i) {
    result.per_sample.push_back(of_sample(sample_fields(input, i)));
  }
  result.value = mean_of(result.per_sample);
  return result;
}

// The result whose value is the mean over samples of the mean over the grid of term(fields, j).
template <class Term>
MetricResult mean_over_points(const MetricInput& input, Term&& term) {
  return mean_over_samples(input, [&](const Fields& fields) {
    return sum_over_grid(fields, term) / static_cast<double>(fields.size());
  });
}

}  // namespace nouq::metrics::detail
