// A place between the points of a grid, as the points around it and their weights.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nouq/grid.h>

namespace nouq::cli {

// Positions in a field of one channel, and weights that add up to one: multilinear interpolation.
using GridPlace = std::vector<std::pair<Index, double>>;

// "x=0.5;t=1": a coordinate for every axis, each once, within the grid. Throws, naming the axis, otherwise.
GridPlace find_place(const Grid& grid, const std::string& text);

}  // namespace nouq::cli
