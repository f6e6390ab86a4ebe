// How good a predicted mean and standard deviation are, against the truth.
//
// When: `metric("nll", {mean, deviation, truth})`; metric_names() lists what there is.
// Contract: all arrays are [samples, axes..., channels] and of one shape, finite; computed in double.
#pragma once

#include <string>
#include <vector>

#include <nouq/error.h>
#include <nouq/export.h>
#include <nouq/strided.h>

namespace nouq {

struct MetricFields {
  Input mean;
  Input deviation;  // may be absent for metrics that judge the mean alone
  Input truth;
  // Of the conservation error only: quadrature weights along the first axis, and the right values of the
  // sums, [samples, times].
  Input weights;
  Input values;
};

struct MetricValue {
  double value = 0;
  std::vector<double> per_sample;
};

NOUQ_API std::vector<std::string> metric_names();
// Throws for an unknown name and says the nearest valid one.
NOUQ_API MetricValue metric(const std::string& name, const MetricFields& fields);

}  // namespace nouq
