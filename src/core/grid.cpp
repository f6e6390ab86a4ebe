#include "core/grid.h"

#include "core/names.h"

namespace nouq {

std::vector<std::string> axis_kind_names() { return {"points", "cells", "periodic"}; }

std::string name(AxisKind kind) { return axis_kind_names().at(static_cast<std::size_t>(kind)); }

AxisKind axis_kind_from_name(std::string_view name) {
  const auto names = axis_kind_names();
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == name) return static_cast<AxisKind>(k);
  }
  fail_unknown_name("kind of axis", name, names);
}

}  // namespace nouq
