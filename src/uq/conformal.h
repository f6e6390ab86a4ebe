// Conformal bands: mean +- factor * sigma with a stated coverage, on top of any method.
//
// Why: a method's sigma ranks errors but is rarely the right size. Scaling it by a quantile of |error| /
// sigma on held-out samples gives bands that cover as stated, whatever the method, as long as new samples are
// like the held-out ones. Under a shift they are not, and nothing is promised.
//   whole_field  one factor; the band contains a whole new field with the stated probability
//   pointwise    a factor per point and channel; at each point the band contains the value with it
// Contract: sigma counts as at least `floor` (a thousandth of its mean over the held-out samples, per
// channel), so that a point where the method sees no uncertainty at all does not make every band infinite.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "uq/surrogate.h"

namespace nouq {

enum class ConformalKind { whole_field, pointwise };

struct Conformal {
  double coverage = 0.9;
  std::vector<double> floor = {0};  // one for all channels, or one for each
  Array<double> factor;             // [1], or [axes..., channels]

  [[nodiscard]] ConformalKind kind() const {
    return factor.size() == 1 ? ConformalKind::whole_field : ConformalKind::pointwise;
  }
};

// mean, variance, truth: [n, axes..., channels], held-out samples the networks did not train on.
Conformal calibrate_conformal(ConformalKind kind, double coverage, const ArrayView<const double>& mean,
                              const ArrayView<const double>& variance, const ArrayView<const double>& truth);

// Whether there is a factor for every value of such a prediction: pointwise ones are for their own grid only.
bool fits(const Conformal& conformal, const Shape& prediction);

// The same for a prediction of a surrogate: bands of whole fields, too, hold for as many points as they were
// calibrated on.
bool fits(const Conformal& conformal, const Surrogate& surrogate, const Shape& prediction);

// Half the width of the band: factor * max(sigma, floor), of the shape of `variance`. Throws when it does not
// fit.
Array<double> half_width(const Conformal& conformal, const ArrayView<const double>& variance);

// The same into memory of the caller's, for whole fields behind each other that fit.
void half_width(const Conformal& conformal, std::span<const double> variance, std::span<double> width);

// The share of fields (whole_field) or of points (pointwise) that the band contains.
double band_coverage(const Conformal& conformal, const ArrayView<const double>& mean,
                     const ArrayView<const double>& variance, const ArrayView<const double>& truth);

// Kept in a surrogate as "conformal.factor", "conformal.floor" and "conformal.coverage", or under another
// prefix.
void store(const Conformal& conformal, Surrogate& surrogate, const std::string& prefix = "conformal");
bool has_conformal(const Surrogate& surrogate, const std::string& prefix = "conformal");
Conformal conformal_of(const Surrogate& surrogate, const std::string& prefix = "conformal");

}  // namespace nouq
