// Projects predictions onto conservation laws: mean and deviation conditioned on G u = b.
//
// When: the integral of a field (mass, energy) or any other weighted sum of its values is known. The
// correction goes where the prediction is least certain. Works on any prediction, of a Model or not.
// Contract: exact laws (slack 0) are met to rounding, or an Error names the row that cannot be. Fields are
// [samples, axes..., channels], or [axes...] alone for one sample of one channel; outputs may be the inputs
// themselves. The library's functions here may be called from many threads at once.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include <nouq/model.h>

namespace nouq {

struct ConstraintData;

struct IntegralOptions {
  std::string rule = "trapezoid";  // or simpson, midpoint
  std::int64_t channel = 0;
  double slack = 0;  // variance with which the law holds; 0: exactly
};

class NOUQ_API Constraints {
 public:
  // The integral along `axis` of the model's grid is known at every place on the other axes. values:
  // [samples, other axes...], or [other axes...] for all samples.
  static Constraints integral(const Model& model, const std::string& axis, const Input& values,
                              const IntegralOptions& options = {});
  // Any sparse rows on fields of `points` values (row-major, channel last): entry i says that row[i] has
  // weight[i] at point[i]. values: [samples, rows], or [rows] for all samples.
  static Constraints sparse(std::int64_t points, std::span<const std::int64_t> row,
                            std::span<const std::int64_t> point, std::span<const double> weight,
                            const Input& values, double slack = 0);

  [[nodiscard]] std::int64_t rows() const;
  [[nodiscard]] const ConstraintData& data() const { return *data_; }

 private:
  explicit Constraints(std::shared_ptr<const ConstraintData> data) : data_(std::move(data)) {}
  std::shared_ptr<const ConstraintData> data_;
};

struct ProjectOptions {
  // The covariance: 1 is the diagonal of the deviations, 0 that of the samples, between them the mixture.
  double diagonal_share = 1;
  std::string independent_axis;  // along which samples are taken as uncorrelated, usually "t"; may be empty
  int threads = 1;
  // Bounds of every value, e.g. 0 for a density. With one of them the projection keeps to the bounds: the
  // diagonal covariance, scaled up where the prediction is surer than its violations allow; the deviation is
  // then that of the samples, each projected by itself, where there are samples.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

// Samples may be left out (absent), unless diagonal_share is below 1.
struct ProjectInputs {
  Input mean;
  Input deviation;
  Input samples;
};
struct ProjectOutputs {
  Output mean;
  Output deviation;
  Output samples;
};

NOUQ_API void project(const Constraints& constraints, const ProjectInputs& prediction,
                      const ProjectOutputs& projected, const ProjectOptions& options = {});

}  // namespace nouq
