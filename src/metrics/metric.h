// Metrics: how good a predicted mean and variance are, against the truth.
//
// Why: all methods are judged by the same numbers, computed in double, from the same three arrays; nobody
// asks which method predicted. When: call a metric by its function (`metrics::mse(input)`) or by its name
// (`evaluate_metric("mse", input)`); `metrics.def` lists them. Adding one is one .cpp file, one line there,
// one test. Each file's opening comment gives the formula and where it comes from.
//
// Contract: input is checked first: shapes agree, at least one sample and point, all values finite, no
// negative variance; messages name the array and the sample. Notation in the files: sample i of n, grid point
// j of J, mean mu, variance v, sigma = sqrt v, truth u.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conserve/linear_constraints.h"
#include "core/array.h"

namespace nouq {

// What the conservation error needs, in one of two forms: the rows of a law, for any grid and channel; or,
// for fields [n, x, times, 1], that the sum over x of weights[x] field[x, t] is to be rhs[i, t].
struct MassInfo {
  std::span<const double> weights = {};    // quadrature weights along the first axis of the field
  ArrayView<const double> rhs = {};        // b: [n, times]
  const LinearConstraints* law = nullptr;  // instead of both; must outlive the call

  [[nodiscard]] bool empty() const { return weights.empty() && law == nullptr; }
};

struct MetricInput {
  ArrayView<const double> mean;      // [n, axes..., channels]
  ArrayView<const double> variance;  // the same shape; may be left empty for metrics that do not use it
  ArrayView<const double> truth;     // the same shape
  MassInfo mass;                     // may be left empty for metrics that do not use it
};

struct MetricResult {
  double value = 0;
  // One value per sample. Their mean is `value`, unless the metric's file says otherwise.
  std::vector<double> per_sample;
};

struct MetricInfo {
  const char* name;
  bool uses_variance;
  bool uses_mass;
  const char* summary;
  MetricResult (*function)(const MetricInput&);
};

namespace metrics {
#define NOUQ_METRIC(name, uses_variance, uses_mass, summary) MetricResult name(const MetricInput& input);
#include "metrics/metrics.def"
#undef NOUQ_METRIC
}  // namespace metrics

std::span<const MetricInfo> all_metrics();
// Throws for an unknown name and says the nearest valid one.
const MetricInfo& find_metric(std::string_view name);
MetricResult evaluate_metric(std::string_view name, const MetricInput& input);

}  // namespace nouq
