// Weights and features of an ensemble's members, as pictures.
#include <gtest/gtest.h>

#include "paper/study_sections.h"
#include "plot/picture.h"

namespace nouq::test {
namespace {

using namespace nouq::paper;  // NOLINT: the tests are about nothing else

TEST(MemberFigures, ShowEveryMembersWeightsAndHowTheyVary) {
  const WeightPicture picture{.block = 3,
                              .frequencies = {-1, 0, 1},
                              .magnitudes = {{1, 2, 3, 4, 5, 6}},
                              .variation = {0, 0, 0, 0, 0, 3}};
  const Figure figure = weight_figure(picture);
  EXPECT_EQ(figure.title, "Fourier weights of block 4");
  ASSERT_EQ(figure.panels.size(), 2U) << "a member and the variation";
  const auto& map = std::get<HeatMap>(figure.panels[0].series[0]);
  EXPECT_EQ(map.x, (std::vector<double>{-1, 0, 1}));
  EXPECT_EQ(map.y, (std::vector<double>{0, 1})) << "channels";
  EXPECT_EQ(map.values[1 * 3 + 2], 6.0);
  EXPECT_NE(figure.caption.find("it is 0.5 on average"), std::string::npos) << figure.caption;
  EXPECT_NO_THROW(svg(figure));
}

// Outputs 1 and 3: mean 2, deviation 1.
TEST(MemberFigures, SayHowFarMembersAreApart) {
  MemberPicture picture;
  picture.in_domain = {.features = {{1, 1}, {1, 1}}, .outputs = {{1, 1}, {3, 3}}};
  picture.large = {.features = {{0, 2}, {2, 0}}, .outputs = {{2, 2}, {2, 2}}};
  const Grid grid = {{"x", "", {0, 1}}, {"t", "", {0, 1}}};
  const Figure figure = feature_figure(picture, grid);
  EXPECT_NE(figure.caption.find("features 0 in domain and 1 at the large shift, outputs 0.5 and 0."),
            std::string::npos)
      << figure.caption;
  EXPECT_EQ(std::get<Line>(figure.panels[1].series[1]).y, (std::vector<double>{3, 3}));
  EXPECT_NE(figure.caption.find("A line per member, in the middle of t:"), std::string::npos);
  EXPECT_NO_THROW(svg(figure));
  picture.in_domain.place = 0.5;
  picture.large.place = 0.125;
  picture.large.truth = {2, 5};
  const Figure placed = feature_figure(picture, grid);
  EXPECT_NE(placed.caption.find(", at t = 0.5 in domain and t = 0.125 at the large shift:"),
            std::string::npos);
  EXPECT_EQ(placed.panels[1].series.size(), 2U) << "no truth is known in domain";
  EXPECT_EQ(std::get<Line>(placed.panels[3].series[2]).y, (std::vector<double>{2, 5}));
}

}  // namespace
}  // namespace nouq::test
