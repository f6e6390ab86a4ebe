// The formula behind both forms of n-MeRCI, for pairs of absolute error e and uncertainty s:
//   tau = 95 % quantile of e / s (linear between order statistics),
//   n-MeRCI = (mean(tau s) - mean e) / (max e - mean e).
//
// Near 0: s is proportional to e, save outliers; near 1 or above: s says nothing about e. The scale of s does
// not matter. Reference: Moukari, Simon, Picard, Jurie: n-MeRCI: a new metric to evaluate the correlation
// between predictive uncertainty and true error. IROS 2019.
#pragma once

#include <span>
#include <vector>

#include "metrics/metric.h"

namespace nouq::metrics {

// The value, and for each pair (tau s - e) / (max e - mean e), whose mean the value is. A pair with e = s = 0
// has ratio 0; when tau is infinite (s = 0 where e is not, too often) so is the value. Throws when all errors
// are equal: the quotient is then not defined; `what` names the pairs in the message.
MetricResult rescaled_interval(std::span<const double> errors, std::span<const double> uncertainties,
                               const std::string& what);

// Quantile of values (any order) at `level`, linear between order statistics.
double linear_quantile(std::vector<double> values, double level);

}  // namespace nouq::metrics
