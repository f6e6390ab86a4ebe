// The architectures of neural operators, behind one interface (<nouq/architecture.h>).
//
// An architecture says which tensors a network has, on which grids it can work, what it costs, and makes the
// trunk that computes it. Everything else (head, losses, uncertainty methods, training, model file, tool and
// bindings) is common: none of them knows an architecture by name.
//
// Adding one is a folder nn/<name> with a class derived from Architecture and one from Trunk, one line in
// architectures.def, one test.
#pragma once

#include "core/grid.h"
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

}  // namespace nouq
