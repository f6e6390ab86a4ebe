// Relative L2 error: mean over samples of ||mu - u|| / ||u||, the norms over the grid. The quantity the
// networks are trained on (Li et al., Fourier neural operator, ICLR 2021). Not defined for a truth that is
// zero everywhere.
#include "core/error.h"
#include "metrics/detail.h"

namespace nouq::metrics::detail {

MetricResult relative_l2(const MetricInput& input) {
  std::size_t sample = 0;
  return mean_over_samples(input, [&](const Fields& fields) {
    const double size =
        sum_over_grid(fields, [](const Fields& f, std::size_t j) { return f.truth[j] * f.truth[j]; });
    const double error =
        sum_over_grid(fields, [](const Fields& f, std::size_t j) { return f.error(j) * f.error(j); });
    require(size > 0, "relative_l2: truth of sample {} is zero everywhere, so no error is relative to it",
            sample);
    ++sample;
    return std::sqrt(error / size);
  });
}

}  // namespace nouq::metrics::detail
