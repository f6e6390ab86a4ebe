// What the two file layouts (NPZ and HDF5) have in common.
#pragma once

#include <string>
#include <vector>

#include "data/data_set.h"
#include "data/load_report.h"

namespace nouq::layout {

inline constexpr const char* format_name = "nouq-data";
inline constexpr int format_version = 1;

// Checks what a file could not hold or give back: names must be storable text, constraint names also must
// serve as names of arrays in both formats.
void require_storable(const DataSet& data, const std::string& target);

// Fills what a file may leave out, with a notice for each: names of channels, parameters and axes, and
// coordinates (evenly spaced on [0, 1]).
void fill_defaults(DataSet& data, const std::string& source, LoadReport* report);

// Parameters as [samples, parameters]: one parameter may be given as a plain list. Throws on other shapes.
Array<double> parameter_table(Array<double> values, const std::string& label);

// n channels with an empty name each, ready for fill_defaults.
std::vector<Channel> unnamed(Index count);

}  // namespace nouq::layout
