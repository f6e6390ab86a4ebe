// The architectures of neural operators, behind one interface (<nouq/architecture.h>).
//
// An architecture says which tensors a network has, on which grids it can work, what it costs, and makes the
// trunk that computes it. Everything else (head, losses, uncertainty methods, training, model file, tool and
// bindings) is common: none of them knows an architecture by name.
//
// Adding one is a folder nn/<name> with a class derived from Architecture and one from Trunk, one line in
// architectures.def, one test.
#pragma once

#include <algorithm>

#include <nouq/grid.h>

#include "core/buffer.h"
#include "nn/network_options.h"

namespace nouq {

// Throws for an unknown name, and suggests the nearest.
const Architecture& find_architecture(std::string_view name);

// Throws when a network of these options cannot work on the grid.
void require_accepted(const NetworkOptions& options, const Grid& grid);

template <class T>
std::unique_ptr<Trunk<T>> make_trunk(const TrunkPlace& place) {
  const Architecture& architecture = find_architecture(place.options.architecture);
  if constexpr (std::is_same_v<T, float>) {
    return architecture.single_trunk(place);
  } else {
    return architecture.double_trunk(place);
  }
}

// What the architectures share.

inline double number(Index n) { return static_cast<double>(n); }

// What every point adds to its inputs before the lift: its coordinates and 1, [points, axes + 1], axis 0
// fastest.
template <class T>
Buffer<T> lifted_coordinates(const NetworkOptions& options, const Shape& grid) {
  const auto columns = std::ssize(grid) + 1;
  Buffer<T> table;
  table.resize(element_count(grid) * columns);
  for (Index p = 0; p < static_cast<Index>(element_count(grid)); ++p) {
    T* row = table.data() + p * columns;
    Index rest = p;
    for (std::size_t j = 0; j < grid.size(); ++j) {
      row[j] = static_cast<T>(options.padding[j].coordinate(rest % grid[j], grid[j]));
      rest /= grid[j];
    }
    row[columns - 1] = T(1);
  }
  return table;
}

template <class T>
void transpose(const T* in, Index rows, Index columns, T* out) {
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) out[c * rows + r] = in[r * columns + c];
  }
}

template <class T>
std::size_t bytes(const Buffer<T>& buffer) {
  return buffer.size() * sizeof(T);
}

}  // namespace nouq
