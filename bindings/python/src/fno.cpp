// A bare Fourier neural operator: given weights, run.
#include <nouq/network.h>

#include "arrays.h"
#include "module.h"

namespace nouq::python {
namespace {

using Tensors = std::map<std::string, py::object>;

std::unique_ptr<FixedNetwork> network_of(const Tensors& tensors, const NetworkOptions& options) {
  std::map<std::string, Array<float>> arrays;
  for (const auto& [name, values] : tensors) arrays.emplace(name, to_array<float>(name.c_str(), values));
  return std::make_unique<FixedNetwork>(options, arrays);
}

py::array_t<float> run(FixedNetwork& network, const py::object& x, int threads) {
  const Array<float> inputs = to_array<float>("x", x);
  Array<float> outputs;
  {
    const py::gil_scoped_release free;
    outputs = network.run(inputs, threads);
  }
  return to_numpy(std::move(outputs));
}

py::dict tensors_of(const FixedNetwork& network) {
  py::dict result;
  for (auto& [name, values] : network.tensors()) result[py::str(name)] = to_numpy(Array<float>(values));
  return result;
}

}  // namespace

void bind_fno(py::module_& module) {
  py::class_<FixedNetwork>(module, "Fno")
      .def(py::init([](const Tensors& tensors, Index input_channels, Index outputs, std::vector<Index> modes,
                       const std::vector<Index>& padding, Index width, Index blocks, Index features,
                       bool head_bias) {
             NetworkOptions options;
             options.input_channels = input_channels;
             options.outputs = outputs;
             options.modes = std::move(modes);
             options.padding.clear();
             for (const Index points : padding) options.padding.push_back({points, std::nullopt});
             options.width = width;
             options.blocks = blocks;
             options.features = features;
             options.head_bias = head_bias;
             return network_of(tensors, options);
           }),
           py::arg("tensors"), py::arg("input_channels"), py::arg("outputs"), py::arg("modes"),
           py::arg("padding"), py::arg("width"), py::arg("blocks"), py::arg("features"), py::arg("head_bias"))
      .def("__call__", &run, py::arg("x"), py::arg("threads") = 1)
      .def("model", &FixedNetwork::model, py::arg("grid"))
      .def_property_readonly("tensors", &tensors_of)
      .def_property_readonly("width", [](const FixedNetwork& fno) { return fno.options().width; })
      .def_property_readonly("modes", [](const FixedNetwork& fno) { return fno.options().modes; })
      .def_property_readonly("outputs", [](const FixedNetwork& fno) { return fno.options().outputs; });
}

}  // namespace nouq::python
