#include "core/grid_domain.h"

#include <cmath>

#include "core/error.h"

namespace nouq {

void require_same_domain(const Grid& trained, const Grid& given, const std::string& source) {
  if (trained.size() != given.size()) return;
  for (std::size_t a = 0; a < trained.size(); ++a) {
    const auto &own = trained[a].coordinates, &other = given[a].coordinates;
    if (own.empty() || other.empty()) continue;
    const double close = 1e-6 * std::abs(own.back() - own.front());
    const bool same =
        std::abs(own.front() - other.front()) <= close && std::abs(own.back() - other.back()) <= close;
    require(same, "{}{}axis {} runs from {:.6g} to {:.6g}, but the model was trained on {:.6g} to {:.6g}",
            source, source.empty() ? "" : ": ", given[a].name, other.front(), other.back(), own.front(),
            own.back());
  }
}

}  // namespace nouq
