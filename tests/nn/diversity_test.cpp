// The diversity terms: against the authors' code, against finite differences, and on hand-computed cases.
#include "nn/diversity.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nouq/random.h>

#include "kernels/adam.h"
#include "nn/architecture.h"
#include "nn/golden_case.h"

namespace nouq {
namespace {

using test::golden_options;
using test::GoldenCase;
using test::read_npy;
using test::to_buffer;

const std::vector<Index> all_heads = {0, 1, 2, 3};
const Loss four_heads = {LossKind::relative_l2, 1, 4};

template <class T>
struct Diverse : GoldenCase<T> {
  Diverse() : GoldenCase<T>("b_diverse", golden_options(4, false)) {}
  double term(DiversityKind kind, const Buffer<T>& inputs, const std::vector<Index>& heads = all_heads) {
    term_gradient.resize(4 * 128);
    return diversity(kind, this->network, this->weights.data(), inputs.data(), std::ssize(inputs) / 2000,
                     heads, term_gradient);
  }
  // lambda = 1: data term minus diversity, over all pairs.
  double step() {
    const double r = term(DiversityKind::weights, this->x);
    const double loss = GoldenCase<T>::step(four_heads);
    for (std::size_t i = 0; i < term_gradient.size(); ++i)
      this->gradient[static_cast<std::size_t>(this->network.layout().head_weight()) + i] -=
          static_cast<T>(term_gradient[i]);
    return loss - r;
  }
  std::vector<double> term_gradient;
};

// Value and gradient with respect to the heads; the tolerance is relative to the largest gradient entry.
template <class T>
void expect_term(DiversityKind kind, const std::string& file, const std::string& inputs, double tolerance) {
  Diverse<T> golden;
  const double value = golden.term(kind, to_buffer<T>(read_npy("b_diverse/" + inputs + ".npy")));
  EXPECT_NEAR(value / read_npy("b_diverse/reg/" + file + ".npy")[1], 1.0, tolerance) << file;
  const auto expected = read_npy("b_diverse/reg/" + file + ".grad_fc2.npy");
  double largest = 0, difference = 0;
  for (Index i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(golden.term_gradient[i] - expected[i]));
  }
  EXPECT_LT(difference / largest, tolerance) << file;
}

TEST(DiversityGolden, EveryTermInDouble) {
  expect_term<double>(DiversityKind::weights, "weights_l2", "x", 1e-8);
  expect_term<double>(DiversityKind::gradients, "gradients_l2", "x", 1e-8);
  expect_term<double>(DiversityKind::standardised_gradients, "std_gradients_l2", "x", 1e-8);
  expect_term<double>(DiversityKind::outputs, "outputs_l2", "x", 1e-8);
  expect_term<double>(DiversityKind::outputs_derivative, "outputs_l2_deriv", "x", 1e-8);
  expect_term<double>(DiversityKind::outputs, "outputs_l2@x_test2", "x_test2", 1e-8);
  expect_term<double>(DiversityKind::outputs_derivative, "outputs_l2_deriv@x_test2", "x_test2", 1e-8);
  expect_term<double>(DiversityKind::standardised_outputs, "std_outputs_l2@x_test2", "x_test2", 1e-8);
  expect_term<double>(DiversityKind::standardised_outputs, "std_outputs_l2", "x", 1e-8);
}

TEST(DiversityGolden, EveryTermOfAFloatNetwork) {
  expect_term<float>(DiversityKind::weights, "weights_l2", "x", 1e-5);
  expect_term<float>(DiversityKind::gradients, "gradients_l2", "x", 1e-5);
  expect_term<float>(DiversityKind::standardised_gradients, "std_gradients_l2", "x", 1e-5);
  expect_term<float>(DiversityKind::outputs, "outputs_l2", "x", 1e-5);
  expect_term<float>(DiversityKind::outputs_derivative, "outputs_l2_deriv", "x", 1e-5);
  // The authors' own float32 run is 2e-4 from their double one here.
  expect_term<float>(DiversityKind::standardised_outputs, "std_outputs_l2@x_test2", "x_test2", 2e-4);
}

// The heads' part of the gradient by all parameters is that of the authors' code, too.
TEST(DiversityGolden, ThroughTheTrunkTheHeadsSeeTheSame) {
  const auto expect = [](DiversityKind kind, const std::string& file, const std::string& inputs_file) {
    Diverse<double> golden;
    const auto inputs = to_buffer<double>(read_npy("b_diverse/" + inputs_file + ".npy"));
    std::vector<double> gradient(golden.weights.size());
    const double value = diversity_of_all(kind, golden.network, golden.weights.data(), inputs.data(),
                                          std::ssize(inputs) / 2000, 2, all_heads, std::span(gradient));
    EXPECT_NEAR(value / read_npy("b_diverse/reg/" + file + ".npy")[1], 1.0, 1e-8) << file;
    const auto expected = read_npy("b_diverse/reg/" + file + ".grad_fc2.npy");
    double largest = 0, difference = 0;
    for (Index i = 0; i < expected.size(); ++i) {
      largest = std::max(largest, std::abs(expected[i]));
      difference =
          std::max(difference, std::abs(gradient[golden.network.layout().head_weight() + i] - expected[i]));
    }
    EXPECT_LT(difference / largest, 1e-8) << file;
  };
  expect(DiversityKind::gradients, "gradients_l2", "x");
  expect(DiversityKind::standardised_gradients, "std_gradients_l2", "x");
  expect(DiversityKind::outputs, "outputs_l2@x_test2", "x_test2");
  expect(DiversityKind::outputs_derivative, "outputs_l2_deriv@x_test2", "x_test2");
  expect(DiversityKind::standardised_outputs, "std_outputs_l2@x_test2", "x_test2");
}

TEST(DiversityGolden, HeadsDrawnTwiceStayInTheMean) {
  Diverse<double> golden;
  EXPECT_NEAR(
      golden.term(DiversityKind::weights, golden.x, {0, 2, 2, 1, 3}) / read_npy("b_diverse/reg_dup.npy")[1],
      1.0, 1e-12);
}

TEST(DiversityGolden, HeadsFeaturesLossAndGradients) {
  Diverse<float> golden;
  Buffer<float> heads(3 * 2000 * 4), z(2000 * 128);
  golden.network.predict(golden.weights.data(), golden.x.data(), 3, heads.data());
  const auto expected = read_npy("b_diverse/heads_f64.npy");
  for (Index i = 0; i < expected.size(); ++i) ASSERT_NEAR(heads[i], expected[i], 2e-6);
  golden.network.trunk_forward(golden.weights.data(), golden.x.data(), 3);
  golden.network.features(golden.weights.data(), 0, z.data());
  const auto features = read_npy("b_diverse/z_ex0_x0to4.npy");
  for (Index i = 0; i < features.size(); ++i) ASSERT_NEAR(z[i], features[i], 2e-6);
  EXPECT_NEAR(golden.step() / read_npy("b_diverse/loss_terms.npy")[9 + 2], 1.0, 1e-6);
  golden.expect_gradients("b_diverse", 1e-5);
}

TEST(DiversityGolden, DoubleAgreesToTheStoredPrecision) {
  Diverse<double> golden;
  EXPECT_NEAR(golden.step(), read_npy("b_diverse/loss_terms.npy")[9 + 2], 1e-11);
  golden.expect_gradients("b_diverse", 2e-7);
}

TEST(DiversityGolden, ThreeAdamSteps) {
  Diverse<float> golden;
  Buffer<float> m(golden.weights.size(), 0.0F), v(golden.weights.size(), 0.0F);
  const auto terms = read_npy("b_diverse/loss_terms.npy");
  for (Index step = 1; step <= 3; ++step) {
    EXPECT_NEAR(golden.step() / terms[9 + 3 * (step - 1) + 2], 1.0, 2e-6);
    adam(AdamStep{.step = step}, golden.gradient.data(), std::ssize(golden.weights), golden.weights.data(),
         m.data(), v.data());
  }
  const auto expected = test::read_released("b_diverse/adam3", golden.options);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(golden.weights[i], expected[i], 5e-6);
}

// Every kind on a small network with random weights and a head drawn twice.
TEST(Diversity, GradientsAgreeWithFiniteDifferences) {
  NetworkOptions options;
  options.modes = {3, 2};
  options.padding = {{2, std::nullopt}, {2, std::nullopt}};
  options.width = 4;
  options.features = 8;
  options.outputs = 4;
  options.head_bias = false;
  Network<double> network(options, {7, 5});
  std::vector<double> weights(network.layout().size());
  initialise(network.layout(), 3, weights.data());
  const Stream stream(5, Purpose::tests);
  std::vector<double> inputs(4 * 35);
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = stream.normal(i);
  const std::vector<Index> heads = {0, 3, 1, 3};
  for (const std::string& kind_name : diversity_names()) {
    const DiversityKind kind = diversity_from_name(kind_name);
    std::vector<double> gradient(4 * 8), ignored(4 * 8);
    diversity(kind, network, weights.data(), inputs.data(), 4, heads, gradient);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      double& w = weights[static_cast<std::size_t>(network.layout().head_weight()) + i];
      const double step = 1e-6, before = w;
      w = before + step;
      const double above = diversity(kind, network, weights.data(), inputs.data(), 4, heads, ignored);
      w = before - step;
      const double below = diversity(kind, network, weights.data(), inputs.data(), 4, heads, ignored);
      w = before;
      ASSERT_NEAR(gradient[i], (above - below) / (2 * step), 1e-6 * (1 + std::abs(gradient[i])))
          << kind_name << " " << i;
    }
  }
}

// Through the trunk: every parameter, samples in parts of three, a head drawn twice.
TEST(Diversity, GradientsOfAllParametersAgreeWithFiniteDifferences) {
  for (const std::string& architecture : architecture_names()) {
    NetworkOptions options;
    options.modes = {3, 2};
    options.padding = {{2, std::nullopt}, {1, std::nullopt}};
    options.width = 4;
    options.blocks = 2;
    options.features = 6;
    options.outputs = 4;
    options.head_bias = false;
    options = with_architecture(options, architecture);
    Network<double> network(options, {7, 4});
    std::vector<double> weights(network.layout().size()), gradient(weights.size()), ignored(4 * 6);
    initialise(network.layout(), 3, weights.data());
    const Stream stream(5, Purpose::tests);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += 0.1 * stream.normal(5000 + i);
    std::vector<double> inputs(4 * 28);
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = stream.normal(i);
    const std::vector<Index> heads = {0, 3, 1, 3};
    for (const std::string& kind_name : diversity_names()) {
      const DiversityKind kind = diversity_from_name(kind_name);
      if (kind == DiversityKind::weights) continue;
      const auto value = [&] {
        return diversity(kind, network, weights.data(), inputs.data(), 4, heads, std::span(ignored));
      };
      const double r =
          diversity_of_all(kind, network, weights.data(), inputs.data(), 4, 3, heads, std::span(gradient));
      ASSERT_NEAR(r, value(), 1e-12 * (1 + r)) << kind_name;
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        const double step = 1e-6, before = weights[i];
        weights[i] = before + step;
        const double above = value();
        weights[i] = before - step;
        const double below = value();
        weights[i] = before;
        ASSERT_NEAR(gradient[i], (above - below) / (2 * step), 1e-6 * (1 + r + std::abs(gradient[i])))
            << architecture << " " << kind_name << " " << i;
      }
    }
  }
}

TEST(Diversity, ThroughTheTrunkSameBitsForAnyNumberOfThreads) {
  const auto gradient_with = [](DiversityKind kind, int threads) {
    NetworkOptions options = golden_options(4, false);
    options.modes = {4, 3};
    Network<float> network(options, {10, 8}, threads);
    std::vector<float> weights(network.layout().size()), gradient(weights.size()), inputs(5 * 80);
    initialise(network.layout(), 3, weights.data());
    const Stream stream(5, Purpose::tests);
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = static_cast<float>(stream.normal(i));
    diversity_of_all(kind, network, weights.data(), inputs.data(), 5, 3, all_heads, std::span(gradient));
    return gradient;
  };
  for (const DiversityKind kind : {DiversityKind::gradients, DiversityKind::standardised_outputs}) {
    const std::vector<float> one = gradient_with(kind, 1);
    for (const int threads : {2, 7}) EXPECT_EQ(gradient_with(kind, threads), one) << name(kind) << threads;
  }
}

TEST(Diversity, SaturationKeepsTheSlopeAtZeroAndNeverPassesTheBound) {
  EXPECT_EQ(saturate(5.0, 0.0).value, 5.0);
  EXPECT_EQ(saturate(5.0, 0.0).derivative, 1.0);
  EXPECT_EQ(saturate(0.0, 2.0).derivative, 1.0);
  EXPECT_DOUBLE_EQ(saturate(2.0, 2.0).value, 1.0);
  EXPECT_DOUBLE_EQ(saturate(2.0, 2.0).derivative, 0.25);
  EXPECT_LT(saturate(1e9, 2.0).value, 2.0);
}

TEST(Diversity, DrawnHeadsAreAFunctionOfSeedAndStep) {
  const Diversity all, five = {.sampled = 5};
  EXPECT_EQ(drawn_heads(all, 4, 0, 0), all_heads);
  EXPECT_EQ(drawn_heads(five, 10, 1, 7), drawn_heads(five, 10, 1, 7));
  EXPECT_NE(drawn_heads(five, 10, 1, 7), drawn_heads(five, 10, 1, 8));
  EXPECT_EQ(drawn_heads(five, 10, 1, 7).size(), 5U);
}

TEST(Diversity, BadOptionsAreRefused) {
  const auto message = [](const Diversity& d, const NetworkOptions& o) -> std::string {
    try {
      validate(d, o, o.outputs);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  const NetworkOptions four = golden_options(4, false);
  EXPECT_EQ(message({.strength = 1}, four), "accepted");
  EXPECT_EQ(message({.strength = -1}, four), "diversity strength lambda = -1: expected 0 or more");
  EXPECT_EQ(message({.strength = 1}, golden_options(1, false)),
            "diversity needs at least 2 heads, the network has 1");
  EXPECT_EQ(message({.strength = 1}, golden_options(4)), "diversity needs heads without bias");
  EXPECT_EQ(message({.strength = 1, .sampled = 1}, four),
            "diversity over 1 sampled heads: expected 0 (all) or at least 2");
  EXPECT_THROW(diversity_from_name("wieghts"), Error);
}

}  // namespace
}  // namespace nouq
