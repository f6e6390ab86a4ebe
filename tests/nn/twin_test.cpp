// The whole network against a naive one made of the kernels' plain twins: direct Fourier sums, one point at a
// time.
#include <gtest/gtest.h>
#include <nouq/random.h>

#include "core/error.h"
#include "kernels/reference.h"
#include "nn/network.h"

namespace nouq {
namespace {

using reference::Reals;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Walks an n-dimensional index in C order.
Index flatten(const std::vector<Index>& index, const Shape& shape) {
  Index flat = 0;
  for (std::size_t j = 0; j < shape.size(); ++j) flat = flat * shape[j] + index[j];
  return flat;
}
std::vector<Index> unflatten(Index flat, const Shape& shape) {
  std::vector<Index> index(shape.size());
  for (std::size_t j = shape.size(); j-- > 0; flat /= shape[j]) index[j] = flat % shape[j];
  return index;
}

class NaiveNetwork {
 public:
  NaiveNetwork(const NetworkOptions& options, const Shape& grid, const Reals& parameters)
      : o_(options), layout_(options), grid_(grid), lengths_(padded_lengths(options, grid)), w_(parameters) {}

  Reals predict(const Reals& input) const {
    Reals h = lifted(input);
    for (Index b = 0; b < o_.blocks; ++b) {
      h = block(b, h);
      if (b + 1 < o_.blocks) {
        for (double& value : h) value = reference::gelu(value);
      }
    }
    Reals inner;
    for (Index p = 0; p < element_count(grid_); ++p) {
      const Index from = flatten(unflatten(p, grid_), lengths_) * o_.width;
      inner.insert(inner.end(), h.begin() + from, h.begin() + from + o_.width);
    }
    const reference::HeadSizes sizes{element_count(grid_), o_.width, o_.features, o_.outputs};
    const Reals features =
        reference::head_features(sizes, inner, part("feature.weight"), part("feature.bias"));
    // The head's weight is [outputs][features]; the twin wants [features][outputs].
    Reals weight(at(o_.features * o_.outputs));
    for (Index m = 0; m < o_.outputs; ++m) {
      for (Index f = 0; f < o_.features; ++f) {
        weight[at(f * o_.outputs + m)] = w_[at(layout_.head_weight() + m * o_.features + f)];
      }
    }
    return reference::head(sizes, features, weight, o_.head_bias ? part("head.bias") : Reals{});
  }

 private:
  Reals part(const std::string& name) const {
    const Tensor& t = layout_.tensor(name);
    return {w_.begin() + t.offset, w_.begin() + t.offset + t.size()};
  }

  Reals lifted(const Reals& input) const {
    Reals field(at(element_count(lengths_) * o_.width), 0.0);
    const Reals weight = part("lift.weight"), bias = part("lift.bias");
    for (Index p = 0; p < element_count(grid_); ++p) {
      const auto index = unflatten(p, grid_);
      Reals row(input.begin() + p * o_.input_channels, input.begin() + (p + 1) * o_.input_channels);
      for (std::size_t j = 0; j < grid_.size(); ++j)
        row.push_back(o_.padding[j].coordinate(index[j], grid_[j]));
      const Reals out = reference::linear(1, std::ssize(row), o_.width, row, weight, bias);
      std::copy(out.begin(), out.end(), field.begin() + flatten(index, lengths_) * o_.width);
    }
    return field;
  }

  Reals block(Index b, const Reals& h) const {
    const reference::Spectrum spectrum{lengths_, o_.modes, o_.width};
    const auto modes = reference::fourier_analysis(spectrum, h);
    Shape mode_shape;
    for (std::size_t j = 0; j < grid_.size(); ++j) {
      mode_shape.push_back(static_cast<Index>(reference::kept_frequencies(spectrum, j).size()));
    }
    reference::Complexes mixed;
    for (Index m = 0; m < element_count(mode_shape); ++m) {
      // The twin counts modes with axis 0 slowest, the network with axis 0 fastest.
      const auto index = unflatten(m, mode_shape);
      Index ours = 0;
      for (std::size_t j = grid_.size(); j-- > 0;) ours = ours * mode_shape[j] + index[j];
      reference::Complexes weight;
      const Index start =
          layout_.offset(fmt::format("blocks.{}.spectral.weight", b)) + ours * 2 * o_.width * o_.width;
      for (Index i = 0; i < o_.width; ++i) {
        for (Index k = 0; k < o_.width; ++k) {
          weight.emplace_back(w_[at(start + i * 2 * o_.width + k)],
                              w_[at(start + (i * 2 + 1) * o_.width + k)]);
        }
      }
      const auto row = reference::mix({1, o_.width, o_.width},
                                      std::span(modes).subspan(at(m * o_.width), at(o_.width)), weight);
      mixed.insert(mixed.end(), row.begin(), row.end());
    }
    Reals out = reference::fourier_synthesis(spectrum, mixed);
    const std::string name = "blocks." + std::to_string(b) + ".linear.";
    const Reals linear = reference::linear(element_count(lengths_), o_.width, o_.width, h,
                                           part(name + "weight"), part(name + "bias"));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += linear[i];
    return out;
  }

  NetworkOptions o_;
  ParameterLayout layout_;
  Shape grid_;
  Shape lengths_;
  const Reals& w_;
};

struct Draw {
  Stream stream;
  std::uint64_t counter = 0;
  Index between(Index low, Index high) {
    return low + static_cast<Index>(stream.below(static_cast<std::uint64_t>(high - low + 1), counter++));
  }
};

TEST(Twin, RandomNetworksAgreeWithTheNaiveOne) {
  for (std::uint64_t i = 0; i < 60; ++i) {
    Draw draw{Stream(77, Purpose::tests, i)};
    NetworkOptions o;
    Shape grid;
    o.modes.clear();
    o.padding.clear();
    const Index axes = 1 + static_cast<Index>(i % 3);
    for (Index j = 0; j < axes; ++j) {
      grid.push_back(draw.between(1, axes == 3 ? 5 : 9));
      o.padding.push_back({draw.between(0, 3), std::nullopt});
      if (draw.between(0, 2) == 0) o.padding.back().fraction = 0.5;
      const Index length = o.padding.back().padded_length(grid.back());
      o.modes.push_back(draw.between(
          1, std::max<Index>(1, std::min<Index>(3, j + 1 == axes ? length / 2 + 1 : length / 2))));
    }
    o.width = draw.between(1, 5);
    o.blocks = draw.between(1, 3);
    o.features = draw.between(1, 7);
    o.outputs = draw.between(1, 3);
    o.input_channels = draw.between(1, 2);
    o.head_bias = draw.between(0, 1) == 1;
    const Index batch = draw.between(1, 3);
    Network<double> network(o, grid, 1);
    Reals weights(at(network.layout().size()));
    for (double& w : weights) w = draw.stream.normal(draw.counter++) / 2;
    Reals inputs(at(batch * network.points() * o.input_channels));
    for (double& x : inputs) x = draw.stream.normal(draw.counter++);
    Reals outputs(at(batch * network.points() * o.outputs));
    network.predict(weights.data(), inputs.data(), batch, outputs.data());
    const NaiveNetwork naive(o, grid, weights);
    const Index in_size = network.points() * o.input_channels, out_size = network.points() * o.outputs;
    for (Index s = 0; s < batch; ++s) {
      const Reals wanted = naive.predict({inputs.begin() + s * in_size, inputs.begin() + (s + 1) * in_size});
      double largest = 1e-3;
      for (const double value : wanted) largest = std::max(largest, std::abs(value));
      for (Index p = 0; p < out_size; ++p) {
        ASSERT_NEAR(outputs[at(s * out_size + p)], wanted[at(p)], 1e-11 * largest) << "case " << i;
      }
    }
  }
}

}  // namespace
}  // namespace nouq
