#include "plot/prediction_figure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"

namespace nouq::plot {
namespace {

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

std::string axis_label(const nouq::Axis& axis) { return with_unit(axis.name, axis.unit); }

// Values along the first axis at index `j` of the second, of the flattened field.
std::vector<double> profile(const Grid& grid, Index channels, const double* field, Index j) {
  const Index inner = grid.size() > 1 ? grid[1].size() : 1;
  std::vector<double> values;
  for (Index i = 0; i < grid[0].size(); ++i) values.push_back(field[(i * inner + j) * channels]);
  return values;
}

void add_sample(const Grid& grid, Index channels, const FieldSample& sample, Index j, Panel& panel) {
  const std::vector<double>& x = grid[0].coordinates;
  const std::vector<double> mean = profile(grid, channels, sample.mean, j);
  const double* width = sample.half_width;
  if (width != nullptr || sample.variance != nullptr) {
    Band band{.name = sample.name, .x = x};
    const std::vector<double> values = profile(grid, channels, width != nullptr ? width : sample.variance, j);
    for (std::size_t i = 0; i < mean.size(); ++i) {
      const double half = width != nullptr ? values[i] : 3 * std::sqrt(values[i]);
      band.lower.push_back(mean[i] - half);
      band.upper.push_back(mean[i] + half);
    }
    panel.series.emplace_back(std::move(band));
  }
  panel.series.emplace_back(Line{.name = sample.name, .x = x, .y = mean});
}

// A third, two thirds and the end: where fields of these problems differ most from each other.
std::vector<Index> shown_places(const Grid& grid) {
  if (grid.size() == 1) return {0};
  const nouq::Axis& axis = grid[1];
  std::vector<Index> places;
  for (const Index third : {1, 2, 3}) places.push_back(std::max<Index>(0, axis.size() * third / 3 - 1));
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

// [second axis][first axis], as a map wants it.
Panel map_panel(const Grid& grid, Index channels, const std::string& title, ColourScale colours,
                const auto& value_at) {
  const Index n0 = grid[0].size(), n1 = grid[1].size();
  HeatMap map{.x = grid[0].coordinates,
              .y = grid[1].coordinates,
              .values = Array<double>({n1, n0}),
              .colours = colours};
  for (Index i = 0; i < n0; ++i) {
    for (Index j = 0; j < n1; ++j) map.values[j * n0 + i] = value_at((i * n1 + j) * channels);
  }
  return {.title = title,
          .x = {.label = axis_label(grid[0])},
          .y = {.label = axis_label(grid[1])},
          .series = {std::move(map)}};
}

void require_axes(const Grid& grid, std::size_t most) {
  require(!grid.empty() && grid.size() <= most, "a picture of a field with {} axes: expected 1 to {}",
          grid.size(), most);
}

// One colour means one value in all of them.
void share_range(Panel& a, Panel& b) {
  auto &first = std::get<HeatMap>(a.series.front()), &second = std::get<HeatMap>(b.series.front());
  const auto [low1, high1] = std::minmax_element(first.values.begin(), first.values.end());
  const auto [low2, high2] = std::minmax_element(second.values.begin(), second.values.end());
  const double low = std::min(*low1, *low2), high = std::max(*high1, *high2);
  if (!(low < high)) return;  // two fields of one value
  first.value.low = second.value.low = low;
  first.value.high = second.value.high = high;
}

// The field where its first, slowest axis is at its middle; panels say where that is.
Figure slice_figure(const Grid& grid, Index channels, std::vector<FieldSample> samples, const double* truth) {
  const Grid rest(grid.begin() + 1, grid.end());
  const Index middle = grid.front().size() / 2, at = middle * element_count(shape_of(rest)) * channels;
  const auto moved = [&](const double* field) { return field == nullptr ? nullptr : field + at; };
  for (FieldSample& sample : samples) {
    sample.mean = moved(sample.mean);
    sample.variance = moved(sample.variance);
    sample.half_width = moved(sample.half_width);
  }
  Figure figure = prediction_figure(rest, channels, samples, moved(truth));
  for (Panel& panel : figure.panels)
    panel.title += fmt::format("{}{} = {:.3g}", panel.title.empty() ? "" : ", ", grid.front().name,
                               grid.front().coordinates[middle]);
  return figure;
}

}  // namespace

Figure profile_figure(const Grid& grid, Index channels, const std::vector<FieldSample>& samples,
                      const double* truth) {
  require_axes(grid, 2);
  Figure figure;
  figure.share_y = true;
  for (const Index j : shown_places(grid)) {
    Panel panel{.x = {.label = axis_label(grid[0])}};
    if (grid.size() > 1) panel.title = fmt::format("{} = {:.3g}", grid[1].name, grid[1].coordinates[j]);
    if (truth != nullptr) {
      panel.series.emplace_back(Line{.name = "truth",
                                     .x = grid[0].coordinates,
                                     .y = profile(grid, channels, truth, j),
                                     .colour = Colour::ink,
                                     .stroke = Stroke::dashed});
    }
    for (const FieldSample& sample : samples) add_sample(grid, channels, sample, j, panel);
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

Figure map_figure(const Grid& grid, Index channels, const FieldSample& sample, const double* truth) {
  require_axes(grid, 2);
  require(grid.size() == 2, "a map of a field with one axis: expected two");
  Figure figure;
  const auto mean = [&](Index i) { return sample.mean[i]; };
  figure.panels.push_back(map_panel(grid, channels, "mean", ColourScale::sequential, mean));
  if (sample.variance != nullptr)
    figure.panels.push_back(map_panel(grid, channels, "standard deviation", ColourScale::heat,
                                      [&](Index i) { return std::sqrt(sample.variance[i]); }));
  if (truth != nullptr) {
    figure.panels.push_back(
        map_panel(grid, channels, "truth", ColourScale::sequential, [&](Index i) { return truth[i]; }));
    share_range(figure.panels.front(), figure.panels.back());
    figure.panels.push_back(map_panel(grid, channels, "|error|", ColourScale::heat,
                                      [&](Index i) { return std::abs(sample.mean[i] - truth[i]); }));
  }
  return figure;
}

Figure prediction_figure(const Grid& grid, Index channels, const std::vector<FieldSample>& samples,
                         const double* truth) {
  require(!samples.empty(), "a picture of no prediction");
  if (grid.size() > 2) return slice_figure(grid, channels, samples, truth);
  const bool profiles = grid.size() == 1 || grid.back().name == "t";
  return profiles ? profile_figure(grid, channels, samples, truth)
                  : map_figure(grid, channels, samples.back(), truth);
}

Figure channels_figure(const Grid& grid, const std::vector<Channel>& channels,
                       const std::vector<FieldSample>& samples, const double* truth) {
  Figure all;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const auto moved = [&](const double* field) { return field == nullptr ? nullptr : field + c; };
    std::vector<FieldSample> own = samples;
    for (FieldSample& sample : own)
      sample = {sample.name, moved(sample.mean), moved(sample.variance), moved(sample.half_width)};
    Figure figure = prediction_figure(grid, std::ssize(channels), own, moved(truth));
    const std::string label = with_unit(channels[c].name, channels[c].unit);
    for (Panel& panel : figure.panels) {
      if (heat_map_of(panel) == nullptr) panel.y.label = label;
      if (channels.size() > 1) panel.title = label + (panel.title.empty() ? "" : ", ") + panel.title;
      all.panels.push_back(std::move(panel));
    }
    all.share_y = figure.share_y && channels.size() == 1;
  }
  return all;
}

}  // namespace nouq::plot
