// Conservation error: mean over samples of sum over times t of |sum over x of w_x mu(x, t) - b(t)|, where w
// are quadrature weights and b the right-hand side of the mass law. In general the outer sum is over the rows
// of the law, one for each place on the axes that it does not integrate over, and the inner one over the
// points of the others: x and y of a law in two dimensions.
//
// The released code uses the trapezoid rule for a domain of length one whatever the length is: pass the
// weights of linspace(0, 1, nx) to compare with it (for heat that divides the true error by 2 pi). The exact
// solution's own value is not zero: quadrature on the grid is not the integral.
#include <cmath>

#include "metrics/detail.h"

namespace nouq::metrics::detail {

namespace {

MetricResult error_of_rows(const MetricInput& input, const LinearConstraints& law) {
  std::vector<double> residuals(law.rows());
  Index sample = 0;
  return mean_over_samples(input, [&](const Fields& fields) {
    evaluate_residuals<double>(law, sample++, fields.mean, residuals);
    double error = 0;
    for (const double residual : residuals) error += std::abs(residual);
    return error;
  });
}

}  // namespace

MetricResult conservation_error(const MetricInput& input) {
  if (input.mass.law != nullptr) return error_of_rows(input, *input.mass.law);
  const std::size_t times = input.mean.extent(2);
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
