// The authors' released weights, as stored in tests/golden, in nouq's own layout.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "nn/parameters.h"
#include "support/npy.h"

namespace nouq::test {

// Reads one folder of released tensors (weights or gradients) of a two-axis network.
inline std::vector<double> read_released(const std::string& folder, const NetworkOptions& options) {
  const ParameterLayout layout(options);
  std::vector<double> values(layout.size());
  const auto put = [&](Index i, double value) { values[i] = value; };
  const Index width = options.width;
  const auto transposed = [&](const std::string& file, Index offset) {
    const Array<double> a = read_npy(folder + "/" + file + ".npy");
    const Index rows = a.extent(0), columns = a.extent(1);
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < columns; ++c) put(offset + c * rows + r, a[r * columns + c]);
    }
  };
  const auto plain = [&](const std::string& file, Index offset) {
    const Array<double> a = read_npy(folder + "/" + file + ".npy");
    for (Index i = 0; i < a.size(); ++i) put(offset + i, a[i]);
  };
  transposed("fc0.weight", layout.offset("lift.weight"));
  plain("fc0.bias", layout.tensor("lift.bias").offset);
  transposed("fc1.weight", layout.feature_weight());
  plain("fc1.bias", layout.feature_bias());
  plain("fc2.weight", layout.head_weight());
  if (options.head_bias) plain("fc2.bias", layout.head_bias());
  const Index m0 = options.modes[0], m1 = options.modes[1];
  for (Index b = 0; b < options.blocks; ++b) {
    const std::string block = "fourier_layers." + std::to_string(b);
    transposed(block + ".w.weight", layout.offset(fmt::format("blocks.{}.linear.weight", b)));
    plain(block + ".w.bias", layout.offset(fmt::format("blocks.{}.linear.bias", b)));
    const Index spectral = layout.offset(fmt::format("blocks.{}.spectral.weight", b));
    for (Index side = 0; side < 2; ++side) {
      // [in][out][k0][k1][re, im]; the second tensor holds the negative frequencies of axis 0
      const Array<double> a =
          read_npy(folder + "/" + block + ".conv.weights" + std::to_string(side + 1) + ".npy");
      Index i = 0;
      for (Index in = 0; in < width; ++in) {
        for (Index out = 0; out < width; ++out) {
          for (Index k0 = 0; k0 < m0; ++k0) {
            for (Index k1 = 0; k1 < m1; ++k1) {
              const Index mode = k1 * 2 * m0 + side * m0 + k0;
              for (Index part = 0; part < 2; ++part) {
                put(spectral + ((mode * width + in) * 2 + part) * width + out, a[i++]);
              }
            }
          }
        }
      }
    }
  }
  return values;
}

// The largest difference of a tensor, relative to its largest entry.
template <class A, class B>
double relative_difference(const Tensor& tensor, const A& a, const B& b) {
  double difference = 0, largest = 0;
  for (Index i = tensor.offset; i < tensor.offset + tensor.size(); ++i) {
    const std::size_t at = i;
    difference = std::max(difference, std::abs(static_cast<double>(a[at]) - static_cast<double>(b[at])));
    largest = std::max(largest, std::abs(static_cast<double>(b[at])));
  }
  return difference / largest;
}

}  // namespace nouq::test
