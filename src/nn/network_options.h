// What a network looks like, of whatever architecture. The defaults are the paper's and the released code's.
//
// Why one plain struct: checkpoints, model files and fingerprints compare and store options without knowing
// architectures. Width, blocks, modes and padding mean the same in all of them; what one has besides is a
// number of `extra`, under the name it declares (nn/architecture.h).
// Contract: `validate` accepts exactly the options a network can be built from; `padded_lengths` accepts
// exactly the grids it can be evaluated on. Errors name the option, its value and what is allowed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/array.h"

namespace nouq {

// How far the field is continued with zeros at the end of an axis, because the Fourier basis is periodic and
// the field is not.
struct Padding {
  Index points = 9;
  // Of the length of the axis, instead of a number of points: the padded period then stays the same physical
  // length on every grid, so that a trained network can be evaluated on a finer or coarser one.
  std::optional<double> fraction;

  [[nodiscard]] Index padded_length(Index length) const;
  // The coordinate the network is given at a point: 0 to 1 at the ends, as in the released code; with a
  // fraction, or without padding, the middle of its cell, which means the same place on every grid.
  [[nodiscard]] double coordinate(Index point, Index length) const;
  friend bool operator==(const Padding&, const Padding&) = default;
};

struct NetworkOptions {
  Index input_channels = 1;
  Index outputs = 1;                        // columns of the head: channels, heads, or mean and variance
  std::vector<Index> modes = {12, 12};      // kept frequencies, one number per axis of the grid
  std::vector<Padding> padding = {{}, {}};  // one per axis; {.points = 0} for a periodic one
  Index width = 32;                         // channels of the Fourier blocks
  Index blocks = 4;
  Index features = 128;  // width of the last hidden layer
  bool head_bias = true;
  double dropout = 0.0;                 // probability that a feature is dropped, before its GELU
  std::string architecture = "fno";     // a name of architectures.def, or registered from outside
  std::map<std::string, double> extra;  // the architecture's own settings, all of them

  [[nodiscard]] Index axes() const { return static_cast<Index>(modes.size()); }
  // Inputs, coordinates and the constant 1 that carries the bias.
  [[nodiscard]] Index lifted_channels() const { return input_channels + axes() + 1; }
  friend bool operator==(const NetworkOptions&, const NetworkOptions&) = default;
};

void validate(const NetworkOptions& options);

// The same options for another architecture: its own settings at their defaults.
NetworkOptions with_architecture(NetworkOptions options, const std::string& name);

// What differs between two networks, in words with both values; empty when nothing does.
std::string difference(const NetworkOptions& first, const NetworkOptions& second);

// The padded length of every axis of a grid. Throws when the grid has another number of axes than the
// options, or an axis is too short for its modes, which is for the architecture to say.
std::vector<Index> padded_lengths(const NetworkOptions& options, const Shape& grid);

}  // namespace nouq
