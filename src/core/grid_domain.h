// Whether two grids cover the same domain.
//
// Why: a network sees grid points, not coordinates; data on another interval would be answered as if they
// were on its own. Contract: the number of points may differ; names and units are not compared.
#pragma once

#include <string>

#include "core/grid.h"

namespace nouq {

// Throws when an axis begins or ends elsewhere than that of the training data, saying so; `source`, when it
// is not empty, begins the message. Grids of another number of axes are somebody else's complaint.
void require_same_domain(const Grid& trained, const Grid& given, const std::string& source);

}  // namespace nouq
