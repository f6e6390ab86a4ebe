// Between which values a quantity lies; infinite where nothing is known.
#pragma once

#include <limits>

namespace nouq {

struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

}  // namespace nouq
