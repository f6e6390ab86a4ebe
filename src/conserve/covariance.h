// Which covariance a projection works with; it decides how a correction is spread over the field.
//
// Sigma = (1 - share) D D' + share diag(variance), D = (samples - their mean) / sqrt(M - 1).
//
// share = 1 is the diagonal form of the paper; share = 0 the low-rank covariance of the samples; between them
// the sum of both, with the same marginal variances. D has rank M - 1 only, so it cannot meet more than M - 1
// constraints at once: with `independent_axis` (usually the time) values at different places on that axis are
// taken as uncorrelated, so that each has its own D.
//
// `sigma_power` p replaces diag(sigma^2) by diag(sigma^p), scaled so that the sums of each group of coupled
// rows keep their variance: 1 spreads a correction more evenly, 0 evenly. The variance is then updated for
// the gain that was used (Joseph's form), so it stays the variance of the result.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "conserve/linear_constraints.h"

namespace nouq {

struct Covariance {
  double diagonal_share = 1;
  std::string independent_axis;  // empty: the whole field at once
  double sigma_power = 2;

  static Covariance diagonal(double sigma_power = 2) { return {1, {}, sigma_power}; }
  static Covariance low_rank(std::string independent_axis) { return {0, std::move(independent_axis), 2}; }
  static Covariance low_rank_plus_diagonal(double share, std::string independent_axis) {
    return {share, std::move(independent_axis), 2};
  }
  [[nodiscard]] bool uses_samples() const { return diagonal_share < 1; }
  friend bool operator==(const Covariance&, const Covariance&) = default;
};

// diag(sigma^p) in place of diag(sigma^2), on the scale of the true variances.
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
