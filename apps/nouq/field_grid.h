// The grid that arrays of any framework are on, as one says it on a command line, and arrays by name.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nouq/grid.h>

#include "config/option_table.h"

namespace nouq::cli {

// Right-hand sides, coordinates, bounds.
using NamedValues = std::map<std::string, Array<double>>;

// Adds all arrays of numbers in a file, save those whose names are taken. That of mass.npy is called mass.
void add_values_of(const std::string& path, NamedValues& values);

// A number (as an array of one value), the array called so, or FILE[:ARRAY]. Throws when it is none of them;
// `label` begins the message.
Array<double> find_values(const std::string& word, const NamedValues& values, const std::string& label);

struct GridOptions {
  std::vector<std::string> axes;             // NAME=A:B, NAME=FILE[:ARRAY] or NAME
  std::vector<std::string> periodic, cells;  // of these axes
  std::filesystem::path data;                // a data set on the same grid
};

void add_grid_options(OptionTable& table, GridOptions& options);

// The axes without their coordinates where these depend on the shape of the fields.
struct AxisWords {
  std::string name;
  std::string coordinates;  // A:B, FILE[:ARRAY], a name; empty: the array called like the axis
  AxisKind kind = AxisKind::points;
};
std::vector<AxisWords> parse_axes(const GridOptions& options);

// Coordinates for fields of this shape, [n, axes..., channels].
Grid make_grid(const std::vector<AxisWords>& axes, const NamedValues& values, const Shape& fields);

// Throws unless fields of this shape are on the grid; `source` is where the grid comes from.
void require_on_grid(const Grid& grid, const Shape& fields, const std::string& source);

}  // namespace nouq::cli
