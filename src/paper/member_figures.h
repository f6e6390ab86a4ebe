// In what the members of an ensemble differ: their Fourier weights, their features, their outputs.
#pragma once

#include "core/grid.h"
#include "paper/member_picture.h"
#include "paper/plot.h"

namespace nouq::paper {

// Magnitude of one block's Fourier weights over frequencies of the first axis and output channels, of the
// first members, and the coefficient of variation over all members.
Figure weight_figure(const WeightPicture& picture);

// The mean over the features before the last layer, and the output, of every member along the first axis of
// `grid`, that of the fields: of one sample in domain above, of one far from it below.
Figure feature_figure(const MemberPicture& picture, const Grid& grid);

}  // namespace nouq::paper
