#include "conserve/covariance.h"

#include <cmath>
#include <set>

#include "conserve/coupling.h"

namespace nouq {

SigmaPower::SigmaPower(const LinearConstraints& constraints, double power)
    : constraints_(constraints),
      power_(power),
      groups_(coupled_groups(constraints, own_labels(constraints.points))) {}

const double* SigmaPower::raise(const double* variance, std::vector<double>& scratch) const {
  if (power_ == 2) return variance;
  scratch.resize(constraints_.points);
  for (std::size_t p = 0; p < scratch.size(); ++p) scratch[p] = std::pow(variance[p], 0.5 * power_);
  for (const auto& rows : groups_) {
    double truth = 0, raised = 0;
    std::set<Index> points;
    for (const Index r : rows) {
      for (const auto& [point, weight] : constraints_.row(r)) {
        truth += weight * weight * variance[point];
        raised += weight * weight * scratch[point];
        points.insert(point);
      }
    }
    if (truth <= 0 || raised <= 0) continue;
    for (const Index point : points) scratch[point] *= truth / raised;
  }
  return scratch.data();
}

}  // namespace nouq
