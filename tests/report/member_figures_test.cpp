// Weights and features of an ensemble's members, as pictures.
#include "report/member_figures.h"

#include <gtest/gtest.h>

#include "nn/parameters.h"
#include "report/svg.h"

namespace nouq::test {
namespace {

using namespace nouq::report;  // NOLINT: the tests are about nothing else

Surrogate members() {
  Surrogate s;
  s.method = "ensemble";
  s.grid = {{"x", "", linspace(0, 1, 12)}, {"t", "", linspace(0, 1, 6)}};
  s.network.modes = {3, 2};
  s.network.padding.assign(2, Padding{0, {}});
  s.network.width = 2;
  s.network.features = 4;
  s.network.blocks = 2;
  s.weights.assign(2, std::vector<float>(static_cast<std::size_t>(ParameterLayout(s.network).size())));
  return s;
}

// One complex weight 3 + 4i of the frequency -1 along x, 1 along t, from channel 0 to channel 1.
TEST(MemberFigures, PutAWeightAtItsFrequencyAndChannel) {
  Surrogate s = members();
  const ParameterLayout layout(s.network);
  const Index mode = 1 * 6 + 5, width = 2;  // along x: 0, 1, 2, -3, -2, -1
  const Index real = layout.spectral(1) + mode * width * 2 * width + 1;
  s.weights[0][static_cast<std::size_t>(real)] = 3;
  s.weights[0][static_cast<std::size_t>(real + width)] = 4;
  const Figure figure = weight_figure(s, 1);
  ASSERT_EQ(figure.panels.size(), 3U) << "two members and their variation";
  const auto& map = std::get<HeatMap>(figure.panels[0].series[0]);
  EXPECT_EQ(map.x, (std::vector<double>{-3, -2, -1, 0, 1, 2}));
  for (Index channel = 0; channel < 2; ++channel) {
    for (Index f = 0; f < 6; ++f)  // averaged over two channels and two frequencies along t
      EXPECT_NEAR(map.values[channel * 6 + f], channel == 1 && f == 2 ? 5.0 / 4 : 0.0, 1e-6);
  }
  // Magnitudes 5 and 0: mean 2.5, deviation 5 / sqrt(2).
  const auto& variation = std::get<HeatMap>(figure.panels[2].series[0]);
  EXPECT_NEAR(variation.values[6 + 2], std::sqrt(2.0) / 4, 1e-6);
  EXPECT_NO_THROW(svg(figure));
}

TEST(MemberFigures, SayHowFarMembersAreApart) {
  Surrogate s = members();
  const ParameterLayout layout(s.network);
  // Features are 0 and gelu(0) = 0; the outputs are the biases 1 and 3: mean 2, deviation 1.
  s.weights[0][static_cast<std::size_t>(layout.head_bias())] = 1;
  s.weights[1][static_cast<std::size_t>(layout.head_bias())] = 3;
  const std::vector<float> input(12 * 6, 0.5F);
  const Figure figure = feature_figure(s, input.data(), input.data());
  EXPECT_NE(figure.caption.find("outputs 0.5 and 0.5"), std::string::npos) << figure.caption;
  EXPECT_EQ(std::get<Line>(figure.panels[1].series[1]).y[3], 3.0);
  s.weights.resize(1);
  EXPECT_THROW(weight_figure(s, 0), Error);
}

}  // namespace
}  // namespace nouq::test
