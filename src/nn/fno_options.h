// What a Fourier neural operator looks like. The defaults are the paper's and the released code's.
//
// Contract: `validate` accepts exactly the options a network can be built from; `padded_lengths` accepts
// exactly the grids it can be evaluated on. Errors name the option, its value and what is allowed.
#pragma once

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

struct FnoOptions {
  Index input_channels = 1;
  Index outputs = 1;                        // columns of the head: channels, heads, or mean and variance
  std::vector<Index> modes = {12, 12};      // kept frequencies, one number per axis of the grid
  std::vector<Padding> padding = {{}, {}};  // one per axis; {.points = 0} for a periodic one
  Index width = 32;                         // channels of the Fourier blocks
  Index blocks = 4;
  Index features = 128;  // width of the last hidden layer
  bool head_bias = true;
  double dropout = 0.0;  // probability that a feature is dropped, before its GELU

  [[nodiscard]] Index axes() const { return static_cast<Index>(modes.size()); }
  // Inputs, coordinates and the constant 1 that carries the bias.
  [[nodiscard]] Index lifted_channels() const { return input_channels + axes() + 1; }
  friend bool operator==(const FnoOptions&, const FnoOptions&) = default;
};

void validate(const FnoOptions& options);

// What differs between two networks, in words with both values; empty when nothing does.
std::string difference(const FnoOptions& first, const FnoOptions& second);

// The padded length of every axis of a grid. Throws when the grid has another number of axes than the
// options, or an axis is too short for its modes: all but the last keep -m .. m-1 and need 2 m points, the
// last keeps 0 .. m-1 and needs 2 m - 2.
std::vector<Index> padded_lengths(const FnoOptions& options, const Shape& grid);

}  // namespace nouq
