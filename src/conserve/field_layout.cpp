#include "conserve/field_layout.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "core/names.h"

namespace nouq {

Index FieldLayout::points() const { return element_count(shape_of(grid)) * channels; }

std::size_t FieldLayout::axis(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (grid[i].name == name) return i;
    names.push_back(grid[i].name);
  }
  fail_unknown_name("axis", name, names);
}

Index FieldLayout::stride(std::size_t axis) const {
  Index stride = channels;
  for (std::size_t i = axis + 1; i < grid.size(); ++i) stride *= grid[i].size();
  return stride;
}

Index FieldLayout::index_along(std::size_t axis, Index point) const {
  return point / stride(axis) % grid[axis].size();
}

void FieldLayout::check_channel(Index channel) const {
  require(channel >= 0 && channel < channels, "channel {} of a field with {}", channel, channels);
}

Shape FieldLayout::shape() const {
  Shape shape = shape_of(grid);
  shape.push_back(channels);
  return shape;
}

bool same_extents(std::span<const Index> a, std::span<const Index> b) {
  const auto without_ones = [](std::span<const Index> shape) {
    Shape rest;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(rest),
                 [](Index extent) { return extent != 1; });
    return rest;
  };
  return without_ones(a) == without_ones(b);
}

}  // namespace nouq
