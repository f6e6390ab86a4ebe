#include "plot/figure.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "plot/axes.h"
#include "plot/picture.h"
#include "plot/sample_figures.h"
#include "plot/text_plot.h"

namespace nouq::test {
namespace {

Figure one(Series series, Axis x = {}, Axis y = {}) {
  return {.title = "F", .panels = {{.x = std::move(x), .y = std::move(y), .series = {std::move(series)}}}};
}

TEST(Figure, WhatCannotBeDrawnIsAnError) {
  EXPECT_ERROR(validate(Figure{.title = "F"}), "figure 'F' has no panels");
  EXPECT_ERROR(svg(Figure{.title = "F"}), "figure 'F' has no panels");
  EXPECT_ERROR(text_plot(Figure{.title = "F"}), "figure 'F' has no panels");
  EXPECT_ERROR(validate(Figure{.title = "F", .panels = {{}}}), "figure 'F', panel 1 has no series");
  EXPECT_ERROR(validate(one(Line{.name = "a", .x = {1, 2}, .y = {1}})),
               "figure 'F', panel 1, series 'a': y has 1 values, expected 2");
  EXPECT_ERROR(validate(one(Band{.x = {1}, .lower = {1}, .upper = {}})), "upper has 0 values, expected 1");
  EXPECT_ERROR(validate(one(Points{.x = {1}, .y = {1}, .error = {1, 2}})), "error has 2 values, expected 1");
  EXPECT_ERROR(validate(one(Points{.x = {1}, .y = {1}, .labels = {"a", "b"}})),
               "labels has 2 values, expected 1");
  EXPECT_ERROR(validate(one(Bars{.values = {1, 2}}, {.categories = {"a"}})),
               "values has 2 values, expected 1");
  EXPECT_ERROR(validate(one(HeatMap{.x = {0, 1}, .y = {0}, .values = Array<double>({2, 1})})),
               "heat map of shape [2, 1], expected [1, 2] (y, x)");
  EXPECT_ERROR(validate(one(HeatMap{.x = {1, 0}, .y = {0}, .values = Array<double>({1, 2})})),
               "x of the heat map must be increasing");
  EXPECT_ERROR(validate(one(Line{}, {.low = 2, .high = 1})), "x axis from 2 to 1, expected low < high");
  EXPECT_ERROR(validate(one(Line{}, {}, {.scale = Scale::log, .low = 0})), "y axis is logarithmic");
}

TEST(Figure, TwoHeatMapsInOnePanelAreAnError) {
  Figure figure = map_figure();
  figure.panels[0].series.push_back(figure.panels[1].series[0]);
  EXPECT_ERROR(validate(figure), "panel 1 has 2 heat maps, expected one at most");
}

TEST(Legend, OneEntryPerNameWithTheColourAskedFor) {
  const auto keys = legend_of(band_figure());
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(keys[0].name, "truth");
  EXPECT_EQ(keys[0].colour, Colour::ink);
  EXPECT_EQ(keys[0].stroke, Stroke::dashed);
  EXPECT_EQ(keys[1].colour, Colour::blue);
  EXPECT_TRUE(keys[1].line && keys[1].band);
}

TEST(Legend, AutomaticColoursAvoidThoseTaken) {
  Figure figure = one(Line{.name = "a"});
  figure.panels[0].series = {Line{.name = "a"}, Line{.name = "b", .colour = Colour::blue}, Line{.name = "c"}};
  const auto keys = legend_of(figure);
  EXPECT_EQ(keys[0].colour, Colour::vermilion);
  EXPECT_EQ(keys[1].colour, Colour::blue);
  EXPECT_EQ(keys[2].colour, Colour::green);
  EXPECT_EQ(look_of(keys, Line{.name = "c"}).colour, Colour::green);
}

TEST(Legend, MoreSeriesThanColoursStartOver) {
  Figure figure = one(Line{});
  figure.panels[0].series.clear();
  for (int i = 0; i < 16; ++i) figure.panels[0].series.emplace_back(Line{.name = std::to_string(i)});
  const auto keys = legend_of(figure);
  EXPECT_EQ(keys[0].colour, keys[7].colour);
  EXPECT_NE(keys[0].colour, keys[1].colour);
  EXPECT_NE(keys[8].colour, keys[9].colour);
}

TEST(Ranges, GapsDoNotCount) {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto ranges = ranges_of(one(Line{.x = {0, 1, 2, 3}, .y = {1, missing, infinite, 3}}));
  EXPECT_NEAR(ranges[0].y.low, 0.92, 1e-12);
  EXPECT_NEAR(ranges[0].y.high, 3.08, 1e-12);
  EXPECT_FALSE(ranges[0].empty);
  EXPECT_TRUE(ranges_of(one(Line{.x = {0, 1}, .y = {missing, missing}}))[0].empty);
}

// A word stands above and to the right of its point.
TEST(Ranges, LeaveRoomForWordsBesidePoints) {
  Points points{.x = {1, 100}, .y = {3, 7}};
  for (const bool labelled : {false, true}) {
    if (labelled) points.labels = {"8", "64"};
    const PanelRanges ranges = ranges_of(one(points, {.scale = Scale::log}))[0];
    EXPECT_EQ(position(100, ranges.x, Scale::log) < 0.9, labelled);
    EXPECT_EQ(position(7, ranges.y, Scale::linear) < 0.9, labelled);
  }
}

TEST(Ranges, LogarithmicAxesLeaveOutWhatIsNotPositive) {
  const auto ranges = ranges_of(one(Line{.x = {0, 1, 2}, .y = {-1, 1e-3, 1}}, {}, {.scale = Scale::log}));
  EXPECT_GT(ranges[0].y.low, 1e-4);
  EXPECT_LE(ranges[0].y.low, 1e-3);
}

TEST(Ranges, BarsOfLargeDeviationsDoNotStretchLogarithmicAxes) {
  const auto low = [](double error, Scale scale) {
    return ranges_of(one(Points{.x = {0, 1}, .y = {1, 2}, .error = {error, 0}}, {}, {.scale = scale}))[0]
        .y.low;
  };
  EXPECT_NEAR(low(0.5, Scale::log), 0.5, 0.05) << "a bar that has its place";
  for (const double error : {0.9999, 1.0, 3.0}) {
    EXPECT_LT(low(error, Scale::log), 0.2) << error;
    EXPECT_GT(low(error, Scale::log), 0.1) << error;
  }
  EXPECT_LT(low(3, Scale::linear), -2) << "where there is room for it";
}

TEST(Ranges, AskedForEndsWinAndAConstantHasRoom) {
  const auto asked = ranges_of(one(Line{.x = {0, 1}, .y = {5, 6}}, {}, {.low = 0}));
  EXPECT_EQ(asked[0].y.low, 0);
  const auto constant = ranges_of(one(Line{.x = {0, 1}, .y = {5, 5}}));
  EXPECT_LT(constant[0].y.low, 5);
  EXPECT_GT(constant[0].y.high, 5);
  const auto beyond = ranges_of(one(Line{.x = {0, 1}, .y = {5, 6}}, {}, {.low = 10}));
  EXPECT_LT(beyond[0].y.low, beyond[0].y.high);
}

TEST(Ranges, AreFiniteAndHaveRoomWhateverTheValues) {
  const double next = std::nextafter(0.3, 1.0), largest = std::numeric_limits<double>::max();
  for (const std::vector<double>& y :
       {std::vector<double>{0.3, next}, {1e308, 1}, {-largest, largest}, {5e-324, largest}, {0, 5e-324}}) {
    for (const Scale scale : {Scale::linear, Scale::log}) {
      const Range range = ranges_of(one(Line{.x = {0, 1}, .y = y}, {}, {.scale = scale}))[0].y;
      EXPECT_TRUE(std::isfinite(range.low) && std::isfinite(range.high)) << y[0] << " " << y[1];
      EXPECT_TRUE(std::isfinite(range.high - range.low)) << y[0] << " " << y[1];
      EXPECT_LT(range.low, range.high) << y[0] << " " << y[1];
      EXPECT_LE(ticks_of(range, scale, 5).size(), 101U);
      const double middle = position(0.5 * (range.low + range.high), range, scale);
      EXPECT_TRUE(middle >= 0 && middle <= 1) << middle;
    }
  }
}

TEST(Ranges, AreSharedWhereAskedFor) {
  Figure figure = band_figure();
  for (const PanelRanges& ranges : ranges_of(figure)) EXPECT_EQ(ranges.y.high, ranges_of(figure)[0].y.high);
  figure.share_y = false;
  EXPECT_LT(ranges_of(figure)[0].y.high, ranges_of(figure)[3].y.high);
}

TEST(Ranges, SignedMapsAreSymmetric) {
  const auto range = *ranges_of(map_figure())[1].value;
  EXPECT_EQ(range.low, -range.high);
}

TEST(Ranges, BarsStandOnZero) {
  const auto ranges = ranges_of(one(Bars{.values = {3, 4}}, {.categories = {"a", "b"}}));
  EXPECT_EQ(ranges[0].y.low, 0);
  EXPECT_EQ(ranges[0].x.low, -0.5);
  EXPECT_EQ(ranges[0].x.high, 1.5);
}

TEST(CellEdges, AreMidway) {
  EXPECT_EQ(cell_edges({0, 1, 3}), (std::vector<double>{-0.5, 0.5, 2, 4}));
  EXPECT_EQ(cell_edges({7}), (std::vector<double>{6.5, 7.5}));
}

}  // namespace
}  // namespace nouq::test
