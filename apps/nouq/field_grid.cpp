#include "field_grid.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <nouq/files.h>
#include <nouq/problem_data.h>

#include "argument_values.h"
#include "core/error.h"
#include "core/names.h"

namespace nouq::cli {
namespace {

std::vector<double> coordinates_of(const AxisWords& axis, const NamedValues& values, Index points) {
  const std::string label = fmt::format("--axes: axis {}", axis.name);
  if (const auto range = find_range(axis.coordinates)) {
    require(range->low < range->high || points == 1, "{}: the range {} is empty", label, axis.coordinates);
    return evenly_spaced(axis.kind, range->low, range->high, points);
  }
  const std::string word = axis.coordinates.empty() ? axis.name : axis.coordinates;
  const Array<double> given = find_values(word, values, label);
  require(given.rank() == 1 && given.size() == points,
          "{}: coordinates of shape {}, expected [{}] for fields with so many points along it", label,
          to_string(given.shape()), points);
  for (Index i = 0; i < points; ++i)
    require(std::isfinite(given[i]) && (i == 0 || given[i] > given[i - 1]),
            "{}: coordinate {} is {}, expected finite numbers that increase", label, i, given[i]);
  return {given.begin(), given.end()};
}

}  // namespace

void add_values_of(const std::string& path, NamedValues& values) {
  const auto file = open_arrays(path);
  const std::vector<std::string> names = file->names();
  const bool unnamed = names == std::vector<std::string>{"data"};
  for (const std::string& name : names) {
    const std::string known_as = unnamed ? std::filesystem::path(path).stem().string() : name;
    if (values.contains(known_as)) continue;
    try {
      values.emplace(known_as, file->read(name));
    } catch (const Error&) {
      // Names of channels and the like: whoever asks for them is told that there is no such array.
    }
  }
}

Array<double> find_values(const std::string& word, const NamedValues& values, const std::string& label) {
  if (const auto number = find_number(word)) return Array<double>({1}, *number);
  if (const auto found = values.find(word); found != values.end()) return found->second;
  std::error_code no_such_name;
  if (std::filesystem::exists(parse_array_argument(word).path, no_such_name))
    return read_array(word, {}, label);
  require(!values.empty(), "{}: '{}' is neither a number nor a file, and there are no arrays by name", label,
          word);
  std::vector<std::string> names;
  for (const auto& [name, array] : values) names.push_back(name);
  fail("{}: '{}' is neither a number, nor a file, nor a known array; did you mean '{}'? There are {}", label,
       word, nearest_name(word, names), fmt::join(names, ", "));
}

void add_grid_options(OptionTable& table, GridOptions& options) {
  table.group("The grid");
  table
      .add("axes", options.axes,
           "the axes in their order: evenly spaced from A to B, or with coordinates from an array")
      .shown_as("NAME=A:B|ARRAY");
  table.add("periodic", options.periodic, "axes along which the fields repeat").shown_as("AXIS");
  table
      .add(
          "cells", options.cells,
          "axes whose values are averages over cells, or at their centres; A:B is then filled by equal cells")
      .shown_as("AXIS");
  table.add("data", options.data,
            "a data set on the same grid, with its constraint values; instead of --axes");
}

namespace {

void mark(std::vector<AxisWords>& axes, const std::vector<std::string>& names, AxisKind kind) {
  for (const std::string& wanted : names) {
    const auto found =
        std::find_if(axes.begin(), axes.end(), [&](const AxisWords& axis) { return axis.name == wanted; });
    require(found != axes.end(), "--{} {}: --axes names no such axis", name(kind), wanted);
    require(found->kind == AxisKind::points, "axis '{}' is in --periodic and in --cells: give one", wanted);
    found->kind = kind;
  }
}

}  // namespace

std::vector<AxisWords> parse_axes(const GridOptions& options) {
  std::vector<AxisWords> axes;
  std::set<std::string> seen;
  for (const std::string& word : options.axes) {
    auto [name, coordinates] = split_once(word, '=');
    require(!name.empty(), "--axes = '{}': expected NAME=A:B, as in x=0:1", word);
    require(seen.insert(name).second, "--axes: axis '{}' is given twice", name);
    axes.push_back({std::move(name), std::move(coordinates)});
  }
  mark(axes, options.periodic, AxisKind::periodic);
  mark(axes, options.cells, AxisKind::cells);
  return axes;
}

Grid make_grid(const std::vector<AxisWords>& axes, const NamedValues& values, const Shape& fields) {
  Grid grid;
  for (std::size_t a = 0; a < axes.size(); ++a)
    grid.push_back({axes[a].name, "", coordinates_of(axes[a], values, fields.at(a + 1)), axes[a].kind});
  return grid;
}

void require_on_grid(const Grid& grid, const Shape& fields, const std::string& source) {
  const Shape expected = shape_of(grid);
  const Shape given(fields.begin() + 1, fields.end() - 1);
  require(given == expected, "the fields have {} points, but the grid of {} has {}", to_string(given), source,
          to_string(expected));
}

}  // namespace nouq::cli
