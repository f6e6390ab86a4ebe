// Trust in one prediction: is this input like those the surrogate was trained on?
//
// Score: |sigma| / |mu| over the whole field, divided by what 95 % (an option) of the validation samples stay
// below. So 1 is the edge of what was seen in training, whatever the problem's units.
//   up to 1          in_domain      (a false alarm for 5 % of in-domain inputs, as calibrated)
//   1 to `far`       doubtful
//   beyond           out_of_domain
// Contract: calibrated on samples the networks did not train on; an uncalibrated surrogate is an Error that
// says so. A field of zeros with uncertainty has an infinite score.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <nouq/trust.h>  // Verdict and Trust, which users see

#include "uq/surrogate.h"

namespace nouq {

std::string_view name(Verdict verdict);

struct TrustOptions {
  double level = 0.95;  // share of in-domain inputs to be called in_domain
  double far = 2.0;     // score beyond which an input is called out_of_domain
};

// |sigma| / |mu| of one sample.
double relative_spread(std::span<const double> mean, std::span<const double> variance);
// The same of every sample; mean and variance are [n, ...].
std::vector<double> relative_spread(const ArrayView<const double>& mean,
                                    const ArrayView<const double>& variance);

// Kept in the surrogate as "trust.reference" and "trust.far". Takes predictions for held-out samples.
void calibrate_trust(const TrustOptions& options, const ArrayView<const double>& mean,
                     const ArrayView<const double>& variance, Surrogate& surrogate);
bool has_trust(const Surrogate& surrogate);

// What a relative spread means; allocates nothing.
Trust judge(const Surrogate& surrogate, double spread);
std::vector<Trust> trust(const Surrogate& surrogate, const ArrayView<const double>& mean,
                         const ArrayView<const double>& variance);

// The probability that a sample of `far` scores above one of `near`, ties counting half: 1 is perfect
// separation, 1/2 none.
double auroc(const std::vector<double>& near, const std::vector<double>& far);

}  // namespace nouq
