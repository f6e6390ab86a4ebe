#include "conserve/field_layout.h"

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

}  // namespace nouq
