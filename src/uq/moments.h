// Mean and unbiased variance over equally shaped samples, in double.
//
// Contract: sample s of point p is samples[s * sample_stride + p * point_stride], so that heads side by side
// and networks one after another are both served without copying.
#pragma once

#include <algorithm>

#include <nouq/array.h>

namespace nouq {

struct SampleLayout {
  Index count;
  Index sample_stride;
  Index point_stride;
  Index out_stride = 1;  // of mean and variance
};

// Two passes: the variance of nearly equal heads would drown in a sum of squares. Some points at a time,
// whose sums do not wait for each other.
template <class Value>
void moments(const Value* samples, const SampleLayout& layout, Index points, double* mean, double* variance) {
  constexpr Index together = 16;
  const auto count = static_cast<double>(layout.count);
  const auto value = [&](Index s, Index p) {
    return static_cast<double>(samples[s * layout.sample_stride + p * layout.point_stride]);
  };
  for (Index first = 0; first < points; first += together) {
    const Index last = std::min(points, first + together);
    double centre[together] = {}, squares[together] = {};
    for (Index s = 0; s < layout.count; ++s)
      for (Index p = first; p < last; ++p) centre[p - first] += value(s, p);
    for (Index p = first; p < last; ++p) mean[p * layout.out_stride] = centre[p - first] /= count;
    for (Index s = 0; s < layout.count; ++s) {
      for (Index p = first; p < last; ++p) {
        const double difference = value(s, p) - centre[p - first];
        squares[p - first] += difference * difference;
      }
    }
    for (Index p = first; p < last; ++p) variance[p * layout.out_stride] = squares[p - first] / (count - 1.0);
  }
}

}  // namespace nouq
