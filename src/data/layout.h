// What the two file layouts (NPZ and HDF5) have in common.
#pragma once

#include <string>
#include <vector>

#include <nouq/data.h>

#include "data/file_format.h"

namespace nouq::layout {

inline constexpr const char* format_name = "nouq-data";
// Version 2 has what readers of version 1 would pass over in silence: axes of cells, laws and bounds. A data
// set that needs none of them is written as version 1, as it always was.
inline constexpr int newest_version = 2;
int version_of(const DataSet& data);

// Checks what a file could not hold or give back: names must be storable text, constraint names also must
// serve as names of arrays in both formats.
void require_storable(const DataSet& data, const std::string& target);

// Fills what a file may leave out, with a notice for each: names of channels, parameters and axes, and
// coordinates (evenly spaced on [0, 1]).
void fill_defaults(DataSet& data, const std::string& source, LoadReport* report);

// Parameters as [samples, parameters]: one parameter may be given as a plain list. Throws on other shapes.
Array<double> parameter_table(Array<double> values, const std::string& label);

// A law as both formats write it: its kind (there is one), its axes with + between, its channel.
inline constexpr const char* law_kind = "integral";
inline constexpr char axis_separator = '+';
std::string joined_axes(const Law& law);
// Throws for another kind and for a channel that is none.
Law read_law(const std::string& kind, const std::string& axes, double channel);

// Bounds as [output channels, 2].
std::vector<Bounds> read_bounds(const Array<double>& table, const std::string& label);
Array<double> bounds_table(const std::vector<Bounds>& bounds);

// n channels with an empty name each, ready for fill_defaults.
std::vector<Channel> unnamed(Index count);

}  // namespace nouq::layout
