// In what the members of an ensemble differ: their Fourier weights, their features, their outputs.
//
// Contract: a surrogate with at least two networks; grids of one or two axes.
#pragma once

#include "report/figure.h"
#include "uq/surrogate.h"

namespace nouq::report {

// Magnitude of one block's Fourier weights over frequencies of the first axis and output channels, of the
// first members, and the coefficient of variation over all members.
Figure weight_figure(const Surrogate& surrogate, Index block);

// The mean over the features before the last layer, and the output, of every member along the first axis: of
// one sample in domain above, of one far from it below. Inputs are [axes..., channels].
Figure feature_figure(const Surrogate& surrogate, const float* in_domain, const float* shifted);

}  // namespace nouq::report
