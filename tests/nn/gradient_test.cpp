// Every gradient of the network against central differences, in double: each tensor is a layer's check, and
// so are the inputs, for every architecture, over grids of one, two and three axes, all losses, dropout,
// several heads, padding or none.
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>
#include <nouq/random.h>

#include "nn/architecture.h"
#include "nn/network.h"

namespace nouq {
namespace {

struct Case {
  std::string name;
  NetworkOptions options;
  Shape grid;
  Loss loss;
  Index batch = 2;
};

NetworkOptions options(std::vector<Index> modes, std::vector<Padding> padding, Index width, Index blocks) {
  NetworkOptions o;
  o.modes = std::move(modes);
  o.padding = std::move(padding);
  o.width = width;
  o.blocks = blocks;
  o.features = 6;
  return o;
}

Padding points(Index n) { return {n, std::nullopt}; }

std::vector<Case> fno_cases() {
  std::vector<Case> all;
  all.push_back({"one_axis", options({3}, {points(2)}, 3, 2), {7}, {}});
  all.push_back({"one_axis_one_block", options({2}, {points(0)}, 2, 1), {5}, {}});
  all.push_back({"one_axis_nyquist", options({5}, {points(0)}, 3, 2), {8}, {}});
  all.push_back({"two_axes", options({2, 3}, {points(1), points(2)}, 5, 3), {6, 5}, {}});
  all.push_back({"two_axes_one_block", options({2, 2}, {points(2), points(1)}, 3, 1), {5, 4}, {}});
  all.push_back({"two_axes_two_blocks_periodic", options({2, 2}, {points(0), points(0)}, 4, 2), {4, 5}, {}});
  all.push_back({"three_axes", options({2, 1, 2}, {points(1), points(0), points(2)}, 3, 2), {4, 3, 3}, {}});
  all.push_back({"three_axes_three_blocks",
                 options({1, 2, 2}, {points(2), points(1), points(0)}, 2, 3),
                 {3, 4, 4},
                 {}});
  Case heads{"heads_without_bias", options({2, 2}, {points(1), points(1)}, 4, 2), {5, 4}, {}};
  heads.options.outputs = 6;
  heads.options.head_bias = false;
  heads.loss = {LossKind::relative_l2, 2, 3};
  all.push_back(heads);
  Case squared{
      "squared_loss", options({2, 2}, {points(1), points(1)}, 4, 2), {5, 4}, {LossKind::relative_l2_squared}};
  all.push_back(squared);
  Case variance{
      "gaussian_loss", options({2, 2}, {points(1), points(1)}, 4, 2), {5, 4}, {LossKind::gaussian_nll, 2}};
  variance.options.outputs = 4;
  variance.options.input_channels = 3;
  all.push_back(variance);
  variance.name = "gaussian_crps";
  variance.loss.kind = LossKind::gaussian_crps;
  all.push_back(variance);
  heads.name = "fair_crps";
  heads.loss.kind = LossKind::fair_crps;
  all.push_back(heads);
  heads.name = "heads_crps";
  heads.loss.kind = LossKind::heads_crps;
  all.push_back(heads);
  Case dropout{"dropout", options({2, 2}, {points(1), points(1)}, 4, 2), {5, 4}, {}, 3};
  dropout.options.dropout = 0.25;
  all.push_back(dropout);
  Case more_inputs{"more_inputs_than_width", options({2, 2}, {points(1), points(1)}, 2, 2), {5, 4}, {}};
  more_inputs.options.input_channels = 5;
  all.push_back(more_inputs);
  return all;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string& architecture : architecture_names()) {
    for (Case c : fno_cases()) {
      c.name = architecture + "_" + c.name;
      c.options = with_architecture(c.options, architecture);
      all.push_back(std::move(c));
    }
  }
  return all;
}

class Gradient : public testing::TestWithParam<Case> {};

TEST_P(Gradient, MatchesCentralDifferences) {
  const Case& c = GetParam();
  Network<double> network(c.options, c.grid, 1);
  const ParameterLayout& layout = network.layout();
  Buffer<double> weights(layout.size());
  initialise(layout, 5, weights.data());
  const Stream stream(9, Purpose::tests);
  const auto fill = [&](Index count, std::uint64_t from) {
    Buffer<double> values(count);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = stream.normal(from + i) + 0.5;
    return values;
  };
  // Larger spectral weights than the initial ones, so that their part of the network matters.
  for (Index i = layout.dense_size(); i < layout.size(); ++i) {
    weights[i] = 0.3 * stream.normal(static_cast<std::uint64_t>(i));
  }
  const Buffer<double> x = fill(c.batch * network.points() * c.options.input_channels, 1000000);
  const Buffer<double> y = fill(c.batch * network.points() * c.loss.channels, 2000000);
  const BatchDropout dropout{c.options.dropout > 0.0, 3, 17};
  std::vector<double> losses(c.batch);
  Buffer<double> gradient(weights.size());
  const double value = network.loss_gradient(weights.data(), x.data(), y.data(), c.batch, c.loss, losses,
                                             gradient.data(), dropout);
  const auto loss_at = [&](std::size_t i, double weight) {
    const double old = weights[i];
    weights[i] = weight;
    const double loss = network.loss(weights.data(), x.data(), y.data(), c.batch, c.loss, losses, dropout);
    weights[i] = old;
    return loss;
  };
  ASSERT_NEAR(value, loss_at(0, weights[0]), 1e-12 * std::abs(value));
  for (const Tensor& tensor : layout.tensors()) {
    double largest = 0;
    for (Index i = 0; i < tensor.size(); ++i) {
      largest = std::max(largest, std::abs(gradient[tensor.offset + i]));
    }
    ASSERT_GT(largest, 0.0) << tensor.name;
    // At most 40 entries of each tensor, spread evenly.
    const Index stride = std::max<Index>(1, tensor.size() / 40);
    for (Index i = 0; i < tensor.size(); i += stride) {
      const std::size_t at = tensor.offset + i;
      const double h = 1e-5;
      const double difference = (loss_at(at, weights[at] + h) - loss_at(at, weights[at] - h)) / (2 * h);
      EXPECT_NEAR(gradient[at], difference, 2e-8 * std::max(largest, std::abs(value)))
          << tensor.name << " entry " << i;
    }
  }
}

// The adjoint with respect to the inputs, for a random linear function of the outputs.
TEST_P(Gradient, OfInputsMatchesCentralDifferences) {
  const Case& c = GetParam();
  Network<double> network(c.options, c.grid, 1);
  Buffer<double> weights(network.layout().size());
  initialise(network.layout(), 5, weights.data());
  const Stream stream(9, Purpose::tests);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += 0.1 * stream.normal(i);
  const auto normals = [&](Index count, std::uint64_t from) {
    Buffer<double> values(count);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = stream.normal(from + i);
    return values;
  };
  Buffer<double> x = normals(c.batch * network.points() * c.options.input_channels, 1000000);
  const Buffer<double> by_output = normals(c.batch * network.points() * c.options.outputs, 2000000);
  Buffer<double> gradient(x.size()), outputs(by_output.size());
  network.input_gradient(weights.data(), x.data(), c.batch, by_output.data(), gradient.data());
  const auto value_at = [&](std::size_t i, double input) {
    const double old = std::exchange(x[i], input);
    network.predict(weights.data(), x.data(), c.batch, outputs.data());
    x[i] = old;
    return std::inner_product(outputs.begin(), outputs.end(), by_output.begin(), 0.0);
  };
  double largest = 0;
  for (const double g : gradient) largest = std::max(largest, std::abs(g));
  ASSERT_GT(largest, 0.0);
  for (std::size_t i = 0; i < x.size(); i += std::max<std::size_t>(1, x.size() / 60)) {
    const double h = 1e-5, difference = (value_at(i, x[i] + h) - value_at(i, x[i] - h)) / (2 * h);
    EXPECT_NEAR(gradient[i], difference, 1e-8 * std::max(1.0, largest)) << "input " << i;
  }
  // Neither threads nor the batch change a bit.
  Network<double> threaded(c.options, c.grid, 3);
  Buffer<double> again(x.size());
  threaded.input_gradient(weights.data(), x.data(), c.batch, by_output.data(), again.data());
  EXPECT_TRUE(std::equal(gradient.begin(), gradient.end(), again.begin()));
}

INSTANTIATE_TEST_SUITE_P(Network, Gradient, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

// Float and double follow the same code; float must agree to its own precision, with any number of threads
// bit for bit.
TEST_P(Gradient, FloatAgreesAndDoesNotDependOnThreads) {
  const Case& c = GetParam();
  const Index batch = 5;
  const ParameterLayout layout(c.options);
  const auto run = [&]<class T>(T, int threads) {
    Network<T> network(c.options, c.grid, threads);
    Buffer<T> weights(layout.size()), gradient(weights.size());
    initialise(layout, 5, weights.data());
    const Stream stream(9, Purpose::tests);
    Buffer<T> x(batch * network.points() * c.options.input_channels);
    Buffer<T> y(batch * network.points() * c.loss.channels);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(stream.uniform_float(i));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<T>(stream.uniform_float(i + x.size()));
    std::vector<double> losses(batch);
    network.loss_gradient(weights.data(), x.data(), y.data(), batch, c.loss, losses, gradient.data(),
                          {c.options.dropout > 0.0, 3, 17});
    return std::vector<double>(gradient.begin(), gradient.end());
  };
  const auto one = run(0.0F, 1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(run(0.0F, threads), one) << threads << " threads";
  const auto exact = run(0.0, 1);
  for (const Tensor& tensor : layout.tensors()) {
    double largest = 0, worst = 0;
    for (Index i = tensor.offset; i < tensor.offset + tensor.size(); ++i) {
      const std::size_t at = i;
      largest = std::max(largest, std::abs(exact[at]));
      worst = std::max(worst, std::abs(exact[at] - one[at]));
    }
    EXPECT_LT(worst, 2e-5 * largest) << tensor.name;
  }
}

// In parts it is the same gradient to the last bit, whole, although every part spoils its parameters as soon
// as it has come; with a loss that is not finite there is none.
TEST_P(Gradient, InPartsIsTheSame) {
  const Case& c = GetParam();
  const Index batch = 3;
  const ParameterLayout layout(c.options);
  Buffer<float> weights(layout.size()), gradient(weights.size());
  initialise(layout, 5, weights.data());
  const Stream stream(9, Purpose::tests);
  const BatchDropout dropout{c.options.dropout > 0.0, 3, 17};
  for (const int threads : {1, 2, 3, 7}) {
    Network<float> network(c.options, c.grid, threads);
    Buffer<float> x(batch * network.points() * c.options.input_channels);
    Buffer<float> y(batch * network.points() * c.loss.channels);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = stream.uniform_float(i);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = stream.uniform_float(i + x.size());
    std::vector<double> losses(batch), again(batch);
    network.loss_gradient(weights.data(), x.data(), y.data(), batch, c.loss, losses, gradient.data(),
                          dropout);
    Buffer<float> spoilt(weights.size()), parts(weights.size(), 0.0F);
    std::copy(weights.begin(), weights.end(), spoilt.begin());
    std::vector<int> times(weights.size());
    const auto take = [&](Index first, Index count, const float* part) {
      std::copy_n(part, count, parts.data() + first);
      std::fill_n(spoilt.data() + first, count, 1e30F);
      for (Index i = first; i < first + count; ++i) ++times[static_cast<std::size_t>(i)];
    };
    network.loss_gradient_in_parts(spoilt.data(), x.data(), y.data(), batch, c.loss, again, take, dropout);
    EXPECT_EQ(again, losses);
    EXPECT_TRUE(std::equal(gradient.begin(), gradient.end(), parts.begin())) << threads << " threads";
    EXPECT_EQ(times, std::vector<int>(weights.size(), 1));
    const auto none = [](Index, Index, const float*) { FAIL() << "a gradient of an infinite loss"; };
    x[0] = std::numeric_limits<float>::infinity();
    network.loss_gradient_in_parts(weights.data(), x.data(), y.data(), batch, c.loss, again, none, dropout);
  }
}

}  // namespace
}  // namespace nouq
