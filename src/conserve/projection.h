// Projects predictions onto linear constraints: the mean and covariance conditioned on G u = b + noise.
//
//   mean~ = mu - Sigma G' (G Sigma G' + R)^-1 (G mu - b),  R = diag(noise_variance)
//   variance~ = diag(Sigma - Sigma G' (G Sigma G' + R)^-1 G Sigma)
//
// Why: a prediction that violates a conservation law is wrong in a known way; its own covariance says where.
// When: for any prediction, of nouq or not. Rows that do not interact are solved in closed form in O(n);
// others in O(n k^2 + k^3) per group of k coupled rows. Nothing of the size of the field squared is made.
//
// Contract: exact rows (noise variance 0) are met to rounding, or an Error names the row that cannot be.
// Redundant rows are dropped, contradictions are Errors (redundancy.h). Variances never become negative.
// Samples are moved with the same gain, so with noise variance 0 each of them meets the constraints. Results
// do not depend on the number of threads. `project` keeps scratch memory: use one Projector per calling
// thread.
#pragma once

#include <memory>
#include <vector>

#include "conserve/covariance.h"
#include "conserve/field_layout.h"
#include "conserve/linear_constraints.h"
#include "conserve/sample_projector.h"

namespace nouq {

struct ProjectionOptions {
  Covariance covariance;
  int threads = 0;  // 0: all there are
};

// The projector of single samples for a covariance; it looks at the constraints, which must outlive it. It
// takes the diagonal from the task, so sigma_power is the caller's business.
std::unique_ptr<SampleProjector> make_linear_rows(const LinearConstraints& constraints,
                                                  const FieldLayout& layout, const Covariance& covariance);

class Projector {
 public:
  Projector(const LinearConstraints& constraints, const FieldLayout& layout, ProjectionOptions options);

  Projector(const Projector&) = delete;  // the rows look at the constraints
  Projector& operator=(const Projector&) = delete;

  // The constraints without the redundant rows.
  [[nodiscard]] const LinearConstraints& constraints() const { return constraints_; }

  void project(const PredictionView& prediction, const ProjectedView& projected,
               ProjectionReport* report = nullptr);

 private:
  FieldLayout layout_;
  ProjectionOptions options_;
  LinearConstraints constraints_;
  std::unique_ptr<SampleProjector> rows_;
  std::vector<double> multipliers_;
};

}  // namespace nouq
