#include "uq/defaults.h"

#include <algorithm>
#include <cmath>

#include "uq/conformal.h"
#include "uq/predictor.h"
#include "uq/quantile.h"
#include "uq/trust.h"

namespace nouq {
namespace {

bool far_from_one(const Array<float>& field) {
  const Normalisation sizes = Normalisation::per_channel(field.view());
  for (std::size_t c = 0; c < sizes.mean().size(); ++c) {
    const double deviation = sizes.deviation()[c];
    if (std::abs(sizes.mean()[c]) > 10.0 || deviation > 10.0 || deviation < 0.01) return true;
  }
  return false;
}

// Whether channels are of different sizes: together in a loss, the largest alone would be learnt.
bool unlike_each_other(const Array<float>& field) {
  const std::vector<double> deviation = Normalisation::per_channel(field.view()).deviation();
  const auto [least, most] = std::minmax_element(deviation.begin(), deviation.end());
  return *most > 2.0 * *least;
}

bool enough(double level, Index samples) {
  return level > 0.0 && level < 1.0 && samples >= samples_needed(level);
}

}  // namespace

bool needs_normalisation(const DataSet& data) {
  return far_from_one(data.inputs) || far_from_one(data.outputs) || unlike_each_other(data.outputs);
}

FitOptions default_fit(const DataSet& data, Index epochs) {
  FitOptions options;
  options.train.epochs = epochs;
  options.train.schedule.period = std::max<Index>(1, epochs / 10);
  NetworkSettings network;
  network.architecture = default_architecture(data);
  options.train.network = resolve(network, data);
  options.normalise = needs_normalisation(data);
  return options;
}

CalibrationOptions affordable(CalibrationOptions options, Index held_out) {
  options.trust_level = affordable_trust_level(options.trust_level, held_out);
  if (!enough(options.coverage, held_out)) options.coverage = 0;
  if (held_out < least_for_sizing) options.sizing = false;
  return options;
}

void calibrate(const CalibrationOptions& options, const DataSet& held_out, const Prediction& p,
               Surrogate& surrogate) {
  if (options.coverage > 0.0) {
    const Array<double> truth = truth_of(held_out);
    const auto kind = options.pointwise ? ConformalKind::pointwise : ConformalKind::whole_field;
    store(calibrate_conformal(kind, options.coverage, p.mean.view(), p.variance.view(), truth.view()),
          surrogate);
  }
}

}  // namespace nouq
