// Settings that suit a data set, for whoever has no opinion.
//
// Contract: for the paper's problems on 100 x 20 points these are the paper's settings, but for the number of
// epochs; on other grids modes are limited by the axes, periodic axes get no padding, and the step schedule
// halves the rate ten times over the training, as 500 epochs with a period of 50 do.
#pragma once

#include "uq/fit.h"
#include "uq/network_settings.h"
#include "uq/predictor.h"

namespace nouq {

FitOptions default_fit(const DataSet& data, Index epochs);

// Whether channels are so far from size one that a network would train badly on them as they are.
bool needs_normalisation(const DataSet& data);

// What is calibrated on held-out samples after a fit; 0 leaves a part out.
struct CalibrationOptions {
  double trust_level = 0.95;  // share of in-domain inputs that are to be called in-domain
  double trust_far = 2.0;     // score beyond which an input is called out-of-domain
  double coverage = 0.9;      // of the conformal bands
  bool pointwise = false;     // bands per point instead of for the whole field
  bool sizing = true;         // sigma by data and by the law; needs two held-out samples
};

// The bands. Throws when there are too few held-out samples for the coverage asked for.
void calibrate(const CalibrationOptions& options, const DataSet& held_out, const Prediction& prediction,
               Surrogate& surrogate);

// The same options with what the number of held-out samples does not allow left out; of trust, at a level
// that they do allow.
CalibrationOptions affordable(CalibrationOptions options, Index held_out);

}  // namespace nouq
