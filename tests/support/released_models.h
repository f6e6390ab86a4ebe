// The authors' two golden networks as surrogates, and what C++ predicts with them.
#pragma once

#include "support/released.h"
#include "uq/predictor.h"

namespace nouq::test {

inline Surrogate released_model(const std::string& name, Index outputs, bool head_bias) {
  Surrogate s;
  s.network.width = 8;
  s.network.outputs = outputs;
  s.network.head_bias = head_bias;
  s.grid = {{"x", "", linspace(0, 1, 100)}, {"t", "", linspace(0, 1, 20)}};
  s.input_channels = {{"a", ""}};
  s.output_channels = {{"u", ""}};
  const auto weights = read_released(name + "/w", s.network);
  s.weights.emplace_back(weights.begin(), weights.end());
  return s;
}

// A single network has no uncertainty of its own: a last layer with no spread.
inline Surrogate released_single() {
  Surrogate s = released_model("a_fno2d", 1, true);
  s.method = "bayesian";
  s.state["laplace.covariance"] = Array<double>({1, s.network.features + 1});
  s.state["laplace.noise"] = Array<double>({1});
  s.state["laplace.add_noise"] = number(0);
  return s;
}

// Four heads; trust as if calibrated.
inline Surrogate released_diverse() {
  Surrogate s = released_model("b_diverse", 4, false);
  s.method = "diverse";
  s.state["trust.reference"] = number(0.5);
  s.state["trust.level"] = number(0.95);
  s.state["trust.far"] = number(2);
  return s;
}

inline Array<float> released_inputs(const std::string& name) {
  const Array<double> x = read_npy(name + "/x.npy");
  return {x.shape(), std::vector<float>(x.begin(), x.end())};
}

}  // namespace nouq::test
