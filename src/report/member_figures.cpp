#include "report/member_figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/error.h"
#include "nn/network.h"

namespace nouq::report {
namespace {

constexpr std::size_t shown_members = 4;

// Values by output channel and frequency of the first axis.
struct WeightMap {
  std::vector<double> frequencies;
  Array<double> values;  // [channel][frequency]
};

// Frequencies of the first axis in ascending order, and which place of the map a mode belongs to.
struct Frequencies {
  explicit Frequencies(const FnoOptions& o)
      : two_sided(o.modes.size() > 1), kept(o.modes.front()), count(two_sided ? 2 * kept : kept) {}
  // Modes of a two-sided axis are ordered 0..m-1, -m..-1, and the first axis runs fastest.
  [[nodiscard]] Index place(Index mode) const {
    const Index f = mode % count;
    return two_sided ? (f + kept) % count : f;
  }
  [[nodiscard]] double frequency(Index place) const {
    return static_cast<double>(two_sided ? place - kept : place);
  }
  bool two_sided;
  Index kept, count;
};

// Averages a value of every complex weight over input channels and the other axes' frequencies.
WeightMap averaged(const Surrogate& surrogate, Index block, const auto& value_at) {
  const ParameterLayout layout(surrogate.network);
  const Frequencies frequencies(surrogate.network);
  const Index width = surrogate.network.width, modes = layout.mode_count();
  WeightMap map{{}, Array<double>({width, frequencies.count})};
  for (Index f = 0; f < frequencies.count; ++f) map.frequencies.push_back(frequencies.frequency(f));
  const double share = static_cast<double>(frequencies.count) / static_cast<double>(modes * width);
  for (Index mode = 0; mode < modes; ++mode) {
    for (Index in = 0; in < width; ++in) {
      const Index real = layout.spectral(block) + (mode * width + in) * 2 * width;
      for (Index out = 0; out < width; ++out)
        map.values[out * frequencies.count + frequencies.place(mode)] +=
            share *
            value_at(static_cast<std::size_t>(real + out), static_cast<std::size_t>(real + width + out));
    }
  }
  return map;
}

Panel panel_of(WeightMap map, const std::string& title, const std::string& label, ColourScale colours) {
  std::vector<double> channels(static_cast<std::size_t>(map.values.extent(0)));
  std::iota(channels.begin(), channels.end(), 0.0);
  return {.title = title,
          .x = {.label = "frequency"},
          .y = {.label = "channel"},
          .series = {HeatMap{.x = std::move(map.frequencies),
                             .y = std::move(channels),
                             .values = std::move(map.values),
                             .colours = colours,
                             .value = {.label = label}}}};
}

// Deviation over mean of the members' magnitudes of one weight.
double variation(const std::vector<std::vector<float>>& weights, std::size_t real, std::size_t imaginary) {
  double sum = 0, squares = 0;
  for (const auto& member : weights) {
    const double magnitude =
        std::hypot(static_cast<double>(member[real]), static_cast<double>(member[imaginary]));
    sum += magnitude;
    squares += magnitude * magnitude;
  }
  const auto n = static_cast<double>(weights.size());
  const double mean = sum / n, variance = std::max(0.0, (squares - sum * mean) / (n - 1));
  return mean > 0 ? std::sqrt(variance) / mean : 0.0;
}

// Every member's curve along the first axis, at the middle of the second.
struct MemberCurves {
  std::vector<std::vector<double>> features, outputs;
};

MemberCurves curves_of(const Surrogate& surrogate, const float* input) {
  Network<float> network(surrogate.network, shape_of(surrogate.grid));
  const Index features = surrogate.network.features, outputs = surrogate.network.outputs;
  const Index inner = surrogate.grid.size() > 1 ? surrogate.grid[1].size() : 1;
  std::vector<float> hidden(static_cast<std::size_t>(network.points() * features));
  std::vector<float> field(static_cast<std::size_t>(network.points() * outputs));
  MemberCurves curves;
  for (const std::vector<float>& weights : surrogate.weights) {
    network.trunk_forward(weights.data(), input, 1);
    network.features(weights.data(), 0, hidden.data());
    network.head_forward(weights.data(), 0, {}, field.data());
    std::vector<double> feature, output;
    for (Index i = 0; i < surrogate.grid[0].size(); ++i) {
      const Index point = i * inner + inner / 2;
      const float* own = hidden.data() + point * features;
      feature.push_back(std::accumulate(own, own + features, 0.0) / static_cast<double>(features));
      output.push_back(static_cast<double>(field[static_cast<std::size_t>(point * outputs)]));
    }
    curves.features.push_back(std::move(feature));
    curves.outputs.push_back(std::move(output));
  }
  return curves;
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
  return std::sqrt(deviations / size);
}

Panel curves_panel(const Surrogate& surrogate, const std::vector<std::vector<double>>& curves,
                   const std::string& title, const std::string& label) {
  Panel panel{.title = title, .x = {.label = surrogate.grid.front().name}, .y = {.label = label}};
  for (std::size_t k = 0; k < curves.size(); ++k)
    panel.series.emplace_back(Line{.x = surrogate.grid.front().coordinates,
                                   .y = curves[k],
                                   .colour = series_colours[k % series_colours.size()]});
  return panel;
}

void require_members(const Surrogate& surrogate) {
  require(surrogate.weights.size() > 1 && surrogate.grid.size() <= 2,
          "members of {} networks over {} axes: expected at least two, over one or two axes",
          surrogate.weights.size(), surrogate.grid.size());
}

}  // namespace

Figure weight_figure(const Surrogate& surrogate, Index block) {
  require_members(surrogate);
  Figure figure{.title = fmt::format("Fourier weights of block {}", block + 1),
                .caption =
                    "Mean magnitude over input channels (and over the frequencies of other axes) for the "
                    "first members; last, the coefficient of variation of a weight over all members, "
                    "averaged in the same way. Every panel has colours of its own."};
  const std::size_t shown = std::min(shown_members, surrogate.weights.size());
  for (std::size_t k = 0; k < shown; ++k) {
    const auto magnitude = [&](std::size_t real, std::size_t imaginary) {
      return std::hypot(static_cast<double>(surrogate.weights[k][real]),
                        static_cast<double>(surrogate.weights[k][imaginary]));
    };
    figure.panels.push_back(panel_of(averaged(surrogate, block, magnitude), fmt::format("member {}", k + 1),
                                     "magnitude", ColourScale::sequential));
  }
  const auto spread = [&](std::size_t real, std::size_t imaginary) {
    return variation(surrogate.weights, real, imaginary);
  };
  WeightMap varied = averaged(surrogate, block, spread);
  figure.caption += fmt::format(
      " Of all weights it is {:.2g} on average: 0 would be members that have learnt the same weights, 1 are "
      "weights that differ by as much as their size.",
      std::accumulate(varied.values.begin(), varied.values.end(), 0.0) /
          static_cast<double>(varied.values.size()));
  figure.panels.push_back(panel_of(std::move(varied), "variation", "deviation / mean", ColourScale::heat));
  return figure;
}

Figure feature_figure(const Surrogate& surrogate, const float* in_domain, const float* shifted) {
  require_members(surrogate);
  const MemberCurves near = curves_of(surrogate, in_domain), far = curves_of(surrogate, shifted);
  Figure figure{.title = "Where do members agree?", .columns = 2};
  figure.caption = fmt::format(
      "A line per member, in the middle of the other axis: left the mean of the features before the last "
      "layer, "
      "right the output. Members learn features of their own; their outputs should agree in domain and part "
      "where they have not been trained. Spread over members relative to the size of their mean: features "
      "{:.2g} in domain and {:.2g} at the large shift, outputs {:.2g} and {:.2g}.",
      relative_spread(near.features), relative_spread(far.features), relative_spread(near.outputs),
      relative_spread(far.outputs));
  figure.panels = {curves_panel(surrogate, near.features, "features, in domain", "mean feature"),
                   curves_panel(surrogate, near.outputs, "output, in domain", "u"),
                   curves_panel(surrogate, far.features, "features, large shift", "mean feature"),
                   curves_panel(surrogate, far.outputs, "output, large shift", "u")};
  return figure;
}

}  // namespace nouq::report
