// Conservation error: mean over samples of sum over times t of |sum over x of w_x mu(x, t) - b(t)|, where w
// are quadrature weights and b the right-hand side of the mass law.
//
// The released code uses the trapezoid rule for a domain of length one whatever the length is: pass the
// weights of linspace(0, 1, nx) to compare with it (for heat that divides the true error by 2 pi). The exact
// solution's own value is not zero: quadrature on the grid is not the integral.
#include <cmath>

#include "metrics/detail.h"

namespace nouq::metrics::detail {

MetricResult conservation_error(const MetricInput& input) {
  const auto times = static_cast<std::size_t>(input.mean.extent(2));
  const auto& weights = input.mass.weights;
  std::size_t sample = 0;
  return mean_over_samples(input, [&](const Fields& fields) {
    const auto rhs = input.mass.rhs.span().subspan(times * sample++, times);
    double error = 0;
    for (std::size_t t = 0; t < times; ++t) {
      double mass = 0;
      for (std::size_t x = 0; x < weights.size(); ++x) mass += weights[x] * fields.mean[x * times + t];
      error += std::abs(mass - rhs[t]);
    }
    return error;
  });
}

}  // namespace nouq::metrics::detail
