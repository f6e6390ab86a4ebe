// Negative log-likelihood of independent Gaussians: mean over samples of
//   1/2 sum over j of (mu - u)^2 / v + log(2 pi v).
// A sum over the grid, as released, so it grows with the number of points. Not defined where v = 0.
// Reference: Gneiting, Raftery: Strictly proper scoring rules, prediction, and estimation. JASA 102, 2007.
#include <numbers>

#include "core/error.h"
#include "metrics/detail.h"

namespace nouq::metrics::detail {

MetricResult nll(const MetricInput& input) {
  std::size_t sample = 0;
  return mean_over_samples(input, [&](const Fields& fields) {
    const double sum = sum_over_grid(fields, [&](const Fields& f, std::size_t j) {
      require(f.variance[j] > 0, "nll: variance is 0 at sample {}, element {}, expected above zero", sample,
              j);
      return f.error(j) * f.error(j) / f.variance[j] + std::log(2 * std::numbers::pi * f.variance[j]);
    });
    ++sample;
    return 0.5 * sum;
  });
}

}  // namespace nouq::metrics::detail
