// What the Gaussian losses (loss.h) say of one value, with derivatives.
#pragma once

#include <nouq/array.h>

namespace nouq {

// (mu - y)^2 / v + log v
struct LikelihoodScore {
  double value;
  double by_mean;
  double by_variance;
};
LikelihoodScore likelihood_score(double mean, double variance, double y);

// The continuous ranked probability score of N(mu, sigma^2) at y.
struct CrpsScore {
  double value;
  double by_mean;
  double by_sigma;
};
CrpsScore crps_score(double mean, double sigma, double y);

// The sum of |y| over a target, which a score of a field is divided by. Throws where that is zero.
template <class T>
double target_size(const T* targets, Index count);

}  // namespace nouq
