#include <nouq/metrics.h>

#include "api/strided_copy.h"
#include "core/error.h"
#include "metrics/detail.h"
#include "metrics/metric.h"

namespace nouq {

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const MetricInfo& info : all_metrics()) names.emplace_back(info.name);
  return names;
}

std::vector<MetricInfo> metric_list() { return {all_metrics().begin(), all_metrics().end()}; }

void check_fields(const MetricInput& input, const std::string& what) {
  metrics::detail::check_input(input, what, !input.variance.empty(), !input.mass.empty());
}

MetricValue metric(const std::string& name, const MetricFields& fields) {
  const MetricInfo& info = find_metric(name);
  const auto optional = [](const char* what, const Input& input) {
    return input.data == nullptr ? Array<double>() : to_array(what, input);
  };
  const Array<double> mean = to_array("mean", fields.mean), truth = to_array("truth", fields.truth);
  require(fields.deviation.data == nullptr || fields.variance.data == nullptr,
          "metric {}: a deviation and a variance are given, expected one of them", name);
  const Array<double> variance = fields.deviation.data == nullptr ? optional("variance", fields.variance)
                                                                  : to_variance(fields.deviation);
  const Array<double> weights = optional("weights", fields.weights);
  const Array<double> values = optional("values", fields.values);
  const MetricResult result =
      info.function({mean.view(), variance.view(), truth.view(), {weights.span(), values.view()}});
  return {result.value, result.per_sample};
}

}  // namespace nouq
