#include "uq/conformal.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "uq/quantile.h"

namespace nouq {
namespace {

void require_shapes(const ArrayView<const double>& mean, const ArrayView<const double>& variance,
                    const ArrayView<const double>& truth) {
  require(mean.rank() >= 2 && mean.extent(0) >= 1, "conformal: mean of shape {}, expected [samples, ...]",
          to_string(mean.shape()));
  require(variance.shape() == mean.shape() && truth.shape() == mean.shape(),
          "conformal: mean, variance and truth of shapes {}, {} and {}: expected the same",
          to_string(mean.shape()), to_string(variance.shape()), to_string(truth.shape()));
}

// `place` is counted from the beginning of a field, whose last axis are the channels.
double sigma(const Conformal& conformal, double variance, Index place) {
  return std::max(std::sqrt(variance),
                  conformal.floor[static_cast<std::size_t>(place) % conformal.floor.size()]);
}

// A thousandth of the mean of sigma, of each channel: units differ.
std::vector<double> floors_of(const ArrayView<const double>& variance) {
  const auto channels = static_cast<std::size_t>(variance.shape().back());
  std::vector<double> floor(channels);
  for (Index i = 0; i < variance.size(); ++i)
    floor[static_cast<std::size_t>(i) % channels] += std::sqrt(variance[i]);
  for (double& one : floor)
    one *= 1e-3 * static_cast<double>(channels) / static_cast<double>(variance.size());
  const double largest = *std::max_element(floor.begin(), floor.end());
  require(largest > 0.0, "conformal: the predicted variance is zero everywhere");
  for (double& one : floor) one = one > 0.0 ? one : largest;  // of a channel that a method is sure of
  return floor;
}

std::vector<double> floors_in(const Surrogate& surrogate, const std::string& name) {
  const Array<double>& stored = state_array(surrogate, name);
  require(stored.size() == 1 || stored.size() == surrogate.channels(),
          "'{}' of shape {}: expected one number or {}", name, to_string(stored.shape()),
          surrogate.channels());
  require(std::all_of(stored.begin(), stored.end(), [](double v) { return std::isfinite(v) && v >= 0; }),
          "'{}': expected numbers that are not negative", name);
  return {stored.begin(), stored.end()};
}

}  // namespace

Conformal calibrate_conformal(ConformalKind kind, double coverage, const ArrayView<const double>& mean,
                              const ArrayView<const double>& variance, const ArrayView<const double>& truth) {
  require_shapes(mean, variance, truth);
  const Index samples = mean.extent(0), size = mean.size() / samples;
  Conformal conformal;
  conformal.coverage = coverage;
  conformal.floor = floors_of(variance);
  const auto score = [&](Index sample, Index p) {
    const Index i = sample * size + p;
    return std::abs(truth[i] - mean[i]) / sigma(conformal, variance[i], p);
  };
  std::vector<double> scores(samples);
  if (kind == ConformalKind::whole_field) {
    for (Index s = 0; s < samples; ++s) {
      double& largest = scores[s];
      for (Index p = 0; p < size; ++p) largest = std::max(largest, score(s, p));
    }
    conformal.factor = number(conformal_quantile(scores, coverage, "conformal bands"));
    return conformal;
  }
  conformal.factor = Array<double>(Shape(mean.shape().begin() + 1, mean.shape().end()));
  for (Index p = 0; p < size; ++p) {
    for (Index s = 0; s < samples; ++s) scores[s] = score(s, p);
    conformal.factor[p] = conformal_quantile(scores, coverage, "conformal bands");
  }
  return conformal;
}

bool fits(const Conformal& conformal, const Shape& prediction) {
  const Shape& factor = conformal.factor.shape();
  return conformal.factor.size() == 1 ||
         (!prediction.empty() &&
          std::equal(prediction.begin() + 1, prediction.end(), factor.begin(), factor.end()));
}

bool fits(const Conformal& conformal, const Surrogate& surrogate, const Shape& prediction) {
  const Shape grid = shape_of(surrogate.grid);
  return fits(conformal, prediction) && prediction.size() == grid.size() + 2 &&
         std::equal(grid.begin(), grid.end(), prediction.begin() + 1);
}

Array<double> half_width(const Conformal& conformal, const ArrayView<const double>& variance) {
  require(fits(conformal, variance.shape()),
          "conformal: bands were calibrated on fields of shape {}, the prediction has shape {}",
          to_string(conformal.factor.shape()), to_string(variance.shape()));
  Array<double> width(variance.shape());
  half_width(conformal, variance.span(), width.span());
  return width;
}

void half_width(const Conformal& conformal, std::span<const double> variance, std::span<double> width) {
  const Index size = conformal.factor.size();
  for (std::size_t i = 0; i < variance.size(); ++i)
    width[i] =
        conformal.factor[static_cast<Index>(i) % size] * sigma(conformal, variance[i], static_cast<Index>(i));
}

double band_coverage(const Conformal& conformal, const ArrayView<const double>& mean,
                     const ArrayView<const double>& variance, const ArrayView<const double>& truth) {
  require_shapes(mean, variance, truth);
  const Array<double> width = half_width(conformal, variance);
  const Index samples = mean.extent(0), size = mean.size() / samples;
  const bool whole = conformal.kind() == ConformalKind::whole_field;
  Index fields = 0, points = 0;
  for (Index s = 0; s < samples; ++s) {
    Index inside = 0;
    for (Index i = s * size; i < (s + 1) * size; ++i)
      inside += std::abs(truth[i] - mean[i]) <= width[i] ? 1 : 0;
    points += inside;
    fields += inside == size ? 1 : 0;
  }
  return whole ? static_cast<double>(fields) / static_cast<double>(samples)
               : static_cast<double>(points) / static_cast<double>(mean.size());
}

void store(const Conformal& conformal, Surrogate& surrogate, const std::string& prefix) {
  surrogate.state[prefix + ".factor"] = conformal.factor;
  surrogate.state[prefix + ".floor"] = Array<double>({std::ssize(conformal.floor)}, conformal.floor);
  surrogate.state[prefix + ".coverage"] = number(conformal.coverage);
}

bool has_conformal(const Surrogate& surrogate, const std::string& prefix) {
  return surrogate.state.contains(prefix + ".factor");
}

Conformal conformal_of(const Surrogate& surrogate, const std::string& prefix) {
  return {state_number(surrogate, prefix + ".coverage"), floors_in(surrogate, prefix + ".floor"),
          state_array(surrogate, prefix + ".factor")};
}

}  // namespace nouq
