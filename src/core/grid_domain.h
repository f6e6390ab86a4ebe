// Whether two grids cover the same domain.
//
// Why: a network sees grid points, not coordinates; data on another interval would be answered as if they
// were on its own. Contract: the number of points may differ; names and units are not compared.
#pragma once

#include <optional>
#include <string>

#include "core/grid.h"

namespace nouq {

// What differs, as words for a message ("axis t runs from 0 to 0.1, ..."); nullopt when nothing does. Grids
// of another number of axes are somebody else's complaint.
std::optional<std::string> domain_difference(const Grid& trained, const Grid& given);

}  // namespace nouq
