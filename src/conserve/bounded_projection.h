// Projection onto constraints and inequalities at once: bounded and noise-aware.
//
//   u = argmin (u - mu)' (s^2 Sigma)^-1 (u - mu) + sum over rows of (g.u - b)^2 / R_r
//       over fields within the bounds, Sigma = diag(sigma^p)
//
// Its solution is u = clip(mu - s^2 Sigma G' lambda, lower, upper) with multipliers lambda such that
// g.u - b = R lambda for every row; with exact rows (R = 0) g.u = b. One row by itself is a scalar equation,
// monotone and piecewise linear (bounded_rows.h); coupled rows and monotone profiles are solved by Newton's
// method on the dual (dual_newton.h).
//
// s^2 = max(1, sum_r [(g.clip(mu) - b)^2 - R_r] / sum_r g Sigma g') is found per sample: predictions whose
// violations are larger than their own variance explains get the variance that does.
//
// When: whenever bounds are known; they matter most at fronts. NoiseVariance: give each row the error the
// data themselves show (noise_from_fields), else an exact law is forced onto a grid that cannot meet it
// exactly.
//
// Contract: as projection.h, for a diagonal covariance. The result is within the bounds; an exact row that
// the bounds do not allow is an Error that says by how much.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conserve/field_layout.h"
#include "conserve/inequalities.h"
#include "conserve/linear_constraints.h"
#include "conserve/sample_projector.h"

namespace nouq {

// The variance after a bounded projection.
enum class VarianceUpdate {
  automatic,  // samples where there are two or more, else displaced: what ranks errors best
              // (docs/projection.md)
  gaussian,   // as if there were no bounds
  truncated,  // that Gaussian cut off at the bounds: mean square deviation from the projected mean
  samples,  // of the samples, each projected by itself, and of the prediction before, displaced, as one more
  displaced,  // mean square deviation of the unprojected prediction from the projected mean
};
std::vector<std::string> variance_update_names();
VarianceUpdate variance_update_from_name(std::string_view name);

struct BoundedOptions {
  bool scale_variance = true;  // s^2 as above, else 1
  double sigma_power = 2;      // covariance.h
  VarianceUpdate variance_update = VarianceUpdate::automatic;
  int threads = 0;  // 0: all there are
};

class BoundedProjector {
 public:
  BoundedProjector(const LinearConstraints& constraints, Inequalities inequalities, const FieldLayout& layout,
                   BoundedOptions options);
  BoundedProjector(const BoundedProjector&) = delete;  // the rows look at the constraints
  BoundedProjector& operator=(const BoundedProjector&) = delete;

  // The constraints without the redundant rows.
  [[nodiscard]] const LinearConstraints& constraints() const { return constraints_; }

  void project(const PredictionView& prediction, const ProjectedView& projected,
               ProjectionReport* report = nullptr);

 private:
  FieldLayout layout_;
  BoundedOptions options_;
  LinearConstraints constraints_;
  Inequalities inequalities_;
  std::unique_ptr<SampleProjector> rows_;
  std::vector<double> multipliers_;
};

}  // namespace nouq
