// Conservation laws and the projection onto them.
#include <deque>

#include <nouq/project.h>

#include "arrays.h"
#include "module.h"

namespace nouq::python {
namespace {

// Arrays by name, kept alive while their numbers are read.
class Named {
 public:
  std::string add(const std::string& name, const py::object& values) {
    inputs_[name] = kept_.emplace_back(name.c_str(), values).input();
    return name;
  }
  [[nodiscard]] const NamedInputs& inputs() const { return inputs_; }

 private:
  std::deque<Numbers> kept_;
  NamedInputs inputs_;
};

bool is_list_of_texts(const py::object& value) {
  if (!py::isinstance<py::list>(value) && !py::isinstance<py::tuple>(value)) return false;
  const auto items = value.cast<py::sequence>();
  return py::len(items) > 0 && py::isinstance<py::str>(items[0]);
}

// A text, a list of texts, or numbers, which become an array of the setting's name.
Setting setting_of(const std::string& name, const py::object& value, Named& arrays) {
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (is_list_of_texts(value)) return value.cast<std::vector<std::string>>();
  if (py::isinstance<py::float_>(value) || py::isinstance<py::int_>(value)) return value.cast<double>();
  return arrays.add(name, value);
}

Constraints of_kind(const Grid& grid, Index channels, const std::string& kind, const py::dict& settings,
                    double noise_variance) {
  Named arrays;
  std::map<std::string, Setting> values;
  for (const auto& [key, value] : settings) {
    const auto name = key.cast<std::string>();
    values.emplace(name, setting_of(name, py::reinterpret_borrow<py::object>(value), arrays));
  }
  return Constraints::of_kind(fields_on(grid, channels), kind, values, arrays.inputs(), noise_variance);
}

Constraints from_toml(const Grid& grid, Index channels, const std::string& text, const py::dict& arrays,
                      double noise_variance) {
  Named named;
  for (const auto& [key, value] : arrays)
    named.add(key.cast<std::string>(), py::reinterpret_borrow<py::object>(value));
  return Constraints::from_toml(fields_on(grid, channels), text, named.inputs(), noise_variance);
}

Constraints law_of(const Model& model, const py::dict& values) {
  Named named;
  for (const auto& [key, value] : values)
    named.add(key.cast<std::string>(), py::reinterpret_borrow<py::object>(value));
  return Constraints::of(model, named.inputs());
}

// What the keywords of conserve.project say; lower and upper are bounds, the others fields of ProjectOptions.
ProjectOptions options_of(const py::dict& keywords) {
  ProjectOptions options;
  const auto take = [&](const char* name, auto& field) {
    if (keywords.contains(name)) field = keywords[name].cast<std::decay_t<decltype(field)>>();
  };
  take("diagonal_share", options.diagonal_share);
  take("independent_axis", options.independent_axis);
  take("threads", options.threads);
  take("preset", options.preset);
  take("noise_variance", options.noise_variance);
  take("sigma_power", options.sigma_power);
  take("bounded", options.bounded);
  take("fixed_variance", options.fixed_variance);
  take("variance_update", options.variance_update);
  take("smooth_axis", options.smooth_axis);
  take("smooth_correlation", options.smooth_correlation);
  return options;
}

// Memory for a result of the shape of its input.
struct Result {
  explicit Result(const Numbers& like) {
    if (like.given()) array = py::array_t<double>(like.shape());
  }
  [[nodiscard]] Output output() {
    if (!array) return {};
    const Shape shape(array->shape(), array->shape() + array->ndim());
    return {array->mutable_data(), Layout(shape, Order::row_major)};
  }
  std::optional<py::array_t<double>> array;
};

py::tuple project_fields(const py::object& mean, const py::object& variance, const py::object& samples,
                         const Constraints& constraints, const py::object& lower, const py::object& upper,
                         const py::dict& keywords) {
  const Numbers m("mean", mean), v("variance", variance), s("samples", samples);
  const Numbers low("lower", lower), high("upper", upper);
  ProjectOptions options = options_of(keywords);
  options.lower_bounds = low.input();
  options.upper_bounds = high.input();
  Result new_mean(m), new_variance(v), new_samples(s);
  const ProjectOutputs outputs{new_mean.output(), {}, new_samples.output(), new_variance.output()};
  {
    const py::gil_scoped_release free;
    project(constraints, {m.input(), {}, s.input(), v.input()}, outputs, options);
  }
  const auto made = [](const Result& r) { return r.array ? py::object(*r.array) : py::object(py::none()); };
  return py::make_tuple(made(new_mean), made(new_variance), made(new_samples));
}

}  // namespace

void bind_conserve(py::module_& module) {
  py::class_<Constraints>(module, "Constraints", "Linear laws G u = b, and bounds, on the fields of a grid.")
      .def_property_readonly("rows", &Constraints::rows)
      .def_property_readonly("names", &Constraints::names)
      .def_property_readonly("noise_variances", &Constraints::noise_variances)
      .def_property_readonly("has_bounds", &Constraints::has_bounds)
      .def_property_readonly("grid", [](const Constraints& law) { return law.grid(); })
      .def("__repr__", [](const Constraints& law) {
        return fmt::format("Constraints({} rows{})", law.rows(), law.has_bounds() ? ", bounds" : "");
      });
  module.def("constraint", &of_kind, py::arg("grid"), py::arg("channels"), py::arg("kind"),
             py::arg("settings"), py::arg("noise_variance"));
  module.def("constraints_from_toml", &from_toml, py::arg("grid"), py::arg("channels"), py::arg("text"),
             py::arg("arrays"), py::arg("noise_variance"));
  module.def("law_of", &law_of, py::arg("model"), py::arg("values"));
  module.def("stack", &Constraints::together, py::arg("constraints"));
  module.def("project", &project_fields, py::arg("mean"), py::arg("variance"), py::arg("samples"),
             py::arg("constraints"), py::arg("lower"), py::arg("upper"), py::arg("options"));
}

}  // namespace nouq::python
