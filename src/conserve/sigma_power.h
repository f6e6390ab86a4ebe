// diag(sigma^p) in place of diag(sigma^2) (covariance.h), on the scale of the true variances.
#pragma once

#include <cmath>

#include "core/array.h"

namespace nouq {

// out[i] = sigma_i^power; power 0 gives 1 also where sigma is 0.
inline void raise_sigma(const double* variance, Index count, double power, double* out) {
  for (Index i = 0; i < count; ++i) out[i] = std::pow(variance[i], 0.5 * power);
}

// The factor that gives a constrained sum the variance it truly has.
inline double matching_scale(double true_variance, double raised_variance) {
  return true_variance > 0 && raised_variance > 0 ? true_variance / raised_variance : 1;
}

}  // namespace nouq
