#include "plot/plotly.h"

#include <cmath>

#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "plot/sample_page.h"

namespace nouq::test {
namespace {

TEST(Plotly, TracesHaveTheNumbersAndGapsAreNull) {
  const plot::Json traces = plotly_traces(curve_figure());
  ASSERT_EQ(traces.size(), 2U);
  EXPECT_EQ(traces[0]["y"].size(), 200U);
  EXPECT_TRUE(traces[0]["y"][60].is_null());
  EXPECT_NEAR(traces[1]["y"][0].get<double>(), 0.802, 1e-6);
  EXPECT_EQ(traces[0]["line"]["color"], "@blue");
  EXPECT_ERROR(plotly_traces(Figure{}), "has no panels");
}

TEST(Plotly, ABandGoesThereAndBackInPieces) {
  Figure figure = {
      .panels = {{.series = {Band{
                      .name = "b", .x = {0, 1, 2, 3}, .lower = {0, 0, missing, 0}, .upper = {1, 2, 3, 4}}}}}};
  const plot::Json trace = plotly_traces(figure)[0];
  EXPECT_EQ(trace["x"], (plot::Json{0.0, 1.0, 1.0, 0.0, nullptr, 3.0, 3.0}));
  EXPECT_EQ(trace["y"], (plot::Json{1.0, 2.0, 0.0, 0.0, nullptr, 4.0, 0.0}));
  EXPECT_EQ(trace["fillcolor"], "@blue:0.22");
}

// The range of a logarithmic axis is in decades, its ticks are not.
TEST(Plotly, TicksOfShortLogarithmicAxesAreOnTheAxis) {
  const Figure figure = {
      .panels = {{.y = {.scale = Scale::log}, .series = {Line{.x = {0, 1}, .y = {0.02, 0.3}}}}}};
  const plot::Json axis = plotly_layout(figure)["yaxis"];
  EXPECT_EQ(axis["ticktext"], (plot::Json{"0.02", "0.05", "0.1", "0.2"}));
  for (const plot::Json& tick : axis["tickvals"]) {
    EXPECT_GE(std::log10(tick.get<double>()), axis["range"][0].get<double>());
    EXPECT_LE(std::log10(tick.get<double>()), axis["range"][1].get<double>());
  }
  EXPECT_NEAR(axis["tickvals"][1].get<double>(), 0.05, 1e-12);
}

TEST(Plotly, PointsHaveStrokesAndLabels) {
  Figure figure = points_figure();
  std::get<Points>(figure.panels[0].series[1]).labels[3] = "<b>";
  const plot::Json traces = plotly_traces(figure);
  EXPECT_EQ(traces[0]["mode"], "lines+markers");
  EXPECT_EQ(traces[1]["mode"], "lines+markers+text");
  EXPECT_EQ(traces[1]["line"]["dash"], "dash");
  EXPECT_EQ(traces[1]["text"], (plot::Json{"8", "16", "32", "&lt;b&gt;"}));
}

TEST(Plotly, ANameIsInTheLegendOnce) {
  int shown = 0;
  for (const plot::Json& trace : plotly_traces(band_figure()))
    shown += trace["showlegend"].get<bool>() ? 1 : 0;
  EXPECT_EQ(shown, 2);
}

TEST(Plotly, AxesMatchWherePanelsShare) {
  const plot::Json layout = plotly_layout(band_figure());
  EXPECT_EQ(layout["xaxis4"]["matches"], "x");
  EXPECT_EQ(layout["yaxis2"]["showticklabels"], false);
  EXPECT_EQ(layout["yaxis3"]["title"]["text"], "u(x, t = 1)");
  const plot::Json log = plotly_layout(curve_figure())["yaxis"];
  EXPECT_EQ(log["type"], "log");
  EXPECT_LT(log["range"][0].get<double>(), -3);
}

TEST(Plotly, LogarithmicMapsKeepTheTrueValues) {
  const Figure figure = weights_figure();
  const plot::Json trace = plotly_traces(figure)[0];
  const double value = std::get<HeatMap>(figure.panels[0].series[0]).values[5];
  EXPECT_NEAR(trace["customdata"][0][5].get<double>(), value, 1e-5 * value);
  EXPECT_NEAR(trace["z"][0][5].get<double>(), std::log10(value), 1e-5);
  const plot::Json layout = plotly_layout(figure);
  EXPECT_EQ(trace["coloraxis"], "coloraxis");
  EXPECT_FALSE(layout.contains("coloraxis2")) << "one colour bar for all";
  EXPECT_TRUE(plotly_layout(map_figure()).contains("coloraxis3"));
}

TEST(Plotly, ReferenceLinesAndTheirLabels) {
  const plot::Json layout = plotly_layout(curve_figure());
  ASSERT_EQ(layout["shapes"].size(), 1U);
  EXPECT_EQ(layout["shapes"][0]["y0"], 2e-3);
  EXPECT_EQ(layout["annotations"][0]["text"], "noise floor");
  EXPECT_NEAR(layout["annotations"][0]["y"].get<double>(), std::log10(2e-3), 1e-12);
}

TEST(Plotly, TextsAreSafeForItsMarkup) {
  Figure figure = curve_figure();
  std::get<Line>(figure.panels[0].series[0]).name = "<b>" + hostile + "\xff";
  figure.panels[0].title = hostile;
  const std::string json = plotly_traces(figure).dump() + plotly_layout(figure).dump();
  EXPECT_EQ(json.find("<script"), std::string::npos);
  EXPECT_NE(json.find("&lt;b&gt;&lt;script&gt;alert(1)"), std::string::npos);
}

}  // namespace
}  // namespace nouq::test
