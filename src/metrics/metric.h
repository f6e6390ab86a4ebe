// Metrics: how good a predicted mean and variance are, against the truth.
//
// Why: all methods are judged by the same numbers, computed in double, from the same
// three arrays, whichever method predicted. When: call a metric by its function (`metrics::mse(input)`) or by
// its name
// (`evaluate_metric("mse", input)`); `metrics.def` lists them. Adding one is one .cpp file, one line there,
// one test. Each file's opening comment gives the formula and where it comes from.
//
// Contract: input is checked first: shapes agree, at least one sample and point, all values finite, no
// negative variance; messages name the array and the sample. Notation in the files: sample i of n, grid point
// j of J, mean mu, variance v, sigma = sqrt v, truth u.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <nouq/array.h>
#include <nouq/metrics.h>  // MetricInput, MetricResult, MetricInfo

#include "conserve/linear_constraints.h"

namespace nouq {

namespace metrics {
#define NOUQ_METRIC(name, uses_variance, uses_mass, summary) MetricResult name(const MetricInput& input);
#include "metrics/metrics.def"
#undef NOUQ_METRIC

// The calibration curve: for the levels p = 0, 0.1, ..., 1, the share of all values (samples and grid points
// together) that lie below the predicted p-quantile. A calibrated prediction gives back p.
std::vector<double> quantile_coverage(const MetricInput& input);
}  // namespace metrics

// The built-in ones, then those from outside.
const std::deque<MetricInfo>& all_metrics();
// Throws for an unknown name and says the nearest valid one.
const MetricInfo& find_metric(std::string_view name);
MetricResult evaluate_metric(std::string_view name, const MetricInput& input);

}  // namespace nouq
