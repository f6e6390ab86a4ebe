#include "uq/trust.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "uq/quantile.h"

namespace nouq {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::doubtful:
      return "doubtful";
    case Verdict::out_of_domain:
      return "out-of-domain";
    case Verdict::in_domain:
      break;
  }
  return "in-domain";
}

double relative_spread(std::span<const double> mean, std::span<const double> variance) {
  double squares = 0, total = 0;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    squares += mean[i] * mean[i];
    total += variance[i];
  }
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (!std::isfinite(squares) || !std::isfinite(total)) return infinite;  // no prediction to trust
  const double without_field = total > 0.0 ? infinite : 0.0;
  return squares > 0.0 ? std::sqrt(total / squares) : without_field;
}

std::vector<double> relative_spread(const ArrayView<const double>& mean,
                                    const ArrayView<const double>& variance) {
  require(mean.rank() >= 1 && mean.shape() == variance.shape(),
          "trust: mean of shape {} and variance of shape {}: expected the same", to_string(mean.shape()),
          to_string(variance.shape()));
  std::vector<double> spread(mean.extent(0));
  const std::size_t size = mean.span().size() / std::max<std::size_t>(1, spread.size());
  for (std::size_t s = 0; s < spread.size(); ++s)
    spread[s] = relative_spread(mean.span().subspan(s * size, size), variance.span().subspan(s * size, size));
  return spread;
}

void calibrate_trust(const TrustOptions& options, const ArrayView<const double>& mean,
                     const ArrayView<const double>& variance, Surrogate& surrogate) {
  require(options.far >= 1.0, "trust: far = {}, expected at least 1", options.far);
  const double reference =
      conformal_quantile(relative_spread(mean, variance), options.level, "trust calibration");
  require(
      reference > 0.0 && std::isfinite(reference),
      "trust calibration: the relative spread of the held-out predictions is {}, expected a positive number",
      reference);
  surrogate.state["trust.reference"] = number(reference);
  surrogate.state["trust.level"] = number(options.level);
  surrogate.state["trust.far"] = number(options.far);
}

bool has_trust(const Surrogate& surrogate) { return surrogate.state.contains("trust.reference"); }

Trust judge(const Surrogate& surrogate, double spread) {
  require(has_trust(surrogate), "the model has no trust calibration; it was fitted without held-out samples");
  const double score = spread / state_number(surrogate, "trust.reference");
  const Verdict beyond =
      score <= state_number(surrogate, "trust.far") ? Verdict::doubtful : Verdict::out_of_domain;
  return {score, score <= 1.0 ? Verdict::in_domain : beyond};
}

std::vector<Trust> trust(const Surrogate& surrogate, const ArrayView<const double>& mean,
                         const ArrayView<const double>& variance) {
  std::vector<Trust> result;
  for (const double spread : relative_spread(mean, variance)) result.push_back(judge(surrogate, spread));
  return result;
}

double auroc(const std::vector<double>& near, const std::vector<double>& far) {
  require(!near.empty() && !far.empty(), "AUROC of {} against {} scores: expected at least one of each",
          near.size(), far.size());
  std::vector<double> sorted = near;
  std::sort(sorted.begin(), sorted.end());
  double wins = 0;
  for (const double score : far) {
    const auto [below, above] = std::equal_range(sorted.begin(), sorted.end(), score);
    wins += static_cast<double>(below - sorted.begin()) + 0.5 * static_cast<double>(above - below);
  }
  return wins / (static_cast<double>(near.size()) * static_cast<double>(far.size()));
}

}  // namespace nouq
