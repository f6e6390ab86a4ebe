// How good a predicted mean and standard deviation are, against the truth; and metrics of one's own.
//
// When: `metric("nll", {mean, deviation, truth})`; metric_names() lists what there is. A metric of one's own
// is a function of the checked arrays and a line that says what it means:
//
//   nouq::register_metric({"largest_error", false, false, "largest error of the mean",
//                          [](const nouq::MetricInput& in) { ... return nouq::MetricResult{...}; }});
//
// evaluate() and the tool then know it like the others. Contract: all arrays are [samples, axes..., channels]
// and of one shape, finite; computed in double. Notation in the library's own files: sample i of n, grid
// point j of J, mean mu, variance v, sigma = sqrt v, truth u.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <nouq/array.h>
#include <nouq/error.h>
#include <nouq/export.h>
#include <nouq/strided.h>

namespace nouq {

struct MetricFields {
  Input mean = {};
  Input deviation = {};  // may be absent for metrics that judge the mean alone
  Input truth = {};
  // Of the conservation error only: quadrature weights along the first axis, and the right values of the
  // sums, [samples, times].
  Input weights = {};
  Input values = {};
  Input variance = {};  // instead of the deviation
};

struct MetricValue {
  double value = 0;
  std::vector<double> per_sample;
};

NOUQ_API std::vector<std::string> metric_names();
// Throws for an unknown name and says the nearest valid one.
NOUQ_API MetricValue metric(const std::string& name, const MetricFields& fields);

// --- Metrics of one's own --------------------------------------------------------------------------------

struct LinearConstraints;

// What the conservation error needs, in one of two forms: the rows of a law, for any grid and channel; or,
// for fields [n, x, times, 1], that the sum over x of weights[x] field[x, t] is to be rhs[i, t].
struct MassInfo {
  std::span<const double> weights = {};    // quadrature weights along the first axis of the field
  ArrayView<const double> rhs = {};        // b: [n, times]
  const LinearConstraints* law = nullptr;  // instead of both: Constraints::equations(); must outlive the call

  [[nodiscard]] bool empty() const { return weights.empty() && law == nullptr; }
};

struct MetricInput {
  ArrayView<const double> mean;      // [n, axes..., channels]
  ArrayView<const double> variance;  // the same shape; may be left empty for metrics that do not use it
  ArrayView<const double> truth;     // the same shape
  MassInfo mass;                     // may be left empty for metrics that do not use it
  // Of each channel, the last extent, that relative errors of several are counted in; empty: as they are.
  std::span<const double> units = {};
};

struct MetricResult {
  double value = 0;
  // One value per sample. Their mean is `value`, unless the metric says otherwise.
  std::vector<double> per_sample;
};

struct MetricInfo {
  std::string name;
  bool uses_variance = false;
  bool uses_mass = false;
  std::string summary;
  std::function<MetricResult(const MetricInput&)> function;  // of input that has passed the checks above
};

// Throws when the name is taken. Register before first use, from one thread.
NOUQ_API void register_metric(MetricInfo metric);
// All of them, the built-in ones first.
NOUQ_API std::vector<MetricInfo> metric_list();
// Throws unless the arrays are as the contract above says, those that may be left out where they are given;
// `what` begins messages. Metrics check for themselves: this tells bad arrays from a metric that these errors
// do not define.
NOUQ_API void check_fields(const MetricInput& input, const std::string& what);

}  // namespace nouq
