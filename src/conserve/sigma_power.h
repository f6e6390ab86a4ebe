// diag(sigma^p) in place of diag(sigma^2) (covariance.h), on the scale of the true variances.
#pragma once

#include <vector>

#include "conserve/linear_constraints.h"

namespace nouq {

class SigmaPower {
 public:
  SigmaPower(const LinearConstraints& constraints, double power);

  // sigma^p of every point (power 0 gives 1 also where sigma is 0), times a factor per group of coupled rows
  // that gives its constrained sums the variance they truly have. Returns `variance` itself for p = 2.
  const double* raise(const double* variance, std::vector<double>& scratch) const;

 private:
  const LinearConstraints& constraints_;
  double power_;
  std::vector<std::vector<Index>> groups_;
};

}  // namespace nouq
