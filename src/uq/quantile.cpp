#include "uq/quantile.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace nouq {

Index samples_needed(double level) {
  require(level > 0.0 && level < 1.0, "level = {}: expected more than 0 and less than 1", level);
  // A hair less, so that 19 samples serve 95 % although 0.95 / 0.05 is not 19 in binary.
  return static_cast<Index>(std::ceil(level / (1.0 - level) - 1e-9));
}

double conformal_quantile(std::vector<double> scores, double level, std::string_view purpose) {
  require(level > 0.0 && level < 1.0, "{}: coverage = {}, expected more than 0 and less than 1", purpose,
          level);
  const auto count = std::ssize(scores);
  require(count >= samples_needed(level),
          "{}: {} held-out samples are too few for a coverage of {}; at least {} are needed", purpose, count,
          level, samples_needed(level));
  // The same hair less: with enough samples, the rank is one of theirs.
  const auto rank = static_cast<Index>(std::ceil(static_cast<double>(count + 1) * level - 1e-9));
  const auto at = scores.begin() + std::min(rank, count) - 1;
  std::nth_element(scores.begin(), at, scores.end());
  return *at;
}

}  // namespace nouq
