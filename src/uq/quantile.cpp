#include "uq/quantile.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace nouq {

double conformal_quantile(std::vector<double> scores, double level, std::string_view purpose) {
  require(level > 0.0 && level < 1.0, "{}: coverage = {}, expected more than 0 and less than 1", purpose,
          level);
  // A hair less, so that 19 samples serve 95 % although 20 * 0.95 is not 19 in binary.
  const auto rank =
      static_cast<std::size_t>(std::ceil(static_cast<double>(scores.size() + 1) * level - 1e-9));
  require(rank <= scores.size(),
          "{}: {} held-out samples are too few for a coverage of {}; at least {} are needed", purpose,
          scores.size(), level, std::ceil(level / (1.0 - level) - 1e-9));
  const auto at = scores.begin() + static_cast<std::ptrdiff_t>(rank) - 1;
  std::nth_element(scores.begin(), at, scores.end());
  return *at;
}

}  // namespace nouq
