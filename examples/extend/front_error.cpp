// The metric "front_error": the distance, in points, between where mean and truth fall below one half,
// averaged over all other places. For fields [n, x, t, 1] that fall along x.
#include <cmath>

#include <nouq/metrics.h>

#include "extensions.h"

namespace {

// The first point along x whose value is below one half.
nouq::Index front(const nouq::ArrayView<const double>& field, nouq::Index t) {
  const nouq::Index points = field.extent(0), times = field.extent(1);
  for (nouq::Index i = 0; i < points; ++i) {
    if (field[i * times + t] < 0.5) return i;
  }
  return points;
}

nouq::MetricResult front_error(const nouq::MetricInput& in) {
  if (in.mean.rank() != 4 || in.mean.extent(3) != 1)
    throw nouq::Error(nouq::Error::Kind::user, "front_error: expected fields [samples, x, t, 1]");
  nouq::MetricResult result;
  const nouq::Index samples = in.mean.extent(0), times = in.mean.extent(2);
  for (nouq::Index s = 0; s < samples; ++s) {
    double sum = 0;
    for (nouq::Index t = 0; t < times; ++t)
      sum += std::abs(static_cast<double>(front(in.mean.row(s), t) - front(in.truth.row(s), t)));
    result.per_sample.push_back(sum / static_cast<double>(times));
    result.value += result.per_sample.back() / static_cast<double>(samples);
  }
  return result;
}

}  // namespace

void add_front_error() {
  nouq::register_metric({"front_error", false, false, "distance of the front, in points", front_error});
}
