// The calibration curve: for the levels p = 0, 0.1, ..., 1, the share of all values (samples and grid points
// together) that lie below the predicted p-quantile. A calibrated prediction gives back p.
#pragma once

#include <vector>

#include "metrics/metric.h"

namespace nouq::metrics {

std::vector<double> quantile_coverage(const MetricInput& input);

}  // namespace nouq::metrics
