#include "api/improve_measure.h"

#include <cmath>

#include <nouq/prediction.h>

namespace nouq {
namespace {

// sqrt of the mean over channels of sum(error) / sum(size), per sample; then their mean.
template <class Error, class Size>
double relative(Index samples, Index points, Index channels, Error&& error, Size&& size) {
  double total = 0;
  for (Index s = 0; s < samples; ++s) {
    double mean = 0;
    for (Index c = 0; c < channels; ++c) {
      double errors = 0, sizes = 0;
      for (Index p = 0; p < points; ++p) {
        const Index i = (s * points + p) * channels + c;
        errors += error(i);
        sizes += size(i);
      }
      mean += sizes > 0 ? errors / sizes / static_cast<double>(channels) : 0;
    }
    total += std::sqrt(mean);
  }
  return total / static_cast<double>(samples);
}

Index points_of(const DataSet& data) { return element_count(shape_of(data.grid)); }

}  // namespace

double held_out_error(const Model& model, const DataSet& data, int threads) {
  const Prediction p = predict(model, data, {false, threads});
  return relative(
      data.size(), points_of(data), std::ssize(model.outputs()),
      [&](Index i) { return std::pow(p.mean[i] - static_cast<double>(data.outputs[i]), 2); },
      [&](Index i) { return std::pow(static_cast<double>(data.outputs[i]), 2); });
}

Outlook outlook_of(const Model& model, const DataSet& places, int threads) {
  const Prediction p = predict(model, places, {false, threads});
  Outlook outlook;
  outlook.expected = relative(
      places.size(), points_of(places), std::ssize(model.outputs()), [&](Index i) { return p.variance[i]; },
      [&](Index i) { return p.mean[i] * p.mean[i]; });
  for (const Trust& one : trust(model, places, p))
    outlook.in_domain += one.verdict == Verdict::in_domain ? 1.0 / static_cast<double>(places.size()) : 0.0;
  return outlook;
}

}  // namespace nouq
