#include "physics/null_sigma.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/names.h"
#include "physics/projection_calibration.h"

namespace nouq {
namespace {

const std::vector<std::string> sigma_names = {"model", "constant", "distance"};  // in the enum's order

// 1 within the range, above it outside.
double distance_of(const DataSet& data, const Array<double>& range, Index sample) {
  double distance = 1;
  const Index count = range.extent(0);
  for (Index i = 0; i < count; ++i) {
    const double low = range[2 * i], high = range[2 * i + 1];
    if (!(high > low)) continue;
    const double off = std::abs(data.parameters[sample * count + i] - (low + high) / 2);
    distance = std::max(distance, off / ((high - low) / 2));
  }
  return distance;
}

}  // namespace

SigmaKind sigma_from_name(std::string_view name) {
  return static_cast<SigmaKind>(index_of_name("sigma", name, sigma_names));
}

void replace_sigma(SigmaKind kind, ProjectionKind projection, const Surrogate& surrogate, const DataSet& data,
                   Prediction& p) {
  if (kind == SigmaKind::model) return;
  const Array<double>& range = surrogate.parameter_range;
  require(kind == SigmaKind::constant || (range.size() > 0 && range.size() == 2 * range.extent(0) &&
                                          data.parameters.size() == range.extent(0) * data.size()),
          "sigma distance: the data or the model's training data have no parameters");
  const std::vector<double> errors = held_out_errors(surrogate, projection);
  const Index size = p.mean.size() / p.mean.extent(0);
  for (Index s = 0; s < p.mean.extent(0); ++s) {
    const double factor = kind == SigmaKind::distance ? distance_of(data, range, s) : 1;
    for (Index i = 0; i < size; ++i) {
      const double sigma = factor * errors[static_cast<std::size_t>(i) % errors.size()];
      p.variance[s * size + i] = sigma * sigma;
    }
  }
  p.band = {};
}

}  // namespace nouq
