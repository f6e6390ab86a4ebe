// The size of sigma, by the law: where a prediction violates its conservation law by more than held-out ones
// do, its variance must be large enough to explain the violation.
//
// For one law with rows g over the field (an integral at every time), the mean's residuals r = g.mu - b and
// sigma as sized by data (uq/sizing.h), the variance of a sample is multiplied by
//
//   1 + max(0, sum r^2 - reference) / (coherence sum (|g|.sigma)^2)
//
// where the reference is the 95 % quantile of sum r^2 over held-out samples, so that within the domain
// nothing changes but for one sample in twenty, and that one a little. The denominator is the variance of the
// integral if errors at all points of a row moved together, times the share of it that they do move together:
// under shift the heads of networks trained on very different problems have 0.3 to 0.5 of it, in domain less
// than 0.1 (the law is learnt there), and a diagonal covariance would claim a hundredth. No samples are
// needed, so all methods are sized alike. Of several laws the one that asks for most counts.
//
// Contract: calibrated on held-out samples with values of the law; kept per law as "sizing.law.<name>". Data
// without values of a law, or on a grid with another number of rows, leave the variance as it is.
#pragma once

#include <vector>

#include "physics/physics.h"
#include "uq/predictor.h"

namespace nouq {

// The share of the fully coherent variance of an integral that errors under shift have.
constexpr double law_coherence = 0.4;

// Takes the prediction for held-out samples, sized by data. Laws without values there are left out.
void calibrate_law_sizing(const DataSet& held_out, const Prediction& prediction, Surrogate& surrogate);
bool has_law_sizing(const Surrogate& surrogate);

// Sum over the law's rows of the squared residual of one sample's mean.
double squared_residual(const LinearConstraints& law, Index sample, const double* mean);
void remove_law_sizing(Surrogate& surrogate);

// The factor of the variance of every sample: 1 where no law speaks. Data need no solutions.
std::vector<double> law_factors(const Surrogate& surrogate, const DataSet& data,
                                const Prediction& prediction);

// Applies them to variance and samples.
void size_by_law(const Surrogate& surrogate, const DataSet& data, Prediction& prediction);

}  // namespace nouq
