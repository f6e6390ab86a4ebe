// The metrics, by name.
#include "arrays.h"
#include "metrics/metric.h"
#include "module.h"

namespace nouq::python {
namespace {

py::tuple evaluate(const std::string& name, const py::object& mean, const py::object& variance,
                   const py::object& truth, const py::object& weights, const py::object& values) {
  const Array<double> m = to_array<double>("mean", mean), v = to_array<double>("variance", variance),
                      u = to_array<double>("truth", truth), w = to_array<double>("weights", weights),
                      b = to_array<double>("values", values);
  MetricResult result;
  {
    const py::gil_scoped_release free;
    result = evaluate_metric(name, {m.view(), v.view(), u.view(), {w.span(), b.view()}});
  }
  const auto count = static_cast<Index>(result.per_sample.size());
  return py::make_tuple(result.value, to_numpy(Array<double>({count}, result.per_sample)));
}

py::list list_metrics() {
  py::list list;
  for (const MetricInfo& info : all_metrics())
    list.append(py::make_tuple(info.name, info.uses_variance, info.uses_mass, info.summary));
  return list;
}

}  // namespace

void bind_metrics(py::module_& module) {
  module.def("list_metrics", &list_metrics);
  module.def("metric", &evaluate, py::arg("name"), py::arg("mean"), py::arg("variance"), py::arg("truth"),
             py::arg("weights"), py::arg("values"));
}

}  // namespace nouq::python
