#include "plot/text_plot.h"

#include <sstream>

#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "plot/sample_page.h"
#include "plot/text_grid.h"
#include "plot/typesetting.h"

namespace nouq::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(TextGrid, DotsAreWhereTheyBelong) {
  TextGrid grid(2, 1);
  grid.dot(0, 0, Colour::ink);
  grid.dot(3, 3, Colour::ink);
  grid.dot(-1, 0, Colour::ink);
  grid.dot(4, 0, Colour::ink);
  grid.dot(0, 4, Colour::ink);
  EXPECT_EQ(grid.row(0, false), "⠁⢀");
  EXPECT_EQ(grid.row(0, true), "\x1b[39m⠁\x1b[0m\x1b[39m⢀\x1b[0m");
}

TEST(TextPlot, ADiagonalIsADiagonal) {
  const Figure figure = {.panels = {{.x = {.low = 0, .high = 1},
                                     .y = {.low = 0, .high = 1},
                                     .series = {Line{.x = {0, 1}, .y = {0, 1}}}}}};
  const auto lines = lines_of(text_plot(figure, {.width = 30, .height = 6}));
  ASSERT_GE(lines.size(), 8U);
  const auto first = [&](std::size_t line) {  // place of the first dot of a row
    const auto letters = characters(lines[line]);
    std::size_t at = 0;
    while (letters[at] != "│") ++at;
    for (++at; letters[at] == " ";) ++at;
    return at;
  };
  for (std::size_t r = 1; r < 6; ++r) EXPECT_LT(first(r), first(r - 1)) << "row " << r;
  EXPECT_EQ(lines[6].find("└") != std::string::npos, true);
  EXPECT_NE(lines[7].find("0.0"), std::string::npos);
  EXPECT_NE(lines[7].find("1.0"), std::string::npos);
}

TEST(TextPlot, NoLineIsTooWideAndNoEscapeWithoutColour) {
  Figure long_names = bar_figure();
  long_names.title = std::string(200, 'x');
  long_names.panels[0].x.categories[0] = std::string(200, 'y');
  for (const Figure& figure :
       {band_figure(), curve_figure(), long_names, points_figure(), map_figure(), weights_figure()}) {
    for (const Index width : {30, 80}) {
      for (const std::string& line : lines_of(text_plot(figure, {.width = width})))
        EXPECT_LE(characters(line).size(), static_cast<std::size_t>(width)) << line;
    }
    EXPECT_EQ(text_plot(figure).find('\x1b'), std::string::npos);
    EXPECT_NE(text_plot(figure, {.colour = true}).find('\x1b'), std::string::npos);
  }
}

TEST(TextPlot, NoStringDrivesTheTerminal) {
  Figure figure = curve_figure();
  figure.title = "\x1b[2J";
  figure.panels[0].x.label = "a\nb\x07";
  std::get<Line>(figure.panels[0].series[0]).name = "\x1b]0;x";
  const std::string text = text_plot(figure);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_NE(text.find("a b"), std::string::npos);
}

TEST(TextPlot, MapsHaveShadesAndAKey) {
  HeatMap map = {.x = {0, 1}, .y = {0, 1}, .values = Array<double>({2, 2}, {0, 1, missing, 1})};
  map.value.label = "u";
  const std::string text = text_plot({.panels = {{.series = {map}}}}, {.width = 30, .height = 4});
  const auto lines = lines_of(text);
  EXPECT_NE(lines[0].find("··"), std::string::npos) << "the missing value is above";
  EXPECT_NE(lines[0].find("██"), std::string::npos);
  EXPECT_EQ(lines[3].find("··"), std::string::npos);
  EXPECT_NE(text.find("0.00 ["), std::string::npos);
  EXPECT_NE(text.find("] 1.00  u"), std::string::npos);
}

TEST(TextPlot, BarsHaveTheirNumbers) {
  const std::string text = text_plot(bar_figure());
  for (const char* part : {"heat", "Bayesian", "0.600", "0.0200"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(TextPlot, NothingToDrawIsSaid) {
  const Figure figure = {.panels = {{.series = {Line{.x = {0, 1}, .y = {missing, missing}}}}}};
  EXPECT_NE(text_plot(figure).find("(no values to draw)"), std::string::npos);
  EXPECT_ERROR(text_plot(curve_figure(), {.width = 10}), "width of a text plot = 10: expected 30 to 1000");
  EXPECT_ERROR(text_plot(curve_figure(), {.height = 1}), "height of a text plot = 1");
}

}  // namespace
}  // namespace nouq::test
