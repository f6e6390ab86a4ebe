#include "uq/network_grid.h"

#include <algorithm>

#include "core/error.h"
#include "core/grid_domain.h"
#include "data/resampling.h"

namespace nouq {
namespace {

constexpr const char* note = "network.points";  // along each axis

bool all_even(const Grid& grid) {
  return std::all_of(grid.begin(), grid.end(), [](const Axis& axis) { return evenly_spaced(axis); });
}

}  // namespace

bool needs_even_points(const Grid& grid) {
  for (const Axis& axis : grid)
    require(!axis.periodic() || evenly_spaced(axis),
            "axis {} is periodic and its {} points are unevenly spaced: where the period ends is not known; "
            "bring the data onto evenly spaced points",
            axis.name, axis.size());
  return !all_even(grid);
}

Grid with_even_points(const Grid& grid) {
  Grid even = grid;
  for (Axis& axis : even) {
    if (!evenly_spaced(axis))
      axis.coordinates = linspace(axis.coordinates.front(), axis.coordinates.back(), axis.size());
  }
  return even;
}

Array<float> on_even_points(const Grid& grid, const Array<float>& fields) {
  const Resampling resampling(grid, with_even_points(grid));
  Array<float> result(fields.shape());
  const Index size = fields.size() / fields.extent(0);
  for (Index s = 0; s < fields.extent(0); ++s)
    resampling.apply(fields.data() + s * size, fields.shape().back(), result.data() + s * size);
  return result;
}

DataSet on_even_points(const DataSet& data) {
  DataSet even = data;
  even.grid = with_even_points(data.grid);
  even.inputs = on_even_points(data.grid, data.inputs);
  even.outputs = on_even_points(data.grid, data.outputs);
  return even;
}

bool on_even_points(const Surrogate& surrogate) { return surrogate.state.contains(note); }

void note_even_points(Surrogate& surrogate) {
  Array<double> points({std::ssize(surrogate.grid)});
  for (std::size_t a = 0; a < surrogate.grid.size(); ++a)
    points[a] = static_cast<double>(surrogate.grid[a].size());
  surrogate.state[note] = std::move(points);
}

Grid network_grid(const Surrogate& surrogate) {
  if (!on_even_points(surrogate)) return surrogate.grid;
  const Array<double>& points = surrogate.state.at(note);
  for (std::size_t a = 0; a < surrogate.grid.size(); ++a)
    require(points.shape() == Shape{std::ssize(surrogate.grid)} &&
                points[a] == static_cast<double>(surrogate.grid[a].size()),
            "'{}' of shape {} is not the number of points along each axis", note, to_string(points.shape()));
  return with_even_points(surrogate.grid);
}

bool answers_on(const Surrogate& s, const Grid& grid) {
  const Grid own = network_grid(s);
  if (same_points(own, grid)) return true;
  const auto scales = [](const Padding& p) { return p.fraction.has_value() || p.points == 0; };
  return own.size() == grid.size() && all_even(own) && all_even(grid) &&
         std::all_of(s.network.padding.begin(), s.network.padding.end(), scales);
}

}  // namespace nouq
