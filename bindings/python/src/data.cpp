// Axes and data sets.
#include <nouq/data.h>

#include "arrays.h"
#include "module.h"

namespace nouq::python {
namespace {

std::vector<Channel> channels_of(const std::vector<std::string>& names, Index count, const char* standard) {
  std::vector<Channel> channels;
  for (const std::string& name : names) channels.push_back({name, ""});
  for (Index c = std::ssize(channels); names.empty() && c < count; ++c)
    channels.push_back({count == 1 ? standard : fmt::format("{}{}", standard, c), ""});
  return channels;
}

AxisKind axis_kind_of(bool periodic, const std::string& kind) {
  if (kind.empty()) return periodic ? AxisKind::periodic : AxisKind::points;
  const AxisKind known = axis_kind_from_name(kind);
  require(!periodic || known == AxisKind::periodic, "kind = '{}' contradicts periodic=True: give one", kind);
  return known;
}

std::vector<std::string> names_of(const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  for (const Channel& channel : channels) names.push_back(channel.name);
  return names;
}

// Points 0 to 1 along axes called x, y, z, or x and t when there are two.
Grid standard_grid(const Shape& shape) {
  static const std::vector<std::vector<std::string>> names = {{"x"}, {"x", "t"}, {"x", "y", "t"}};
  Grid grid;
  require(shape.size() >= 3 && shape.size() <= 5,
          "inputs of shape {}: expected [samples, one to three axes, channels]", to_string(shape));
  for (std::size_t a = 1; a + 1 < shape.size(); ++a)
    grid.push_back({names[shape.size() - 3][a - 1], "", linspace(0, 1, shape[a])});
  return grid;
}

// [samples, parameters]; one parameter per sample may come without the second extent.
Array<double> parameter_table(const py::object& parameters) {
  Array<double> values = to_array<double>("parameters", parameters);
  require((values.rank() == 1 || values.rank() == 2) && !values.empty(),
          "parameters has shape {}, expected [samples, parameters], none of them zero",
          to_string(values.shape()));
  if (values.rank() == 2) return values;
  return {{values.extent(0), 1}, values.begin(), values.end()};
}

py::tuple split_set(const DataSet& data, double train, double validation, double test, std::uint64_t seed) {
  DataSplit parts = split(data, {train, validation, test}, seed);
  py::tuple sets(3);
  DataSet* list[] = {&parts.train, &parts.validation, &parts.test};
  for (std::size_t i = 0; i < 3; ++i)
    sets[i] = list[i]->size() == 0 ? py::object(py::none()) : py::cast(std::move(*list[i]));
  return sets;
}

DataSet make_data_set(const py::object& inputs, const py::object& outputs, std::optional<Grid> grid,
                      const std::vector<std::string>& input_names,
                      const std::vector<std::string>& output_names, const py::object& parameters,
                      const std::vector<std::string>& parameter_names, const py::dict& constraint_values,
                      const std::map<std::string, std::pair<std::vector<std::string>, Index>>& laws,
                      const std::vector<std::pair<double, double>>& bounds) {
  DataSet data;
  data.inputs = to_array<float>("inputs", inputs);
  data.outputs = to_array<float>("outputs", outputs);
  data.grid = grid ? std::move(*grid) : standard_grid(data.inputs.shape());
  require(data.inputs.rank() > 0 && data.outputs.rank() > 0, "inputs and outputs must be arrays");
  data.input_channels = channels_of(input_names, data.inputs.shape().back(), "a");
  data.output_channels = channels_of(output_names, data.outputs.shape().back(), "u");
  require(parameter_names.empty() || !parameters.is_none(),
          "parameter_names names {} parameters, but there are no parameters", parameter_names.size());
  if (!parameters.is_none()) {
    data.parameters = parameter_table(parameters);
    data.parameter_names = channels_of(parameter_names, data.parameters.shape().back(), "parameter");
  }
  for (const auto& [name, values] : constraint_values)
    data.constraint_values[name.cast<std::string>()] =
        to_array<double>("constraint_values", py::reinterpret_borrow<py::object>(values));
  for (const auto& [name, law] : laws) data.laws[name] = {law.first, law.second};
  for (const auto& [lower, upper] : bounds) data.bounds.push_back({lower, upper});
  validate(data, "arrays");
  return data;
}

py::dict constraint_values(const DataSet& data) {
  py::dict values;
  for (const auto& [name, array] : data.constraint_values) values[py::str(name)] = to_numpy(array);
  return values;
}

// A view of the set's own numbers; the set stays alive with it.
py::array field_view(const py::object& self, const Array<float>& field) {
  py::array view(py::dtype::of<float>(), field.shape(), field.data(), self);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

}  // namespace

void bind_data(py::module_& module) {
  py::class_<Axis>(
      module, "Axis",
      "One axis of a grid: its name, unit, coordinates and kind ('points', 'cells' or 'periodic').")
      .def(py::init([](std::string name, const py::object& coordinates, std::string unit, bool periodic,
                       const std::string& kind) {
             const Array<double> values = to_array<double>("coordinates", coordinates);
             return Axis{std::move(name),
                         std::move(unit),
                         {values.begin(), values.end()},
                         axis_kind_of(periodic, kind)};
           }),
           py::arg("name"), py::arg("coordinates"), py::arg("unit") = "", py::arg("periodic") = false,
           py::arg("kind") = "")
      .def_readonly("name", &Axis::name)
      .def_readonly("unit", &Axis::unit)
      .def_property_readonly("periodic", &Axis::periodic)
      .def_property_readonly("kind", [](const Axis& axis) { return name(axis.kind); })
      .def_property_readonly(
          "coordinates",
          [](const Axis& axis) { return to_numpy(Array<double>({axis.size()}, axis.coordinates)); })
      .def("__len__", [](const Axis& axis) { return axis.coordinates.size(); })
      .def("__eq__", [](const Axis& a, const Axis& b) { return a == b; })
      .def("__repr__", [](const Axis& axis) {
        return fmt::format("Axis('{}', {} points from {} to {})", axis.name, axis.size(),
                           axis.coordinates.empty() ? 0.0 : axis.coordinates.front(),
                           axis.coordinates.empty() ? 0.0 : axis.coordinates.back());
      });

  py::class_<DataSet>(module, "DataSet", R"(Pairs of input and output fields on one grid.

inputs and outputs are [samples, axes..., channels]. constraint_values are right-hand sides of conservation laws by
name, [samples, ...]; laws say what they are, as {name: ([axes that are integrated over], output channel)}, which
"mass" needs not where the last axis is t; bounds are (lower, upper) of each output channel.

>>> import numpy as np, nouq
>>> data = nouq.DataSet(np.ones((3, 16, 8, 1)), np.ones((3, 16, 8, 1)))
>>> len(data), [axis.name for axis in data.grid]
(3, ['x', 't'])
)")
      .def(py::init(&make_data_set), py::arg("inputs"), py::arg("outputs"), py::arg("grid") = py::none(),
           py::arg("input_names") = std::vector<std::string>{},
           py::arg("output_names") = std::vector<std::string>{}, py::arg("parameters") = py::none(),
           py::arg("parameter_names") = std::vector<std::string>{}, py::arg("constraint_values") = py::dict(),
           py::arg("laws") = py::dict(), py::arg("bounds") = py::list())
      .def_static(
          "load", [](const std::string& path) { return read(path); }, py::arg("path"),
          py::call_guard<py::gil_scoped_release>(), "Reads NPZ, HDF5 or one of PDEBench's layouts.")
      .def(
          "save", [](const DataSet& data, const std::string& path) { write(path, data); }, py::arg("path"),
          py::call_guard<py::gil_scoped_release>(), "Writes .npz, .h5 or .hdf5.")
      .def("select", &select, py::arg("samples"), "The samples with the given indices.")
      .def("split", &split_set, py::arg("train") = 0.8, py::arg("validation") = 0.2, py::arg("test") = 0.0,
           py::arg("seed") = 0, "(training, validation, test) sets; None for a part without samples.")
      .def_property_readonly(
          "inputs",
          [](const py::object& self) { return field_view(self, self.cast<const DataSet&>().inputs); })
      .def_property_readonly(
          "outputs",
          [](const py::object& self) { return field_view(self, self.cast<const DataSet&>().outputs); })
      .def_property_readonly(
          "parameters",
          [](const DataSet& data) {
            return to_numpy(data.parameters.empty() ? Array<double>({data.size(), 0}) : data.parameters);
          })
      .def_property_readonly("constraint_values", &constraint_values)
      .def_property_readonly(
          "laws",
          [](const DataSet& data) {
            std::map<std::string, std::pair<std::vector<std::string>, Index>> laws;
            for (const auto& [name, law] : laws_of(data)) laws[name] = {law.axes, law.channel};
            return laws;
          },
          "Conservation laws by the name of their values: the axes that are integrated over, and the channel.")
      .def_property_readonly(
          "bounds",
          [](const DataSet& data) {
            std::vector<std::pair<double, double>> bounds;
            for (const Bounds& b : data.bounds) bounds.emplace_back(b.lower, b.upper);
            return bounds;
          },
          "(lower, upper) of each output channel, or nothing.")
      .def_property_readonly("input_names", [](const DataSet& d) { return names_of(d.input_channels); })
      .def_property_readonly("output_names", [](const DataSet& d) { return names_of(d.output_channels); })
      .def_property_readonly("parameter_names", [](const DataSet& d) { return names_of(d.parameter_names); })
      .def_readonly("grid", &DataSet::grid)
      .def_readonly("provenance", &DataSet::provenance)
      .def("__len__", &DataSet::size)
      .def("__repr__", [](const DataSet& data) {
        return fmt::format("DataSet({} samples, inputs {}, outputs {})", data.size(),
                           to_string(data.inputs.shape()), to_string(data.outputs.shape()));
      });
}

}  // namespace nouq::python
