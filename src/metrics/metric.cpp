// Turns metrics.def into the checked functions, the list and the look-up by name; and does the checking.
#include "metrics/metric.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/names.h"
#include "metrics/detail.h"

namespace nouq {
namespace metrics {
namespace detail {
namespace {

// Which sample the element belongs to, and where in the sample it is.
std::string place_of(const ArrayView<const double>& array, Index element) {
  const Index points = array.size() / array.extent(0);
  return fmt::format("sample {}, element {}", element / points, element % points);
}

// Words for a place are made only when there is something to say of it: these loops run over every value.
template <class Condition>
void check_each(const ArrayView<const double>& array, std::string_view metric, std::string_view name,
                Condition holds, std::string_view expected) {
  for (Index i = 0; i < array.size(); ++i) {
    if (!holds(array[i])) [[unlikely]] {
      fail("{}: {} is {} at {}, expected {}", metric, name, array[i], place_of(array, i), expected);
    }
  }
}

void check_finite(const ArrayView<const double>& array, std::string_view metric, std::string_view name) {
  check_each(
      array, metric, name, [](double value) { return std::isfinite(value); }, "a finite number");
}

void check_like(const ArrayView<const double>& array, const ArrayView<const double>& mean,
                std::string_view metric, std::string_view name) {
  require(array.shape() == mean.shape(), "{}: {} has shape {}, expected that of mean, {}", metric, name,
          to_string(array.shape()), to_string(mean.shape()));
  check_finite(array, metric, name);
}

void check_mass(const MetricInput& input, std::string_view metric) {
  const Shape& shape = input.mean.shape();
  if (input.mass.law != nullptr) {
    require(input.mass.law->rows() > 0, "{}: the law has no rows", metric);
    return validate(*input.mass.law, input.mean.size() / shape[0], shape[0]);
  }
  const auto& weights = input.mass.weights;
  const auto& rhs = input.mass.rhs;
  require(shape.size() >= 3, "{}: mean has shape {}, expected [samples, x, times, ...]", metric,
          to_string(shape));
  require(element_count(std::span(shape).subspan(3)) == 1,
          "{}: mean has shape {}, expected one channel after [samples, x, times]", metric, to_string(shape));
  require(std::ssize(weights) == shape[1], "{}: {} mass weights for {} points along x", metric,
          weights.size(), shape[1]);
  const Shape expected = {shape[0], shape[2]};
  require(rhs.shape() == expected, "{}: mass right-hand side has shape {}, expected [samples, times] = {}",
          metric, to_string(rhs.shape()), to_string(expected));
  check_finite(rhs, metric, "mass right-hand side");
  for (const double weight : weights)
    require(std::isfinite(weight), "{}: a mass weight is {}", metric, weight);
}

}  // namespace

void check_input(const MetricInput& input, std::string_view metric, bool uses_variance, bool uses_mass) {
  require(input.mean.rank() >= 1 && !input.mean.empty(),
          "{}: mean has shape {}, expected at least one sample with at least one value", metric,
          to_string(input.mean.shape()));
  check_finite(input.mean, metric, "mean");
  check_like(input.truth, input.mean, metric, "truth");
  if (uses_variance) {
    check_like(input.variance, input.mean, metric, "variance");
    check_each(
        input.variance, metric, "variance", [](double value) { return value >= 0; }, "none below zero");
  }
  if (uses_mass) check_mass(input, metric);
}

}  // namespace detail

#define NOUQ_METRIC(name, uses_variance, uses_mass, summary)     \
  MetricResult name(const MetricInput& input) {                  \
    detail::check_input(input, #name, uses_variance, uses_mass); \
    return detail::name(input);                                  \
  }
#include "metrics/metrics.def"
#undef NOUQ_METRIC

}  // namespace metrics

namespace {

std::deque<MetricInfo>& entries() {
  static std::deque<MetricInfo> all = {
#define NOUQ_METRIC(name, uses_variance, uses_mass, summary) \
  {#name, uses_variance, uses_mass, summary, metrics::name},
#include "metrics/metrics.def"
#undef NOUQ_METRIC
  };
  return all;
}

const MetricInfo* find(std::string_view name) { return find_named(entries(), name); }

}  // namespace

const std::deque<MetricInfo>& all_metrics() { return entries(); }

const MetricInfo& find_metric(std::string_view name) {
  if (const MetricInfo* metric = find(name)) return *metric;
  std::vector<std::string> names;
  for (const MetricInfo& metric : entries()) names.push_back(metric.name);
  fail_unknown_name("metric", name, names);
}

void register_metric(MetricInfo metric) {
  require(!metric.name.empty() && metric.function != nullptr, "a metric needs a name and a function");
  require(find(metric.name) == nullptr, "metric '{}' is there already: choose another name", metric.name);
  metric.function = [name = metric.name, variance = metric.uses_variance, mass = metric.uses_mass,
                     function = std::move(metric.function)](const MetricInput& input) {
    metrics::detail::check_input(input, name, variance, mass);
    return function(input);
  };
  entries().push_back(std::move(metric));
}

MetricResult evaluate_metric(std::string_view name, const MetricInput& input) {
  return find_metric(name).function(input);
}

}  // namespace nouq
