// What goes into a projection and what comes out, and the loop over samples that all projections share.
//
// Contract: fields are [n, axes..., channels], samples (heads, members, masks) [n, M, axes..., channels]; all
// in double. `variance` is the marginal variance; where samples are given and used as covariance, it should
// be theirs (with M - 1). Outputs may be the inputs themselves. An empty view means: not there, or not
// wanted.
#pragma once

#include <string>
#include <vector>

#include <nouq/array.h>

#include "conserve/linear_constraints.h"

namespace nouq {

// The view of an Array that was never filled has no data, but the shape of a single number.
template <class T>
bool is_given(const ArrayView<T>& view) {
  return view.data() != nullptr && !view.empty();
}

struct PredictionView {
  ArrayView<const double> mean;
  ArrayView<const double> variance;
  ArrayView<const double> samples;

  [[nodiscard]] Index count() const { return mean.rank() == 0 ? 0 : mean.extent(0); }
  [[nodiscard]] Index points() const {
    const Index fields = count();
    return fields == 0 ? 0 : mean.size() / fields;
  }
  [[nodiscard]] Index members() const { return is_given(samples) ? samples.extent(1) : 0; }
};

struct ProjectedView {
  ArrayView<double> mean;
  ArrayView<double> variance;
  ArrayView<double> samples;
};

// What happened, per sample of the prediction. Rows are those of the projector's own constraints().
struct ProjectionReport {
  std::vector<double> residual_before;  // largest |g.u - b| over the rows
  std::vector<double> residual_after;
  std::vector<double> variance_scale;  // s^2, by which overconfident variances were multiplied
  Array<double> multipliers;           // [n, rows]
};

// One sample's share of the views, as plain rows.
struct SampleTask {
  Index sample = 0;
  Index points = 0;
  Index members = 0;
  const double* mean = nullptr;
  const double* variance = nullptr;
  const double* diagonal = nullptr;  // of the covariance the gain is made from; usually the variance
  const double* samples = nullptr;
  double* out_mean = nullptr;  // null: only the variance is wanted
  double* out_variance = nullptr;
  double* out_samples = nullptr;  // null: not wanted
  double* multipliers = nullptr;  // one per row
  double* variance_scale = nullptr;
};

// Throws unless the shapes agree with each other and with fields of `points` values.
void validate_shapes(const PredictionView& prediction, const ProjectedView& projected, Index points);
// Throws when a value of the sample is not finite or a variance is negative.
void validate_values(const SampleTask& task);
SampleTask task_of(const PredictionView& prediction, const ProjectedView& projected, Index sample);

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
