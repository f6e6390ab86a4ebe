#include "uq/surrogate.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "data/laws.h"
#include "nn/parameters.h"

namespace nouq {
namespace {

// Everything a network computes is counted in points times channels: far below what an Index holds.
constexpr Index most_points = Index{1} << 31U;

void require_channels(const char* what, std::size_t given, std::size_t channels) {
  require(given == 0 || given == channels, "the {} is of {} channels, the model has {}", what, given,
          channels);
}

// Ranges are known for all columns or for none.
void require_range(const char* what, const Array<double>& range, std::size_t columns) {
  const Shape expected = {static_cast<Index>(columns), 2};
  require(range.empty() || range.shape() == expected, "the {} has shape {}: expected {}", what,
          to_string(range.shape()), to_string(expected));
}

void validate_weights(const Surrogate& s) {
  const ParameterLayout layout(s.network);
  require(!s.weights.empty(), "the model has no network");
  for (std::size_t k = 0; k < s.weights.size(); ++k) {
    require(std::ssize(s.weights[k]) == layout.size(), "network {} has {} weights: expected {}", k,
            s.weights[k].size(), layout.size());
    require(std::all_of(s.weights[k].begin(), s.weights[k].end(), [](float w) { return std::isfinite(w); }),
            "network {} has a weight that is not a finite number", k);
  }
}

}  // namespace

void validate(const Surrogate& s) {
  require(!s.input_channels.empty() && !s.output_channels.empty(),
          "the model has {} input and {} output channels: expected at least one of each",
          s.input_channels.size(), s.output_channels.size());
  require(s.network.input_channels == std::ssize(s.input_channels),
          "the network takes {} input channels, the model has {}", s.network.input_channels,
          s.input_channels.size());
  validate(s.grid, "the model's grid");
  validate(s.laws, s.grid, s.channels(), "the model");
  validate(s.bounds, s.channels(), "the model");
  validate_weights(s);
  const Index points = element_count(padded_lengths(s.network, shape_of(s.grid)));
  require(points <= most_points, "the grid has {} points with its padding: expected at most {}", points,
          most_points);
  require_range("range of the inputs", s.input_range, s.input_channels.size());
  require_range("range of the parameters", s.parameter_range, s.parameter_names.size());
  require_channels("normalisation of the inputs", s.input_normalisation.mean().size(),
                   s.input_channels.size());
  require_channels("normalisation of the outputs", s.output_normalisation.mean().size(),
                   s.output_channels.size());
  for (const auto& [network, history] : s.history)
    require(history.rank() == 2 && history.extent(1) == 3,
            "the history of {} has shape {}: expected [epochs, 3]", network, to_string(history.shape()));
}

void require_networks(const Surrogate& surrogate, std::size_t least, std::size_t most) {
  const std::size_t count = surrogate.weights.size();
  require(count >= least && count <= most, "the {} model has {} networks: expected {}", surrogate.method,
          count, least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most));
}

void require_outputs(const Surrogate& surrogate, Index expected) {
  require(surrogate.network.outputs == expected, "the {} model's network has {} outputs: expected {}",
          surrogate.method, surrogate.network.outputs, expected);
}

Index state_integer(const Surrogate& surrogate, const std::string& name, Index low, Index high) {
  const double value = state_number(surrogate, name);
  require(
      value >= static_cast<double>(low) && value <= static_cast<double>(high) && value == std::floor(value),
      "the {} model's '{}' is {}: expected a whole number from {} to {}", surrogate.method, name, value, low,
      high);
  return static_cast<Index>(value);
}

const Array<double>& state_array(const Surrogate& surrogate, const std::string& name) {
  const auto found = surrogate.state.find(name);
  require(found != surrogate.state.end(), "the {} model lacks '{}'", surrogate.method, name);
  return found->second;
}

double state_number(const Surrogate& surrogate, const std::string& name) {
  const Array<double>& array = state_array(surrogate, name);
  require(array.size() == 1, "the {} model's '{}' has shape {}: expected one number", surrogate.method, name,
          to_string(array.shape()));
  return array[0];
}

std::map<std::string, std::string> provenance_of(const Surrogate& surrogate) {
  const std::string prefix = "data.";
  std::map<std::string, std::string> provenance;
  for (const auto& [key, value] : surrogate.facts) {
    if (key.starts_with(prefix)) provenance[key.substr(prefix.size())] = value;
  }
  return provenance;
}

Array<double> number(double value) { return Array<double>(Shape{1}, std::vector<double>{value}); }

}  // namespace nouq
