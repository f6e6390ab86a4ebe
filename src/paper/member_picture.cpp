#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "core/parse.h"
#include "nn/network.h"
#include "paper/pictures.h"

namespace nouq::paper {
namespace {

constexpr std::size_t shown_members = 4;

// Frequencies of the first axis in ascending order, and which place among them a mode belongs to.
struct Frequencies {
  explicit Frequencies(const NetworkOptions& o)
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

std::string spectral_name(Index block) { return fmt::format("blocks.{}.spectral.weight", block); }

// Averages a value of every complex weight, given by the places of its two parts.
std::vector<double> averaged(const NetworkOptions& network, Index block, const auto& value_at) {
  const ParameterLayout layout(network);
  const Frequencies frequencies(network);
  const Tensor& spectral = layout.tensor(spectral_name(block));
  const Index width = network.width, modes = spectral.shape.front();
  std::vector<double> map(width * frequencies.count);
  const double share = static_cast<double>(frequencies.count) / static_cast<double>(modes * width);
  for (Index mode = 0; mode < modes; ++mode) {
    for (Index in = 0; in < width; ++in) {
      const Index real = spectral.offset + (mode * width + in) * 2 * width;
      for (Index out = 0; out < width; ++out)
        map[out * frequencies.count + frequencies.place(mode)] +=
            share *
            value_at(static_cast<std::size_t>(real + out), static_cast<std::size_t>(real + width + out));
    }
  }
  return map;
}

double magnitude(const std::vector<float>& weights, std::size_t real, std::size_t imaginary) {
  return std::hypot(static_cast<double>(weights[real]), static_cast<double>(weights[imaginary]));
}

// Deviation over mean of the members' magnitudes of one weight.
double variation(const std::vector<std::vector<float>>& members, std::size_t real, std::size_t imaginary) {
  double sum = 0, squares = 0;
  for (const auto& weights : members) {
    const double one = magnitude(weights, real, imaginary);
    sum += one;
    squares += one * one;
  }
  const auto n = static_cast<double>(members.size());
  const double mean = sum / n, variance = std::max(0.0, (squares - sum * mean) / (n - 1));
  return mean > 0 ? std::sqrt(variance) / mean : 0.0;
}

WeightPicture weights_of(const Surrogate& surrogate, Index block) {
  const Frequencies frequencies(surrogate.network);
  WeightPicture picture{.block = block};
  for (Index f = 0; f < frequencies.count; ++f) picture.frequencies.push_back(frequencies.frequency(f));
  const std::size_t shown = std::min(shown_members, surrogate.weights.size());
  for (std::size_t k = 0; k < shown; ++k)
    picture.magnitudes.push_back(averaged(surrogate.network, block, [&](std::size_t re, std::size_t im) {
      return magnitude(surrogate.weights[k], re, im);
    }));
  picture.variation = averaged(surrogate.network, block, [&](std::size_t re, std::size_t im) {
    return variation(surrogate.weights, re, im);
  });
  return picture;
}

MemberCurves curves_of(const Surrogate& surrogate, const DataSet& sample) {
  Network<float> network(surrogate.network, shape_of(surrogate.grid));
  const Index channels = surrogate.network.input_channels, outputs = surrogate.network.outputs;
  const Index features = surrogate.network.features;
  std::vector<float> input(sample.inputs.begin(), sample.inputs.end());
  surrogate.input_normalisation.apply({input.data(), {network.points(), channels}});
  const bool plane = surrogate.grid.size() > 1;
  const Index inner = plane ? surrogate.grid[1].size() : 1, place = pictured_place(sample);
  std::vector<float> hidden(network.points() * features);
  std::vector<float> field(network.points() * outputs);
  MemberCurves curves;
  if (plane) curves.place = surrogate.grid[1].coordinates[place];
  for (Index i = 0; i < surrogate.grid[0].size(); ++i)
    curves.truth.push_back(static_cast<double>(sample.outputs[(i * inner + place) * surrogate.channels()]));
  for (const std::vector<float>& weights : surrogate.weights) {
    network.trunk_forward(weights.data(), input.data(), 1);
    network.features(weights.data(), 0, hidden.data());
    network.head_forward(weights.data(), 0, {}, field.data());
    surrogate.output_normalisation.invert({field.data(), {network.points(), outputs}});
    std::vector<double> feature, output;
    for (Index i = 0; i < surrogate.grid[0].size(); ++i) {
      const Index point = i * inner + place;
      const float* own = hidden.data() + point * features;
      feature.push_back(std::accumulate(own, own + features, 0.0) / static_cast<double>(features));
      output.push_back(static_cast<double>(field[point * outputs]));
    }
    curves.features.push_back(std::move(feature));
    curves.outputs.push_back(std::move(output));
  }
  return curves;
}

ResultJson list_of(const std::vector<std::vector<double>>& rows) {
  ResultJson list = ResultJson::array();
  for (const auto& row : rows) list.push_back(rounded(row));
  return list;
}

ResultJson curves_json(const MemberCurves& curves) {
  ResultJson json = {{"features", list_of(curves.features)}, {"outputs", list_of(curves.outputs)}};
  if (!curves.truth.empty()) json["truth"] = rounded(curves.truth);
  if (curves.place) json["place"] = with_digits(*curves.place, 5);
  return json;
}

// What files may hold at the most: more would be no picture.
constexpr std::size_t most_members = 1000, most_weights = 1 << 16;

std::vector<std::vector<double>> rows_of(const ResultJson& json, std::size_t least, std::size_t most,
                                         std::size_t count) {
  require(json.is_array() && json.size() >= least && json.size() <= most,
          "a picture of {} members: expected {} to {}", json.size(), least, most);
  std::vector<std::vector<double>> rows;
  for (const ResultJson& row : json) rows.push_back(drawable(row, count));
  return rows;
}

MemberCurves read_curves(const ResultJson& json, std::size_t points) {
  MemberCurves curves{rows_of(json.at("features"), 2, most_members, points),
                      rows_of(json.at("outputs"), 2, most_members, points)};
  require(curves.features.size() == curves.outputs.size(), "features of {} members and outputs of {}",
          curves.features.size(), curves.outputs.size());
  if (json.contains("truth")) curves.truth = drawable(json.at("truth"), points);
  if (json.contains("place")) curves.place = drawable(ResultJson::array({json.at("place")}), 1).front();
  return curves;
}

WeightPicture read_weights(const ResultJson& json) {
  const std::size_t columns = json.at("frequencies").size(), size = json.at("variation").size();
  require(json.at("block").is_number_unsigned() && json.at("block") < 1000 && columns > 0 && size > 0 &&
              size % columns == 0 && size <= most_weights,
          "block {}: a map of {} weights over {} frequencies", json.at("block").dump(), size, columns);
  WeightPicture picture{json.at("block").get<Index>(), drawable(json.at("frequencies"), columns),
                        rows_of(json.at("magnitudes"), 1, shown_members, size),
                        drawable(json.at("variation"), size)};
  const std::vector<double>& f = picture.frequencies;
  require(std::is_sorted(f.begin(), f.end(), std::less_equal<>()), "frequencies that do not increase");
  return picture;
}

}  // namespace

MemberPicture member_picture(const Surrogate& surrogate, const DataSet& in_domain, const DataSet& large) {
  require(surrogate.weights.size() > 1 && surrogate.grid.size() <= 2,
          "members of {} networks over {} axes: expected at least two, over one or two axes",
          surrogate.weights.size(), surrogate.grid.size());
  MemberPicture picture{{}, curves_of(surrogate, in_domain), curves_of(surrogate, large)};
  // Only where a matrix belongs to a mode of the whole grid: that is what the picture shows.
  if (!ParameterLayout(surrogate.network).has(spectral_name(0))) return picture;
  picture.weights.push_back(weights_of(surrogate, 0));
  if (surrogate.network.blocks > 1)
    picture.weights.push_back(weights_of(surrogate, surrogate.network.blocks - 1));
  return picture;
}

ResultJson to_result(const MemberPicture& picture) {
  ResultJson json = {{"weights", ResultJson::array()},
                     {"in_domain", curves_json(picture.in_domain)},
                     {"large", curves_json(picture.large)}};
  for (const WeightPicture& one : picture.weights)
    json["weights"].push_back({{"block", static_cast<std::size_t>(one.block)},
                               {"frequencies", one.frequencies},
                               {"magnitudes", list_of(one.magnitudes)},
                               {"variation", rounded(one.variation)}});
  return json;
}

std::optional<MemberPicture> read_member_picture(const ResultJson& json, std::size_t points) {
  return unless_malformed([&]() -> std::optional<MemberPicture> {
    MemberPicture picture;
    require(json.at("weights").size() <= 2, "weights of {} blocks: expected two", json.at("weights").size());
    for (const ResultJson& one : json.at("weights")) picture.weights.push_back(read_weights(one));
    picture.in_domain = read_curves(json.at("in_domain"), points);
    picture.large = read_curves(json.at("large"), points);
    return picture;
  });
}

}  // namespace nouq::paper
