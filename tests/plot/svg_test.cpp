#include <cstdlib>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "data/temporary_folder.h"
#include "plot/picture.h"
#include "plot/sample_page.h"
#include "support/paths.h"

namespace nouq::test {
namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Figure simple_line(std::vector<double> y) {
  return {.title = "T",
          .panels = {{.x = {.low = 0, .high = 3},
                      .y = {.low = 0, .high = 10},
                      .series = {Line{.x = {0, 1, 2, 3}, .y = std::move(y), .colour = Colour::green}}}}};
}

// The y coordinates of the curves drawn in a colour, curve by curve.
std::vector<std::vector<double>> curves(const std::string& text, const std::string& colour) {
  std::vector<std::vector<double>> result;
  const std::regex line("class=\"s-" + colour + "\"[^>]*points=\"([^\"]*)\""), point("[^ ,]+,([^ ]+)");
  for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i) {
    const std::string points = (*i)[1];
    result.emplace_back();
    for (std::sregex_iterator p(points.begin(), points.end(), point); p != end; ++p)
      result.back().push_back(std::stod((*p)[1]));
  }
  return result;
}

TEST(Svg, ACurveHasItsNumbers) {
  const auto drawn = curves(svg(simple_line({0, 10, 5, 2.5})), "green");
  ASSERT_EQ(drawn.size(), 1U);
  ASSERT_EQ(drawn[0].size(), 4U);
  const double bottom = drawn[0][0], height = bottom - drawn[0][1];
  EXPECT_GT(height, 100);
  EXPECT_NEAR((bottom - drawn[0][2]) / height, 0.5, 1e-3);
  EXPECT_NEAR((bottom - drawn[0][3]) / height, 0.25, 1e-3);
}

TEST(Svg, AMissingValueIsAGap) {
  const auto drawn = curves(svg(simple_line({0, 10, missing, 2.5})), "green");
  ASSERT_EQ(drawn.size(), 1U);  // and a marker for the lonely point
  EXPECT_EQ(drawn[0].size(), 2U);
  const std::string all_missing = svg(simple_line({missing, missing, missing, missing}));
  EXPECT_TRUE(holds(all_missing, "no values to draw"));
  EXPECT_FALSE(holds(all_missing, "nan"));
}

TEST(Svg, AreasLieBelowCurvesAndPointsOnTop) {
  const std::vector<double> x = {0, 1}, y = {0, 1};
  const Figure figure = {
      .title = "T",
      .panels = {{.series = {Points{.x = x, .y = y, .colour = Colour::orange},
                             Line{.x = x, .y = y, .colour = Colour::green},
                             Band{.x = x, .lower = x, .upper = {1, 2}, .colour = Colour::purple}}}}};
  const std::string text = svg(figure, {.standalone = false});
  const auto band = text.find("f-purple"), line = text.find("s-green"), points = text.find("f-orange");
  EXPECT_LT(band, line);
  EXPECT_LT(line, points);
  EXPECT_NE(points, std::string::npos);
}

TEST(Svg, TicksAndLabelsAreThere) {
  const std::string text = svg(band_figure());
  for (const char* label :
       {">0.50<", ">1.00<", ">u(x, t = 1)<", ">prediction, 3σ<", ">small shift<", ">front<"})
    EXPECT_TRUE(holds(text, label)) << label;
  EXPECT_EQ(count(text, ">u(x, t = 1)<"), 2U) << "shared axes are labelled once a row";
  EXPECT_TRUE(holds(svg(curve_figure()), ">10⁻²<"));
}

TEST(Svg, BothThemesAndPaper) {
  const std::string text = svg(curve_figure());
  EXPECT_TRUE(holds(text, "@media screen and (prefers-color-scheme: dark)"));
  EXPECT_TRUE(holds(text, "stroke=\"#0072b2\""));
  EXPECT_TRUE(holds(text, ".s-blue{stroke:#4fa8e0}"));
  EXPECT_FALSE(holds(svg(curve_figure(), {.standalone = false}), "<style>"));
}

TEST(Svg, TextsAreEscaped) {
  Figure figure = curve_figure();
  figure.title = hostile + " & \"quotes\" \x01 \xff";
  figure.panels[0].x.label = hostile;
  const std::string text = svg(figure);
  EXPECT_FALSE(holds(text, "<script"));
  EXPECT_TRUE(
      holds(text, "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#34;quotes&#34; \xef\xbf\xbd \xef\xbf\xbd"));
}

TEST(Svg, AMapHasItsColoursAndMissingCellsHaveNone) {
  HeatMap map = {.x = {0, 1}, .y = {0, 1}, .values = Array<double>({2, 2}, {0, 1, missing, 0.5})};
  const std::string text = svg({.title = "M", .panels = {{.series = {map}}}});
  EXPECT_TRUE(holds(text, "fill=\"#440154\""));
  EXPECT_TRUE(holds(text, "fill=\"#fde725\""));
  EXPECT_TRUE(holds(text, "crispEdges\" class=\"f-grid\""));
}

TEST(Svg, PointsHaveStrokesAndLabels) {
  Figure figure = points_figure();
  const std::string text = svg(figure);
  EXPECT_NE(text.find(">16</text>"), std::string::npos);
  for (Series& series : figure.panels[0].series) std::get<Points>(series).stroke = Stroke::solid;
  EXPECT_NE(text.find("stroke-dasharray=\"6 4\""), std::string::npos);
  EXPECT_EQ(svg(figure).find("stroke-dasharray=\""), std::string::npos);
}

TEST(Svg, NothingLiesOutsideTheWidth) {
  for (const Figure& figure :
       {band_figure(), curve_figure(), bar_figure(), points_figure(), map_figure(), weights_figure()}) {
    for (const double width : {360.0, 760.0}) {
      const auto ranges = ranges_of(figure);
      const Layout layout = lay_out(figure, ranges, {.width = width, .columns = width < 500 ? 1 : 0});
      for (const PanelLayout& panel : layout.panels) {
        EXPECT_GT(panel.plot.left, 0) << figure.title;
        EXPECT_LT(panel.plot.right(), width) << figure.title;
        EXPECT_LT(panel.plot.bottom(), layout.height) << figure.title;
        EXPECT_GT(panel.plot.width, 60) << figure.title;
      }
      for (const ColourBarLayout& bar : layout.bars) EXPECT_LT(bar.label_at, width) << figure.title;
    }
  }
}

TEST(Svg, StrictReadersTakeIt) {
  if (test_python().empty()) GTEST_SKIP() << "no Python was found when this was configured";
  const TemporaryFolder folder;
  std::string files;
  int number = 0;
  for (Figure figure :
       {band_figure(), curve_figure(), bar_figure(), points_figure(), map_figure(), weights_figure()}) {
    figure.title += hostile + "\x02\xc3";
    const auto path = folder / fmt::format("{}.svg", ++number);
    write_figure(path, figure);
    files += " " + path.string();
  }
  for (const Interaction interaction : {Interaction::if_available, Interaction::none}) {
    const auto path = folder / fmt::format("{}.html", ++number);
    write_page(path, sample_page(), interaction);
    files += " " + path.string();
  }
  EXPECT_EQ(std::system(fmt::format("{} -B {}/tests/plot/python/check_markup.py{}", test_python(),
                                    source_dir(), files)
                            .c_str()),
            0);
}

TEST(Png, IsAPicture) {
  if (!has_png()) GTEST_SKIP() << "built without Cairo";
  const std::string light = png(curve_figure(), {.scale = 1});
  const std::string dark = png(curve_figure(), {.theme = Theme::dark, .scale = 1});
  EXPECT_EQ(light.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(light.substr(16, 4), std::string("\0\0\x02\xf8", 4)) << "760 pixels wide";
  EXPECT_NE(light, dark);
  EXPECT_ERROR(png(curve_figure(), {.scale = 0}), "scale of a PNG = 0");
}

TEST(Png, WithoutCairoTheErrorSaysWhatToDo) {
  if (has_png()) GTEST_SKIP() << "built with Cairo";
  EXPECT_ERROR(write_figure("figure.png", curve_figure()), "write the figure as .svg instead");
}

TEST(WriteFigure, KnowsTwoEndings) {
  EXPECT_ERROR(write_figure("figure.gif", curve_figure()), "expected a name that ends in .svg or .png");
}

}  // namespace
}  // namespace nouq::test
