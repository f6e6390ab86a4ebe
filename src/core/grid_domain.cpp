#include "core/grid_domain.h"

#include <cmath>

#include <fmt/format.h>

namespace nouq {

std::optional<std::string> domain_difference(const Grid& trained, const Grid& given) {
  if (trained.size() != given.size()) return std::nullopt;
  for (std::size_t a = 0; a < trained.size(); ++a) {
    const auto &own = trained[a].coordinates, &other = given[a].coordinates;
    if (own.empty() || other.empty()) continue;
    const double close = 1e-6 * std::abs(own.back() - own.front());
    const bool same =
        std::abs(own.front() - other.front()) <= close && std::abs(own.back() - other.back()) <= close;
    if (!same)
      return fmt::format("axis {} runs from {:.6g} to {:.6g}, but the model was trained on {:.6g} to {:.6g}",
                         given[a].name, other.front(), other.back(), own.front(), own.back());
  }
  return std::nullopt;
}

}  // namespace nouq
