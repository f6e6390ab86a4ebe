// The quantile that conformal statements rest on.
//
// With n exchangeable scores and a new one, the new one is at most the ceil((n + 1) level)-th smallest with
// probability at least `level`. That rank must not exceed n, so n >= level / (1 - level) scores are needed.
#pragma once

#include <string_view>
#include <vector>

#include <nouq/array.h>

namespace nouq {

// The least n for a level inside (0, 1): ceil(level / (1 - level)).
Index samples_needed(double level);

// Throws when the level is not inside (0, 1), or when there are too few scores for it, naming `purpose`.
double conformal_quantile(std::vector<double> scores, double level, std::string_view purpose);

}  // namespace nouq
