// Mean and unbiased variance over equally shaped samples, in double.
//
// Contract: sample s of point p is samples[s * sample_stride + p * point_stride], so that heads side by side
// and networks one after another are both served without copying.
#pragma once

#include "core/array.h"

namespace nouq {

struct SampleLayout {
  Index count;
  Index sample_stride;
  Index point_stride;
};

// Two passes: the variance of nearly equal heads would drown in a sum of squares.
template <class Value>
void moments(const Value* samples, const SampleLayout& layout, Index points, double* mean, double* variance) {
  const auto count = static_cast<double>(layout.count);
  for (Index p = 0; p < points; ++p) {
    const Value* first = samples + p * layout.point_stride;
    double sum = 0;
    for (Index s = 0; s < layout.count; ++s) sum += static_cast<double>(first[s * layout.sample_stride]);
    const double centre = sum / count;
    double squares = 0;
    for (Index s = 0; s < layout.count; ++s) {
      const double difference = static_cast<double>(first[s * layout.sample_stride]) - centre;
      squares += difference * difference;
    }
    mean[p] = centre;
    variance[p] = squares / (count - 1.0);
  }
}

}  // namespace nouq
