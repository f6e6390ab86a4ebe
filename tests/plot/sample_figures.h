// Figures of every kind, for the renderers' tests and for the page that a browser opens.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "plot/figure.h"

namespace nouq::test {

using namespace nouq::plot;  // NOLINT: a header of tests only

inline const double missing = std::numeric_limits<double>::quiet_NaN();

inline std::vector<double> places(Index n, double low = 0, double high = 1) {
  std::vector<double> values;
  for (Index i = 0; i < n; ++i)
    values.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(n - 1));
  return values;
}

template <class Function>
std::vector<double> map(const std::vector<double>& x, Function function) {
  std::vector<double> y;
  for (const double value : x) y.push_back(function(value));
  return y;
}

// A front with a band that widens with the shift: the most common picture of the house.
inline Panel front_panel(const std::string& title, double width) {
  const auto x = places(101);
  const auto front = [](double v) { return v < 0.62 ? std::sqrt(std::max(0.0, 1 - v / 0.62)) : 0.0; };
  const auto mean = map(x, [&](double v) { return front(v) + 0.4 * width * std::sin(14 * v); });
  const auto deviation =
      map(x, [&](double v) { return width * (0.3 + std::exp(-80 * (v - 0.62) * (v - 0.62))); });
  Band band = {.name = "prediction, 3σ", .x = x, .lower = mean, .upper = mean};
  for (std::size_t i = 0; i < x.size(); ++i) {
    band.lower[i] -= 3 * deviation[i];
    band.upper[i] += 3 * deviation[i];
  }
  return {
      .title = title,
      .x = {.label = "x"},
      .y = {.label = "u(x, t = 1)"},
      .series =
          {Line{.name = "truth", .x = x, .y = map(x, front), .colour = Colour::ink, .stroke = Stroke::dashed},
           Line{.name = "prediction, 3σ", .x = x, .y = mean}, band},
      .references = {{.direction = Direction::vertical, .at = 0.62, .label = "front"}}};
}

inline Figure band_figure() {
  return {.title = "Solution profiles of the porous medium equation with three standard deviations",
          .caption = "The band widens with the shift, and most at the front, where the error is largest.",
          .panels = {front_panel("in domain, m ∈ [2, 3]", 0.01), front_panel("small shift", 0.03),
                     front_panel("medium shift", 0.06), front_panel("large shift, m ∈ [5, 6]", 0.12)},
          .columns = 2,
          .share_x = true,
          .share_y = true};
}

inline Figure curve_figure() {
  const auto epoch = places(200, 1, 500);
  auto loss = map(epoch, [](double e) { return 0.6 * std::pow(e, -0.9) * (1.1 + std::sin(e)); });
  loss[60] = loss[61] = missing;
  return {
      .title = "Training",
      .caption = "Both losses fall; the gap is where an evaluation was missing.",
      .panels = {{.x = {.label = "epoch"},
                  .y = {.label = "relative L2", .scale = Scale::log},
                  .series = {Line{.name = "training", .x = epoch, .y = loss},
                             Line{.name = "validation",
                                  .x = epoch,
                                  .y = map(epoch, [](double e) { return 0.8 * std::pow(e, -0.8) + 2e-3; })}},
                  .references = {{.at = 2e-3, .label = "noise floor"}}}}};
}

inline Figure bar_figure() {
  Figure figure = {
      .title = "n-MeRCI against shift",
      .caption = "Lower is better. Ensemble and diverse stay low where the cheap methods do not.",
      .share_y = true};
  const std::vector<std::string> methods = {"Bayesian", "variance", "dropout", "ensemble", "diverse"};
  const std::vector<std::string> problems = {"heat", "porous medium", "Stefan"};
  Panel panel = {.x = {.categories = problems}, .y = {.label = "n-MeRCI", .scale = Scale::log}};
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const double level = m < 3 ? 0.6 : 0.02;
    panel.series.emplace_back(Bars{.name = methods[m],
                                   .values = {level, 0.4 * level * static_cast<double>(m + 1), 1.3 * level},
                                   .error = {0.2 * level, 0.1 * level, 0.3 * level}});
  }
  panel.title = "medium shift";
  figure.panels.push_back(panel);
  panel.title = "large shift";
  figure.panels.push_back(panel);
  return figure;
}

inline Figure points_figure() {
  Figure figure = {.title = "Cost and quality",
                   .caption = "DiverseNO reaches the ensemble's quality at a fraction of its cost.",
                   .panels = {{.x = {.label = "floating-point operations", .scale = Scale::log},
                               .y = {.label = "MSE", .scale = Scale::log}}}};
  figure.panels[0].series = {Points{.name = "ensemble",
                                    .x = {1e10, 4e10, 1.6e11, 6e11},
                                    .y = {4e-3, 1.1e-3, 3e-4, 2.2e-4},
                                    .error = {1e-3, 3e-4, 1e-4, 2.5e-4},
                                    .joined = true},
                             Points{.name = "diverse",
                                    .x = {1.2e9, 5e9, 2e10, 7e10},
                                    .y = {5e-3, 1.2e-3, 3.4e-4, 2.4e-4},
                                    .error = {9e-4, 2e-4, 5e-5, 4e-5},
                                    .joined = true,
                                    .stroke = Stroke::dashed,
                                    .labels = {"8", "16", "32", "64"}}};
  return figure;
}

inline HeatMap wave_map(Index nx, Index ny, double frequency, ColourScale colours, const std::string& label) {
  HeatMap map = {.x = places(nx), .y = places(ny), .values = Array<double>({ny, nx}), .colours = colours};
  map.value.label = label;
  Index i = 0;
  for (const double y : map.y) {
    for (const double x : map.x)
      map.values[i++] = std::sin(frequency * x * std::numbers::pi) * std::cos(2 * y) +
                        (colours == ColourScale::heat ? 1.0 : 0.0);
  }
  return map;
}

inline Figure map_figure() {
  Figure figure = {.title = "Darcy flow: solution, error and uncertainty",
                   .caption = "The uncertainty is large where the error is.",
                   .aspect = 1};
  const auto panel = [](const char* title, HeatMap map) {
    return Panel{.title = title, .x = {.label = "x"}, .y = {.label = "y"}, .series = {std::move(map)}};
  };
  auto holed = wave_map(64, 64, 2, ColourScale::diverging, "error");
  for (Index i = 0; i < 200; ++i) holed.values[i * 7 % 700] = missing;
  figure.panels = {panel("solution", wave_map(64, 64, 1, ColourScale::sequential, "u")),
                   panel("error", std::move(holed)),
                   panel("standard deviation", wave_map(64, 64, 3, ColourScale::heat, "σ"))};
  figure.share_y = true;
  return figure;
}

// Many small panels with one colour range, logarithmic: the spectral weights of a network.
inline Figure weights_figure() {
  Figure figure = {.title = "Magnitude of the Fourier weights",
                   .caption = "Members of the ensemble differ in the high modes.",
                   .columns = 4,
                   .share_x = true,
                   .share_y = true,
                   .share_values = true,
                   .aspect = 0.6};
  for (int member = 0; member < 8; ++member) {
    auto map = wave_map(24, 12, 1.0 + member, ColourScale::heat, "|R|");
    for (double& value : map.values) value = 1e-4 * std::pow(10, 1.5 * value);
    map.value.scale = Scale::log;
    map.x = places(24, -12, 11);
    map.y = places(12, 0, 11);
    figure.panels.push_back({.title = "member " + std::to_string(member + 1),
                             .x = {.label = "mode in x"},
                             .y = {.label = "mode in t"},
                             .series = {map}});
  }
  return figure;
}

}  // namespace nouq::test
