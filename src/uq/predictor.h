// Predictions of a surrogate: mean, variance (sized, where the surrogate was: sizing.h) and samples, in the
// user's units.
//
// When: `predict` for a whole array at once; a Predictor kept alive where single inputs come one after
// another (after the first call of a size it allocates nothing). Contract: a prediction is a function of the
// surrogate and the input alone: not of the batch it is in, nor of the number of threads. Any grid over the
// trained domain will do: where the networks do not answer on it themselves (answers_on), the inputs are
// brought onto their points and the answers back (data/resampling.h). One caller at a time; the surrogate
// must outlive the Predictor.
#pragma once

#include <memory>

#include <nouq/prediction.h>  // Prediction, PredictOptions

#include "data/resampling.h"
#include "uq/method.h"
#include "uq/sizing.h"

namespace nouq {

class Predictor {
 public:
  Predictor(const Surrogate& surrogate, const Grid& grid, int threads = 1);
  // For arrays that do not say where their points are: those of the trained grid, or, with padding as a
  // fraction, of an evenly spaced one.
  Predictor(const Surrogate& surrogate, const Shape& grid, int threads = 1);

  [[nodiscard]] Index points() const { return points_; }
  [[nodiscard]] Index samples() const { return method_->samples(); }
  [[nodiscard]] Index pooled_size() const { return 2 * surrogate_.network.width; }
  // inputs: [batch][points][input channels]; mean, variance: [batch][points][channels]; samples:
  // [batch][samples()][points][channels], or null; pooled: [batch][pooled_size()], the trunk's hidden
  // channels (Network::write_pooled), or null. Any batch; memory is held for `chunk` inputs only.
  void predict(const float* inputs, Index batch, double* mean, double* variance, double* samples = nullptr,
               double* pooled = nullptr);

 private:
  static constexpr Index chunk = 20;
  void predict_chunk(const float* inputs, Index batch, double* mean, double* variance, double* samples,
                     double* pooled);
  void predict_resampled(const float* inputs, Index batch, double* mean, double* variance, double* samples,
                         double* pooled);

  // Between the grid that is asked and that of the networks.
  struct Detour {
    Resampling in, out;
    Buffer<float> inputs;
    Buffer<double> mean, variance, samples;
  };

  const Surrogate& surrogate_;
  std::optional<Detour> detour_;  // where the networks do not answer on the grid themselves
  std::unique_ptr<MethodPredictor> method_;
  Index points_;   // of the grid that is asked
  Index trained_;  // of the one the networks answer on
  Sizing sizing_;
  Buffer<float> inputs_, samples_;
};

// inputs: [n, axes..., input channels], finite, on a grid. Throws when they do not fit the surrogate.
Prediction predict(const Surrogate& surrogate, const Grid& grid, const ArrayView<const float>& inputs,
                   const PredictOptions& options = {});
// The same for inputs that do not say where their points are: those of the trained grid, or, where the
// padding is a fraction, of an evenly spaced one.
Prediction predict(const Surrogate& surrogate, const ArrayView<const float>& inputs,
                   const PredictOptions& options = {});

}  // namespace nouq
