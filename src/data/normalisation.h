// Scaling channels to mean zero and standard deviation one.
//
// Why: channels of very different size train badly. The paper normalises nothing, so the default does
// nothing. When: fit on the training samples alone, then apply to every set; a saved model carries it.
// Contract: x becomes (x - mean) / deviation, per channel, computed in double and rounded once; `invert`
// undoes it up to float rounding. A channel that does not vary is only shifted (its deviation counts as 1).
#pragma once

#include <vector>

#include "core/array.h"

namespace nouq {

class Normalisation {
 public:
  // None: apply and invert do nothing.
  Normalisation() = default;
  // Per channel; throws unless the lists are equally long, finite, and deviations positive.
  Normalisation(std::vector<double> mean, std::vector<double> deviation);
  // Mean and standard deviation (over all samples and points) of every channel of a field
  // [..., channels]. Throws when the field is empty.
  static Normalisation per_channel(const ArrayView<const float>& field);

  [[nodiscard]] bool is_none() const { return mean_.empty(); }
  [[nodiscard]] const std::vector<double>& mean() const { return mean_; }
  [[nodiscard]] const std::vector<double>& deviation() const { return deviation_; }

  // In place on a field [..., channels]; throws when the number of channels differs.
  void apply(const ArrayView<float>& field) const;
  void invert(const ArrayView<float>& field) const;
  // Variances scale with the square of the deviation and do not shift.
  void invert_variance(const ArrayView<float>& variance) const;

  friend bool operator==(const Normalisation&, const Normalisation&) = default;

 private:
  void require_channels(const ArrayView<const float>& field) const;

  std::vector<double> mean_;
  std::vector<double> deviation_;
};

}  // namespace nouq
