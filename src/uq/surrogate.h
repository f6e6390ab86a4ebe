// A fitted surrogate: the weights of one or more networks and what a method needs besides to predict and to
// explain.
//
// Why one plain struct for every method: the model file, the bindings and the reports then know no method.
// A method keeps its own numbers in `state` under names it chooses; the calibrations do the same.
// Contract: `weights` are flat, in the order of ParameterLayout(network); inputs and outputs of the networks
// are normalised as stated (not at all by default). Nothing in here depends on a clock or a machine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nouq/data.h>

#include "data/normalisation.h"
#include "nn/network_options.h"

namespace nouq {

struct Surrogate {
  std::string method;      // a name of methods.def
  NetworkOptions network;  // of every network
  Grid grid;               // it was trained on
  std::vector<Channel> input_channels;
  std::vector<Channel> output_channels;
  std::vector<Channel> parameter_names;
  Array<double> parameter_range;  // [parameters, 2]: least and greatest in the training data
  Array<double> input_range;      // [input channels, 2]
  Laws laws;                      // of its outputs, as the training data have them
  std::vector<Bounds> bounds;     // of each output channel, or none
  Normalisation input_normalisation;
  Normalisation output_normalisation;

  std::vector<std::vector<float>> weights;     // one per network
  std::map<std::string, Array<double>> state;  // of the method and of calibrations, e.g. "laplace.noise"
  std::map<std::string, Array<double>>
      history;                               // "network.0": [epochs, 3] training loss, validation loss, rate
  std::map<std::string, std::string> facts;  // options, seeds, data: free text for people and reports

  [[nodiscard]] Index channels() const { return std::ssize(output_channels); }
  friend bool operator==(const Surrogate&, const Surrogate&) = default;
};

// Throws unless the parts fit together: channels, grid, network, weights, ranges, normalisation. What a
// method needs besides is for Method::check to say.
void validate(const Surrogate& surrogate);

// For Method::check: so many networks, and so many outputs of each.
void require_networks(const Surrogate& surrogate, std::size_t least, std::size_t most);
void require_outputs(const Surrogate& surrogate, Index expected);
// For the same and for predictors: a whole number of `state` between two others.
Index state_integer(const Surrogate& surrogate, const std::string& name, Index low, Index high);

// A number of `state`; throws when it is missing or not a single number, naming it.
double state_number(const Surrogate& surrogate, const std::string& name);
// An array of `state`; throws when it is missing.
const Array<double>& state_array(const Surrogate& surrogate, const std::string& name);
// Where the training data came from: the facts that fitting took over from them.
std::map<std::string, std::string> provenance_of(const Surrogate& surrogate);
// A single number as an array.
Array<double> number(double value);

}  // namespace nouq
