// The smallest surrogate of every method: two channels in, one out, on a 4 x 3 grid; with every member set.
#pragma once

#include <nouq/random.h>

#include "nn/parameters.h"
#include "uq/surrogate.h"

namespace nouq::test {

inline Array<double> random_array(Shape shape, std::uint64_t index) {
  Array<double> values(std::move(shape));
  const Stream stream(9, Purpose::tests, index);
  for (Index i = 0; i < values.size(); ++i) values[i] = stream.uniform(static_cast<std::uint64_t>(i));
  return values;
}

inline Surrogate without_networks(const std::string& method) {
  Surrogate s;
  s.method = method;
  s.network.input_channels = 2;
  s.network.width = 2;
  s.network.modes = {1, 1};
  s.network.padding = {{0, std::nullopt}, {4, 0.5}};
  s.network.blocks = 1;
  s.network.features = 2;
  s.grid = {{"x", "m", linspace(0.0, 1.0, 4), AxisKind::periodic}, {"t", "s", linspace(0.0, 0.3, 3)}};
  s.input_channels = {{"permeability", "m²"}, {"initial value", ""}};
  s.output_channels = {{"u", "K"}};
  s.parameter_names = {{"m", "1"}};
  s.parameter_range = Array<double>({1, 2}, {0.1, 2.7});
  s.input_range = Array<double>({2, 2}, {-0.0, 1.0, 0.5, 1e300});
  s.input_normalisation = Normalisation({0.1, 0.2}, {1.5, 2.5});
  s.output_normalisation = Normalisation({0.3}, {0.7});
  s.history["network.0"] = random_array({2, 3}, 1);
  s.state["calibration.scale"] = Array<double>({}, 1.25);
  s.facts = {{"data.problem", "pme"}, {"note", "δ \"quoted\"\n\"crc64\":\"0000000000000000\""}, {"", ""}};
  return s;
}

// What makes a surrogate one of its method.
inline void set_method(Surrogate& s) {
  if (s.method == "diverse") {
    s.network.outputs = 3;
    s.network.head_bias = false;
  }
  if (s.method == "variance") s.network.outputs = 2;
  if (s.method == "dropout") {
    s.network.dropout = 0.3;
    s.state["dropout.masks"] = number(4);
    s.state["dropout.seed"] = number(1);
  }
  if (s.method == "bayesian") {
    s.state["laplace.covariance"] = random_array({1, 3}, 2);
    s.state["laplace.prior_precision"] = number(0.5);
    s.state["laplace.noise"] = number(0.25);
    s.state["laplace.add_noise"] = number(1);
  }
}

inline Surrogate tiny_surrogate(const std::string& method) {
  Surrogate s = without_networks(method);
  set_method(s);
  const ParameterLayout layout(s.network);
  for (std::uint64_t k = 0; k < (method == "ensemble" ? 3U : 1U); ++k) {
    s.weights.emplace_back(static_cast<std::size_t>(layout.size()));
    initialise(layout, k, s.weights.back().data());
  }
  return s;
}

// Inputs to predict from: [samples, 4, 3, 2].
inline Array<float> tiny_inputs(Index samples) {
  Array<float> inputs({samples, 4, 3, 2});
  const Array<double> values = random_array(inputs.shape(), 3);
  std::copy(values.begin(), values.end(), inputs.begin());
  return inputs;
}

}  // namespace nouq::test
