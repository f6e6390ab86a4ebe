// A bare Fourier neural operator: given weights, run.
#include <mutex>

#include "api/shared_model.h"
#include "arrays.h"
#include "module.h"
#include "nn/network.h"

namespace nouq::python {
namespace {

// Keeps the network of the last grid it was asked on.
class Fno {
 public:
  Fno(NetworkOptions options, const std::map<std::string, py::object>& tensors)
      : options_(std::move(options)) {
    const ParameterLayout layout(options_);
    weights_.resize(layout.size());
    for (const Tensor& tensor : layout.tensors()) {
      const auto found = tensors.find(tensor.name);
      require(found != tensors.end(), "the tensor '{}' is missing", tensor.name);
      const Array<float> values = to_array<float>(tensor.name.c_str(), found->second);
      require(values.shape() == tensor.shape, "the tensor '{}' has shape {}: expected {}", tensor.name,
              to_string(values.shape()), to_string(tensor.shape));
      std::copy(values.begin(), values.end(), weights_.begin() + tensor.offset);
    }
    require(tensors.size() == layout.tensors().size(), "{} tensors given: the network has {}", tensors.size(),
            layout.tensors().size());
  }

  py::array_t<float> run(const py::object& x, int threads) {
    const Array<float> inputs = to_array<float>("x", x);
    const std::size_t axes = options_.axes();
    require(inputs.rank() == axes + 2 && inputs.shape().back() == options_.input_channels &&
                inputs.extent(0) >= 1,
            "x of shape {}: expected [samples, {} axes, {} channels]", to_string(inputs.shape()), axes,
            options_.input_channels);
    Shape shape = inputs.shape();
    shape.back() = options_.outputs;
    Array<float> outputs(shape);
    {
      const py::gil_scoped_release free;
      const std::lock_guard lock(mutex_);
      const Shape grid(shape.begin() + 1, shape.end() - 1);
      if (!network_ || network_->grid() != grid || threads_ != threads) {
        network_ = std::make_unique<Network<float>>(options_, grid, threads);
        threads_ = threads;
      }
      network_->predict(weights_.data(), inputs.data(), inputs.extent(0), outputs.data());
    }
    return to_numpy(std::move(outputs));
  }

  // Heads without bias are those of a diverse network; a single output has no uncertainty of its own, which
  // is a Gaussian over the last layer without spread.
  [[nodiscard]] Model model(const Grid& grid) const {
    Surrogate s;
    s.network = options_;
    s.grid = grid;
    for (Index c = 0; c < options_.input_channels; ++c)
      s.input_channels.push_back({options_.input_channels == 1 ? "a" : fmt::format("a{}", c), ""});
    s.output_channels = {{"u", ""}};
    s.weights = {weights_};
    s.facts["origin"] = "weights made elsewhere";
    if (options_.outputs > 1) {
      require(!options_.head_bias,
              "a network of {} outputs with a bias: expected heads without, or one output", options_.outputs);
      s.method = "diverse";
    } else {
      s.method = "bayesian";
      s.state["laplace.covariance"] = Array<double>({1, options_.features + 1});
      s.state["laplace.noise"] = Array<double>({1});
      s.state["laplace.add_noise"] = number(0);
      s.facts["uncertainty"] = "none: a single network without a fitted last layer";
      require(options_.head_bias, "a network of one output without a bias: expected one with");
    }
    return Model(std::make_shared<SharedModel>(std::move(s)));
  }

  [[nodiscard]] const NetworkOptions& options() const { return options_; }
  [[nodiscard]] py::dict tensors() const {
    py::dict result;
    const ParameterLayout layout(options_);
    for (const Tensor& tensor : layout.tensors()) {
      const auto begin = weights_.begin() + tensor.offset;
      result[py::str(tensor.name)] =
          to_numpy(Array<float>(tensor.shape, std::vector<float>(begin, begin + tensor.size())));
    }
    return result;
  }

 private:
  NetworkOptions options_;
  std::vector<float> weights_;
  std::mutex mutex_;
  std::unique_ptr<Network<float>> network_;
  int threads_ = 1;
};

}  // namespace

void bind_fno(py::module_& module) {
  py::class_<Fno>(module, "Fno")
      .def(py::init([](const std::map<std::string, py::object>& tensors, Index input_channels, Index outputs,
                       std::vector<Index> modes, const std::vector<Index>& padding, Index width, Index blocks,
                       Index features, bool head_bias) {
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
             return std::make_unique<Fno>(options, tensors);
           }),
           py::arg("tensors"), py::arg("input_channels"), py::arg("outputs"), py::arg("modes"),
           py::arg("padding"), py::arg("width"), py::arg("blocks"), py::arg("features"), py::arg("head_bias"))
      .def("__call__", &Fno::run, py::arg("x"), py::arg("threads") = 1)
      .def("model", &Fno::model, py::arg("grid"))
      .def_property_readonly("tensors", &Fno::tensors)
      .def_property_readonly("width", [](const Fno& fno) { return fno.options().width; })
      .def_property_readonly("modes", [](const Fno& fno) { return fno.options().modes; })
      .def_property_readonly("outputs", [](const Fno& fno) { return fno.options().outputs; });
}

}  // namespace nouq::python
