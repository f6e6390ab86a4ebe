#include <algorithm>
#include <mutex>

#include <nouq/network.h>

#include "api/shared_model.h"
#include "core/error.h"
#include "nn/network.h"

namespace nouq {
namespace {

std::vector<float> flat_weights(const NetworkOptions& options,
                                const std::map<std::string, Array<float>>& tensors) {
  const ParameterLayout layout(options);
  std::vector<float> weights(layout.size());
  for (const Tensor& tensor : layout.tensors()) {
    const auto found = tensors.find(tensor.name);
    require(found != tensors.end(), "the tensor '{}' is missing", tensor.name);
    const Array<float>& values = found->second;
    require(values.shape() == tensor.shape, "the tensor '{}' has shape {}: expected {}", tensor.name,
            to_string(values.shape()), to_string(tensor.shape));
    std::copy(values.begin(), values.end(), weights.begin() + tensor.offset);
  }
  require(tensors.size() == layout.tensors().size(), "{} tensors given: the network has {}", tensors.size(),
          layout.tensors().size());
  return weights;
}

}  // namespace

struct FixedNetwork::Parts {
  NetworkOptions options;
  std::vector<float> weights;
  std::mutex mutex = {};
  std::unique_ptr<Network<float>> network = {};  // of the last grid
  int threads = 1;
};

FixedNetwork::FixedNetwork(const NetworkOptions& options, const std::map<std::string, Array<float>>& tensors)
    : parts_(new Parts{options, flat_weights(options, tensors)}) {}

FixedNetwork::~FixedNetwork() = default;

const NetworkOptions& FixedNetwork::options() const { return parts_->options; }

std::map<std::string, Array<float>> FixedNetwork::tensors() const {
  std::map<std::string, Array<float>> tensors;
  const ParameterLayout layout(parts_->options);
  for (const Tensor& tensor : layout.tensors()) {
    const auto begin = parts_->weights.begin() + tensor.offset;
    tensors.emplace(tensor.name, Array<float>(tensor.shape, begin, begin + tensor.size()));
  }
  return tensors;
}

Array<float> FixedNetwork::run(const Array<float>& inputs, int threads) {
  const NetworkOptions& options = parts_->options;
  const auto axes = static_cast<std::size_t>(options.axes());
  require(
      inputs.rank() == axes + 2 && inputs.shape().back() == options.input_channels && inputs.extent(0) >= 1,
      "x of shape {}: expected [samples, {} axes, {} channels]", to_string(inputs.shape()), axes,
      options.input_channels);
  Shape shape = inputs.shape();
  shape.back() = options.outputs;
  Array<float> outputs(shape);
  const std::lock_guard lock(parts_->mutex);
  const Shape grid(shape.begin() + 1, shape.end() - 1);
  auto& network = parts_->network;
  if (!network || network->grid() != grid || parts_->threads != threads) {
    network = std::make_unique<Network<float>>(options, grid, threads);
    parts_->threads = threads;
  }
  network->predict(parts_->weights.data(), inputs.data(), inputs.extent(0), outputs.data());
  return outputs;
}

Model FixedNetwork::model(const Grid& grid) const {
  const NetworkOptions& options = parts_->options;
  Surrogate s;
  s.network = options;
  s.grid = grid;
  for (Index c = 0; c < options.input_channels; ++c)
    s.input_channels.push_back({options.input_channels == 1 ? "a" : fmt::format("a{}", c), ""});
  s.output_channels = {{"u", ""}};
  s.weights = {parts_->weights};
  s.facts["origin"] = "weights made elsewhere";
  if (options.outputs > 1) {
    require(!options.head_bias, "a network of {} outputs with a bias: expected heads without, or one output",
            options.outputs);
    s.method = "diverse";
  } else {
    s.method = "bayesian";
    s.state["laplace.covariance"] = Array<double>({1, options.features + 1});
    s.state["laplace.noise"] = Array<double>({1});
    s.state["laplace.add_noise"] = number(0);
    s.facts["uncertainty"] = "none: a single network without a fitted last layer";
    require(options.head_bias, "a network of one output without a bias: expected one with");
  }
  return Model(std::make_shared<SharedModel>(std::move(s)));
}

}  // namespace nouq
