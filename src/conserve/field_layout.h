// Where the values of a flattened field sit: a grid and the number of channels.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nouq/array.h>
#include <nouq/grid.h>

namespace nouq {

struct FieldLayout {
  Grid grid;
  Index channels = 1;

  [[nodiscard]] Index points() const;
  // Which axis has this name; throws for an unknown one and says the nearest.
  [[nodiscard]] std::size_t axis(std::string_view name) const;
  // How far apart two neighbours along an axis are in the flattened field.
  [[nodiscard]] Index stride(std::size_t axis) const;
  // The index along the axis of a flattened point.
  [[nodiscard]] Index index_along(std::size_t axis, Index point) const;
  void check_channel(Index channel) const;
  // The extents of a field, [axes..., channels].
  [[nodiscard]] Shape shape() const;
};

// Whether two shapes are the same but for extents of one.
bool same_extents(std::span<const Index> a, std::span<const Index> b);

}  // namespace nouq
