#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "paper/study_sections.h"

namespace nouq::paper {
namespace {

// Of values by output channel and frequency.
Panel map_panel(const std::vector<double>& frequencies, const std::vector<double>& values,
                const std::string& title, const std::string& label, ColourScale colours) {
  std::vector<double> channels(values.size() / frequencies.size());
  std::iota(channels.begin(), channels.end(), 0.0);
  const Shape shape = {std::ssize(channels), std::ssize(frequencies)};
  return {.title = title,
          .x = {.label = "frequency"},
          .y = {.label = "channel"},
          .series = {HeatMap{.x = frequencies,
                             .y = std::move(channels),
                             .values = Array<double>(shape, values),
                             .colours = colours,
                             .value = {.label = label}}}};
}

// Root mean square over the curves' deviations from their mean, over that of the mean.
double relative_spread(const std::vector<std::vector<double>>& curves) {
  double deviations = 0, size = 0;
  const auto n = static_cast<double>(curves.size());
  for (std::size_t i = 0; i < curves.front().size(); ++i) {
    double mean = 0;
    for (const auto& curve : curves) mean += curve[i] / n;
    for (const auto& curve : curves) deviations += std::pow(curve[i] - mean, 2) / n;
    size += mean * mean;
  }
  return size > 0 ? std::sqrt(deviations / size) : 0.0;
}

Panel curves_panel(const nouq::Axis& axis, const std::vector<std::vector<double>>& curves,
                   const std::string& title, const std::string& label,
                   const std::vector<double>& truth = {}) {
  Panel panel{.title = title, .x = {.label = axis.name}, .y = {.label = label}};
  for (std::size_t k = 0; k < curves.size(); ++k)
    panel.series.emplace_back(
        Line{.x = axis.coordinates, .y = curves[k], .colour = series_colours[k % series_colours.size()]});
  if (!truth.empty())
    panel.series.emplace_back(Line{
        .name = "truth", .x = axis.coordinates, .y = truth, .colour = Colour::ink, .stroke = Stroke::dashed});
  return panel;
}

// So that agreement and disagreement are seen at one size.
void share_height(Panel& a, Panel& b) {
  double low = INFINITY, high = -INFINITY;
  for (const Panel* panel : {&a, &b}) {
    for (const Series& series : panel->series) {
      for (const double value : std::get<Line>(series).y) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
  }
  const double margin = 0.05 * (high - low);
  if (!(margin > 0)) return;
  for (Panel* panel : {&a, &b}) {
    panel->y.low = low - margin;
    panel->y.high = high + margin;
  }
}

// ", at t = 0.3 in domain and t = 0.1 at the large shift".
std::string place_words(const MemberPicture& picture, const Grid& grid) {
  if (grid.size() < 2) return "";
  const auto &near = picture.in_domain.place, &far = picture.large.place;
  if (!near || !far) return fmt::format(", in the middle of {}", grid[1].name);
  const auto words = [&](double place) { return fmt::format("{} = {:.3g}", grid[1].name, place); };
  return *near == *far
             ? ", at " + words(*near)
             : fmt::format(", at {} in domain and {} at the large shift", words(*near), words(*far));
}

}  // namespace

Figure weight_figure(const WeightPicture& picture) {
  Figure figure{.title = fmt::format("Fourier weights of block {}", picture.block + 1)};
  for (std::size_t k = 0; k < picture.magnitudes.size(); ++k)
    figure.panels.push_back(map_panel(picture.frequencies, picture.magnitudes[k],
                                      fmt::format("member {}", k + 1), "magnitude", ColourScale::sequential));
  figure.panels.push_back(
      map_panel(picture.frequencies, picture.variation, "variation", "relative", ColourScale::heat));
  figure.caption = fmt::format(
      "Mean magnitude over input channels (and over the frequencies of other axes) for the first members; "
      "last, the coefficient of variation of a weight over all members, averaged in the same way. Every "
      "panel has colours of its own. Of all weights it is {:.2g} on average: 0 would be members that have "
      "learnt the same weights, 1 are weights that differ by as much as their size. (Channels can be "
      "numbered in any order, so that networks with other weights may still be the same function; the "
      "outputs tell.)",
      std::accumulate(picture.variation.begin(), picture.variation.end(), 0.0) /
          static_cast<double>(picture.variation.size()));
  return figure;
}

Figure feature_figure(const MemberPicture& picture, const Grid& grid) {
  const nouq::Axis& axis = grid.front();
  const MemberCurves &near = picture.in_domain, &far = picture.large;
  Figure figure{.title = "Where do members agree?", .columns = 2};
  figure.caption = fmt::format(
      "A line per member{}: left the mean of the features before the last layer, right the output, each on "
      "one scale. Members learn features of their own; their outputs should agree in domain and part where "
      "they have not been trained. Spread over members relative to the size of their mean: features {:.2g} "
      "in domain and {:.2g} at the large shift, outputs {:.2g} and {:.2g}.",
      place_words(picture, grid), relative_spread(near.features), relative_spread(far.features),
      relative_spread(near.outputs), relative_spread(far.outputs));
  figure.panels = {curves_panel(axis, near.features, "features, in domain", "mean feature"),
                   curves_panel(axis, near.outputs, "output, in domain", "u", near.truth),
                   curves_panel(axis, far.features, "features, large shift", "mean feature"),
                   curves_panel(axis, far.outputs, "output, large shift", "u", far.truth)};
  share_height(figure.panels[0], figure.panels[2]);
  share_height(figure.panels[1], figure.panels[3]);
  return figure;
}

}  // namespace nouq::paper
