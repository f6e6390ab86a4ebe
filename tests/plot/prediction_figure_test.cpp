// Pictures of predicted fields.
#include "plot/prediction_figure.h"

#include <gtest/gtest.h>
#include <nouq/grid.h>

namespace nouq::plot {
namespace {

nouq::Axis axis(const std::string& name, Index points) {
  return {.name = name, .unit = {}, .coordinates = linspace(0.0, 1.0, points)};
}

// A field that says where it is: 100 i + 10 j + k.
Array<double> places(Index n0, Index n1, Index n2) {
  Array<double> field({n0, n1, n2});
  for (Index i = 0; i < field.size(); ++i) {
    const Index place = 100 * (i / (n1 * n2)) + 10 * (i / n2 % n1) + i % n2;
    field[i] = static_cast<double>(place);
  }
  return field;
}

TEST(PredictionFigure, OfThreeAxesTheFirstIsCutInTheMiddle) {
  const Array<double> field = places(5, 4, 3);
  const Figure map = prediction_figure({axis("x", 5), axis("y", 4), axis("z", 3)}, 1,
                                       {{"m", field.data(), nullptr}}, field.data());
  ASSERT_EQ(map.panels.size(), 3U) << "mean, truth, error";
  EXPECT_EQ(map.panels[0].title, "mean, x = 0.5");
  const auto& shown = std::get<HeatMap>(map.panels[0].series.at(0));
  EXPECT_EQ(shown.values.shape(), (Shape{3, 4}));
  EXPECT_EQ(shown.values[0], 200.0);
  EXPECT_EQ(shown.values[2 * 4 + 3], 232.0);
  const Figure profiles = prediction_figure({axis("x", 5), axis("y", 4), axis("t", 3)}, 1,
                                            {{"m", field.data(), nullptr}}, nullptr);
  EXPECT_EQ(profiles.panels.back().title, "t = 1, x = 0.5");
  EXPECT_EQ(std::get<Line>(profiles.panels.back().series.at(0)).y, (std::vector<double>{202, 212, 222, 232}));
}

TEST(PredictionFigure, EveryChannelIsShownWithItsUnit) {
  const std::vector<double> mean = {1, 10, 2, 20, 3, 30};  // [3 points][2 channels]
  const Figure figure =
      channels_figure({axis("x", 3)}, {{"p", "Pa"}, {"v", ""}}, {{"m", mean.data(), nullptr}}, nullptr);
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[0].title, "p [Pa]");
  EXPECT_EQ(figure.panels[0].y.label, "p [Pa]");
  EXPECT_EQ(std::get<Line>(figure.panels[1].series.at(0)).y, (std::vector<double>{10, 20, 30}));
  EXPECT_FALSE(figure.share_y) << "units differ";
}

TEST(PredictionFigure, BandsAreTheCalibratedOnesWhereThereAreSome) {
  const std::vector<double> mean = {1, 2}, variance = {4, 9}, half = {0.5, 0.25};
  const auto band_of = [&](const double* half_width) {
    const Figure figure =
        profile_figure({axis("x", 2)}, 1, {{"m", mean.data(), variance.data(), half_width}}, nullptr);
    return std::get<Band>(figure.panels.at(0).series.at(0));
  };
  EXPECT_EQ(band_of(nullptr).upper, (std::vector<double>{7, 11})) << "three sigma";
  EXPECT_EQ(band_of(half.data()).upper, (std::vector<double>{1.5, 2.25}));
  EXPECT_EQ(band_of(half.data()).lower, (std::vector<double>{0.5, 1.75}));
}

}  // namespace
}  // namespace nouq::plot
