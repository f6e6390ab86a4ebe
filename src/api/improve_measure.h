// How good a surrogate is over what is asked of it.
#pragma once

#include <nouq/improve.h>

namespace nouq {

// Mean over the samples of the relative error, its square the mean of the channels' own.
double held_out_error(const Model& model, const DataSet& data, int threads);

struct Outlook {
  double expected = 0;   // relative error by the model's own sigma, mean over the places
  double in_domain = 0;  // share of them; 0 without a calibration of trust
};
Outlook outlook_of(const Model& model, const DataSet& places, int threads);

}  // namespace nouq
