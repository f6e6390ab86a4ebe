// Losses on cases worked out by hand, the initial weights, dropout masks, and the errors of the options.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "nn/network.h"

namespace nouq {
namespace {

TEST(Loss, RelativeL2OfAHandWorkedCase) {
  const double y[] = {3, 4};        // norm 5
  const double out[] = {3, 4 + 5};  // residual (0, 5)
  double gradient[2];
  EXPECT_DOUBLE_EQ(sample_loss(Loss{}, out, y, 2, gradient), 1.0);
  EXPECT_DOUBLE_EQ(gradient[0], 0.0);
  EXPECT_DOUBLE_EQ(gradient[1], 5.0 / (5.0 * 5.0));
  EXPECT_DOUBLE_EQ(sample_loss(Loss{LossKind::relative_l2_squared}, out, y, 2, gradient), 1.0);
  EXPECT_DOUBLE_EQ(gradient[1], 2.0 * 5.0 / 25.0);
  EXPECT_DOUBLE_EQ(sample_loss(Loss{}, y, y, 2, gradient), 0.0);  // a perfect fit has no direction
  EXPECT_DOUBLE_EQ(gradient[1], 0.0);
}

TEST(Loss, HeadsAreAveraged) {
  const double y[] = {3, 4};
  const double out[] = {3, 6, 4, 8};  // point 0: heads 3 and 6; point 1: 4 and 8
  EXPECT_DOUBLE_EQ(sample_loss(Loss{LossKind::relative_l2, 1, 2}, out, y, 2, static_cast<double*>(nullptr)),
                   0.5);
}

TEST(Loss, GaussianOfAHandWorkedCase) {
  const double y[] = {1.0};
  const double out[] = {3.0, std::log(std::expm1(2.0))};  // mean 3, softplus gives variance 2
  double gradient[2];
  EXPECT_NEAR(sample_loss(Loss{LossKind::gaussian_nll}, out, y, 1, gradient), 4.0 / 2.0 + std::log(2.0),
              1e-14);
  EXPECT_NEAR(gradient[0], 2.0, 1e-14);
  EXPECT_NEAR(gradient[1], (0.5 - 1.0) * (1.0 - std::exp(-2.0)), 1e-14);
  EXPECT_NEAR(softplus(800.0), 800.0, 1e-12);
  EXPECT_GT(softplus(-700.0), 0.0);
}

// The score by its definition: the integral of (F(x) - [x >= y])^2.
TEST(Loss, GaussianScoreIsTheIntegralOfItsDefinition) {
  const double y[] = {1.0};
  const double out[] = {3.0, std::log(std::expm1(2.0))};  // mean 3, variance 2
  const double low = -12, step = 1e-4;
  double integral = 0;
  for (Index i = 0; i < 300000; ++i) {
    const double x = low + (static_cast<double>(i) + 0.5) * step;
    const double below = 0.5 * std::erfc((3.0 - x) / 2.0);
    integral += step * (x < 1.0 ? below * below : (1 - below) * (1 - below));
  }
  const Loss loss{LossKind::gaussian_crps};
  EXPECT_NEAR(sample_loss(loss, out, y, 1, static_cast<double*>(nullptr)), integral, 1e-8);
}

TEST(Loss, FairScoreOfAHandWorkedCase) {
  const double y[] = {3.0};
  const double out[] = {6, 1, 2};  // mean distance 2; pairs 5 + 4 + 1 = 10 over 6
  double gradient[3];
  const Loss loss{LossKind::fair_crps, 1, 3};
  EXPECT_NEAR(sample_loss(loss, out, y, 1, gradient), (2.0 - 10.0 / 6.0) / 3.0, 1e-15);
  EXPECT_NEAR(gradient[0], 0, 1e-15);
  EXPECT_NEAR(gradient[1], 0, 1e-15);
  EXPECT_NEAR(gradient[2], -1.0 / 9.0, 1e-15);
  EXPECT_THROW(validate(Loss{LossKind::fair_crps, 1, 1}, 1), Error);
}

// Heads are a distribution in steps of 1/M: the score by its definition, and no head is left free.
TEST(Loss, ScoreOfHeadsIsTheIntegralOfItsDefinition) {
  const double y[] = {3.0};
  const double out[] = {6, 1, 2};
  double gradient[3], integral = 0;
  const double step = 1e-4;
  for (Index i = 0; i < 70000; ++i) {
    const double x = (static_cast<double>(i) + 0.5) * step;
    const double below =
        (static_cast<double>(x > 6) + static_cast<double>(x > 1) + static_cast<double>(x > 2)) / 3;
    integral += step * (x < 3.0 ? below * below : (1 - below) * (1 - below));
  }
  const Loss loss{LossKind::heads_crps, 1, 3};
  const double value = sample_loss(loss, out, y, 1, gradient);
  EXPECT_NEAR(value, (2.0 - 10.0 / 9.0) / 3.0, 1e-15);
  EXPECT_NEAR(3.0 * value, integral, 1e-8);
  EXPECT_NEAR(gradient[0], 1.0 / 27.0, 1e-15);
  EXPECT_NEAR(gradient[1], -1.0 / 27.0, 1e-15);
  EXPECT_NEAR(gradient[2], -1.0 / 9.0, 1e-15);
  EXPECT_THROW(validate(Loss{LossKind::heads_crps, 1, 1}, 1), Error);
}

TEST(Loss, AZeroTargetIsRefused) {
  const float y[] = {0, 0};
  for (const Loss& loss : {Loss{}, Loss{LossKind::fair_crps, 1, 2}, Loss{LossKind::gaussian_crps}})
    EXPECT_THROW(sample_loss(loss, y, y, 1, static_cast<float*>(nullptr)), Error);
}

TEST(Initialise, FollowsTheAuthors) {
  NetworkOptions options;
  options.width = 8;
  const ParameterLayout layout(options);
  std::vector<double> w(layout.size()), again(w.size());
  initialise(layout, 4, w.data());
  initialise(layout, 4, again.data());
  EXPECT_EQ(w, again);
  initialise(layout, 5, again.data());
  EXPECT_NE(w, again);
  for (const Tensor& tensor : layout.tensors()) {
    const bool spectral = tensor.name.find("spectral") != std::string::npos;
    const double fan_in = tensor.name.starts_with("lift") ? 3 : tensor.name.starts_with("head") ? 128 : 8;
    const double bound = spectral ? 1.0 / 64 : 1.0 / std::sqrt(fan_in);
    double largest = 0, smallest = 0;
    for (Index i = tensor.offset; i < tensor.offset + tensor.size(); ++i) {
      largest = std::max(largest, w[i]);
      smallest = std::min(smallest, w[i]);
    }
    EXPECT_LE(largest, bound) << tensor.name;
    EXPECT_GE(smallest, spectral ? 0.0 : -bound) << tensor.name;
    if (tensor.size() >= 64) {
      EXPECT_GT(largest, 0.9 * bound) << tensor.name;
    }
  }
}

TEST(Layout, DefaultsAreThePapers) {
  const NetworkOptions options;
  const ParameterLayout layout(options);
  EXPECT_EQ(layout.tensor("blocks.0.spectral.weight").shape.front(), 24 * 12);
  EXPECT_EQ(layout.size(),
            3 * 32 + 32 + 4 * (32 * 32 + 32) + 32 * 128 + 128 + 128 + 1 + 4 * 288 * 32 * 32 * 2);
  EXPECT_THROW((void)layout.tensor("no such"), Error);
}

// A mask is the same for the same key and another for another.
TEST(Dropout, MasksAreReproducible) {
  NetworkOptions options;
  options.modes = {2};
  options.padding = {{1, std::nullopt}};
  options.width = 4;
  options.dropout = 0.25;
  Network<double> network(options, {50}, 1);
  std::vector<double> w(network.layout().size());
  initialise(network.layout(), 1, w.data());
  const std::vector<double> x(50, 1.0);
  std::vector<double> plain(50), a(50), b(50);
  network.predict(w.data(), x.data(), 1, plain.data());
  network.predict(w.data(), x.data(), 1, a.data(), {true, 9, 0});
  network.predict(w.data(), x.data(), 1, b.data(), {true, 9, 0});
  EXPECT_EQ(a, b);
  network.predict(w.data(), x.data(), 1, b.data(), {true, 9, 1});
  EXPECT_NE(a, b);
  EXPECT_NE(a, plain);
}

TEST(Options, ErrorsNameTheOptionItsValueAndWhatIsAllowed) {
  const auto error = [](auto change) {
    NetworkOptions options;
    change(options);
    try {
      validate(options);
      padded_lengths(options, {100, 20});
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(error([](auto&) {}), "no error");
  EXPECT_EQ(error([](auto& o) { o.width = 0; }), "width = 0: expected 1 to 4096");
  EXPECT_EQ(error([](auto& o) { o.blocks = -1; }), "blocks = -1: expected 1 to 100");
  EXPECT_EQ(error([](auto& o) {
              o.modes = {55, 12};
            }),
            "modes of axis 0 = 55: the axis has 109 points with padding and holds at most 54 modes");
  EXPECT_EQ(error([](auto& o) {
              o.modes = {12, 16};
            }),
            "modes of axis 1 = 16: the axis has 29 points with padding and holds at most 15 modes");
  EXPECT_EQ(error([](auto& o) { o.modes = {0, 12}; }), "modes of axis 0 = 0: expected 1 to 100000");
  EXPECT_EQ(error([](auto& o) { o.modes = {12}; }),
            "padding given for 2 axes, modes for 1: expected the same");
  EXPECT_EQ(error([](auto& o) { o.padding[1].fraction = -0.5; }),
            "padding of axis 1 = -0.5 of its length: expected 0 to 10");
  EXPECT_EQ(error([](auto& o) { o.dropout = -0.1; }),
            "dropout = -0.1: expected 0 up to, but not including, 1");
}

}  // namespace
}  // namespace nouq
