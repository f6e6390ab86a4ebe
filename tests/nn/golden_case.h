// One of the authors' networks with its weights and batch, for comparing passes and gradients.
#pragma once

#include <gtest/gtest.h>

#include "nn/network.h"
#include "support/released.h"

namespace nouq::test {

template <class T>
Buffer<T> to_buffer(const auto& values) {
  Buffer<T> buffer(values.size());
  std::transform(values.begin(), values.end(), buffer.begin(), [](double v) { return static_cast<T>(v); });
  return buffer;
}

inline NetworkOptions golden_options(Index outputs, bool head_bias = true) {
  NetworkOptions options;
  options.width = 8;
  options.outputs = outputs;
  options.head_bias = head_bias;
  return options;
}

template <class T>
struct GoldenCase {
  GoldenCase(const std::string& name, const NetworkOptions& network_options)
      : options(network_options),
        network(options, {100, 20}, 1),
        weights(to_buffer<T>(read_released(name + "/w", options))),
        gradient(weights.size()),
        x(to_buffer<T>(read_npy(name + "/x.npy"))),
        y(to_buffer<T>(read_npy(name + "/y.npy"))) {}

  double step(const Loss& loss) {
    return network.loss_gradient(weights.data(), x.data(), y.data(), 3, loss, losses, gradient.data());
  }

  void expect_gradients(const std::string& name, double tolerance) const {
    const auto expected = read_released(name + "/grad", options);
    for (const Tensor& tensor : network.layout().tensors()) {
      EXPECT_LT(relative_difference(tensor, gradient, expected), tolerance) << tensor.name;
    }
  }

  NetworkOptions options;
  Network<T> network;
  Buffer<T> weights, gradient, x, y;
  std::vector<double> losses = std::vector<double>(3);
};

}  // namespace nouq::test
