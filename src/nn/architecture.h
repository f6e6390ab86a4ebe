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

// A row of the field before the lift: the inputs at a point, its coordinates and 1. `point` counts with axis
// 0 fastest.
template <class T>
void write_lifted_row(const NetworkOptions& options, const Shape& grid, Index point, const T* inputs,
                      T* row) {
  const Index channels = options.input_channels;
  std::copy_n(inputs, channels, row);
  Index rest = point;
  for (std::size_t j = 0; j < grid.size(); ++j) {
    row[channels + static_cast<Index>(j)] =
        static_cast<T>(options.padding[j].coordinate(rest % grid[j], grid[j]));
    rest /= grid[j];
  }
  row[options.lifted_channels() - 1] = T(1);
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
