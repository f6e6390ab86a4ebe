// The metrics, by name.
#include <nouq/metrics.h>

#include "arrays.h"
#include "module.h"

namespace nouq::python {
namespace {

py::tuple evaluate(const std::string& name, const py::object& mean, const py::object& variance,
                   const py::object& truth, const py::object& weights, const py::object& values) {
  const Numbers m("mean", mean), v("variance", variance), u("truth", truth), w("weights", weights),
      b("values", values);
  MetricValue result;
  {
    const py::gil_scoped_release free;
    result = metric(name, {m.input(), {}, u.input(), w.input(), b.input(), v.input()});
  }
  const auto count = std::ssize(result.per_sample);
  return py::make_tuple(result.value, to_numpy(Array<double>({count}, result.per_sample)));
}

py::list list_metrics() {
  py::list list;
  for (const MetricInfo& info : metric_list())
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
