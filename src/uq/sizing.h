// The size of sigma, from held-out samples: the variance v that a method gives becomes scale (v + floor), one
// scale and one floor per channel.
//
// Why: the spread of heads, networks or masks ranks errors, but nothing makes it as large as they are. Scale
// and floor are those of the largest Gaussian likelihood of the held-out errors e, so that the mean of
// e^2 / (scale (v + floor)) is 1 there; the floor keeps points where a method sees no uncertainty at all from
// claiming that there is none. With few samples the scale itself is uncertain: one standard error of its
// mean over samples is added to it. Contract: calibrated on samples the networks did not train on; a
// surrogate without it predicts what its method gives. Samples are moved away from the mean so that their
// spread is the sized one.
#pragma once

#include <vector>

#include <nouq/prediction.h>

#include "uq/surrogate.h"

namespace nouq {

struct Sizing {
  std::vector<double> scale;  // one per channel
  std::vector<double> floor;  // a variance
  std::vector<double> error;  // standard error of the scale, which is part of it already
  Index held_out = 0;         // samples it comes from

  [[nodiscard]] bool empty() const { return scale.empty(); }
};

// The least number of held-out samples: a standard error needs two.
constexpr Index least_for_sizing = 2;

// mean, variance (as the method gives it) and truth: [n, axes..., channels].
Sizing calibrate_sizing(const ArrayView<const double>& mean, const ArrayView<const double>& variance,
                        const ArrayView<const double>& truth);

// Kept in a surrogate as "sizing.scale", "sizing.floor", "sizing.error" and "sizing.held_out".
void store(const Sizing& sizing, Surrogate& surrogate);
bool has_sizing(const Surrogate& surrogate);
// Empty when there is none. Throws when the numbers are not such as `store` writes.
Sizing sizing_of(const Surrogate& surrogate);
// Forgets all sizes, also those by laws (physics/law_sizing.h).
void remove_sizing(Surrogate& surrogate);

// A predicted field whose variance is changed in place.
struct PredictedField {
  Index values = 0;  // of mean and variance: [points][channels]
  const double* mean = nullptr;
  double* variance = nullptr;
  double* samples = nullptr;  // that belong to it: [count][values]; null where there are none
  Index count = 0;
};
PredictedField field_of(Prediction& prediction, Index sample);

// Sizes the variance and moves the samples with it.
void size_variance(const Sizing& sizing, const PredictedField& field);
void size_variance(const Sizing& sizing, Prediction& prediction);
// Multiplies the variance by `factor`, and moves the samples with it.
void scale_variance(double factor, const PredictedField& field);

}  // namespace nouq
