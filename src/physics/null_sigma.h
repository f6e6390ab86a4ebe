// Standard deviations that look at no prediction: what a method's own must beat.
//
//   constant  the root mean square error of held-out samples, the same everywhere
//   distance  that, times how far the sample's parameter is from the middle of the training range, in halves
//             of the range and at least 1; of several parameters the farthest
//
// Contract: of a surrogate that keeps its held-out errors (projection_calibration.h), and for distance of
// data with the parameters of the training data; an Error says what is missing.
#pragma once

#include <string_view>

#include "physics/projection_choice.h"

namespace nouq {

enum class SigmaKind { model, constant, distance };
SigmaKind sigma_from_name(std::string_view name);

// Replaces the variance of a prediction after a projection; for `model` leaves it.
void replace_sigma(SigmaKind kind, ProjectionKind projection, const Surrogate& surrogate, const DataSet& data,
                   Prediction& prediction);

}  // namespace nouq
