#include "grid_place.h"

#include <algorithm>

#include "argument_values.h"
#include "core/error.h"

namespace nouq::cli {
namespace {

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// The point at or below a coordinate, and how far it is to the next, as a share.
std::pair<Index, double> along(const Axis& axis, double at) {
  const std::vector<double>& x = axis.coordinates;
  require(at >= x.front() && at <= x.back(), "{} = {}: the grid runs from {} to {}", axis.name, at, x.front(),
          x.back());
  if (x.size() == 1) return {0, 0.0};
  const auto above = std::upper_bound(x.begin(), x.end() - 1, at);
  const Index low = std::max<Index>(1, above - x.begin()) - 1;
  return {low, (at - x[low]) / (x[low + 1] - x[low])};
}

}  // namespace

GridPlace find_place(const Grid& grid, const std::string& text) {
  const std::map<std::string, std::string> given = parse_pairs(parts_of(text), "place");
  GridPlace place = {{0, 1.0}};
  for (const Axis& axis : grid) {
    const auto found = given.find(axis.name);
    require(found != given.end() && given.size() == grid.size(),
            "'{}': expected a coordinate for every axis of the grid, as in {}=...", text, axis.name);
    const auto [low, share] = along(axis, parse_number(found->second, axis.name));
    GridPlace finer;
    for (const auto& [at, weight] : place) {
      if (share < 1) finer.emplace_back(at * axis.size() + low, weight * (1 - share));
      if (share > 0) finer.emplace_back(at * axis.size() + low + 1, weight * share);
    }
    place = std::move(finer);
  }
  return place;
}

}  // namespace nouq::cli
