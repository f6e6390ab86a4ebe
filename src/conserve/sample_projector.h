// The loop over samples that all projections share, and what they do inside it.
#pragma once

#include <vector>

#include "conserve/linear_constraints.h"
#include "conserve/prediction.h"

namespace nouq {

// One way of projecting one sample; may be called from many threads, each with its own number.
class SampleProjector {
 public:
  SampleProjector() = default;
  virtual ~SampleProjector() = default;
  SampleProjector(const SampleProjector&) = delete;
  SampleProjector& operator=(const SampleProjector&) = delete;

  // Makes scratch memory for so many threads; called before the samples.
  virtual void prepare(int threads, Index members) = 0;
  virtual void project(const SampleTask& task, int thread) = 0;
};

// The largest |g.u - b| over the rows, for one field.
double largest_residual(const LinearConstraints& constraints, Index sample, const double* field);

// Checks the arrays, projects every sample and reports. `multipliers` is scratch that the caller keeps.
void project_samples(SampleProjector& projector, const LinearConstraints& constraints, int threads,
                     const PredictionView& prediction, const ProjectedView& projected,
                     std::vector<double>& multipliers, ProjectionReport* report);

}  // namespace nouq
