// Relative L2 error: mean over samples of ||mu - u|| / ||u||, the norms over the grid. The quantity the
// networks are trained on (Li et al., Fourier neural operator, ICLR 2021). Where the channels have units of
// their own (MetricInput::units), they are counted in these, so that none is lost beside one of larger
// numbers. Not defined for a truth that is zero everywhere.
#include "core/error.h"
#include "metrics/detail.h"

namespace nouq::metrics::detail {
namespace {

// One over the square of each channel's unit.
std::vector<double> channel_weights(const MetricInput& input) {
  std::vector<double> weights;
  for (const double unit : input.units) weights.push_back(1 / (unit * unit));
  return weights.empty() ? std::vector<double>{1.0} : weights;
}

}  // namespace

MetricResult relative_l2(const MetricInput& input) {
  std::size_t sample = 0;
  const std::vector<double> weight = channel_weights(input);
  const auto in_units = [&](double value, std::size_t j) {
    return value * value * weight[j % weight.size()];
  };
  return mean_over_samples(input, [&](const Fields& fields) {
    const double size =
        sum_over_grid(fields, [&](const Fields& f, std::size_t j) { return in_units(f.truth[j], j); });
    const double error =
        sum_over_grid(fields, [&](const Fields& f, std::size_t j) { return in_units(f.error(j), j); });
    require(size > 0, "relative_l2: truth of sample {} is zero everywhere, so no error is relative to it",
            sample);
    ++sample;
    return std::sqrt(error / size);
  });
}

}  // namespace nouq::metrics::detail
