#include "physics/law_sizing.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "uq/quantile.h"
#include "uq/sizing.h"

namespace nouq {
namespace {

constexpr double reference_level = 0.95;

std::string state_name(const std::string& law) { return "sizing.law." + law; }

// Sum over the rows of the squared residual, and of the variance that coherent errors would give it.
struct Violation {
  double squared = 0;
  double explained = 0;
};

Violation violation(const LinearConstraints& law, Index sample, const double* mean, const double* variance) {
  Violation result;
  const auto values = law.right_hand_side(sample);
  for (Index r = 0; r < law.rows(); ++r) {
    double residual = -values[r], spread = 0;
    for (const RowEntry& entry : law.row(r)) {
      residual += entry.weight * mean[entry.point];
      spread += std::abs(entry.weight) * std::sqrt(variance[entry.point]);
    }
    result.squared += residual * residual;
    result.explained += law_coherence * spread * spread;
  }
  return result;
}

// The quantile that new samples stay below with the level's probability; of too few for that, the greatest.
double reference_of(const std::vector<double>& squares) {
  if (std::ssize(squares) < samples_needed(reference_level))
    return *std::max_element(squares.begin(), squares.end());
  return conformal_quantile(squares, reference_level, "sizing by the law");
}

double factor_of(const Violation& violation, double reference) {
  const double excess = violation.squared - reference;
  if (!(excess > 0) || !(violation.explained > 0)) return 1;
  return 1 + excess / violation.explained;
}

}  // namespace

double squared_residual(const LinearConstraints& law, Index sample, const double* mean) {
  double squared = 0;
  const auto values = law.right_hand_side(sample);
  for (Index r = 0; r < law.rows(); ++r) {
    double residual = -values[r];
    for (const RowEntry& entry : law.row(r)) residual += entry.weight * mean[entry.point];
    squared += residual * residual;
  }
  return squared;
}

void calibrate_law_sizing(const DataSet& held_out, const Prediction& p, Surrogate& surrogate) {
  const Index size = p.mean.size() / p.mean.extent(0);
  for (const auto& [name, rows] : law_rows_of(surrogate, held_out)) {
    std::vector<double> squares;
    for (Index s = 0; s < held_out.size(); ++s)
      squares.push_back(squared_residual(rows, s, p.mean.data() + s * size));
    surrogate.state[state_name(name)] =
        Array<double>({2}, {reference_of(squares), static_cast<double>(rows.rows())});
  }
}

bool has_law_sizing(const Surrogate& surrogate) {
  const auto next = surrogate.state.lower_bound(state_name(""));
  return next != surrogate.state.end() && next->first.starts_with(state_name(""));
}

void remove_law_sizing(Surrogate& surrogate) {
  std::erase_if(surrogate.state, [](const auto& entry) { return entry.first.starts_with(state_name("")); });
}

std::vector<double> law_factors(const Surrogate& surrogate, const DataSet& data, const Prediction& p) {
  std::vector<double> factors(p.mean.extent(0), 1.0);
  if (!has_law_sizing(surrogate)) return factors;
  const Index size = p.mean.size() / p.mean.extent(0);
  for (const auto& [name, rows] : law_rows_of(surrogate, data)) {
    if (!surrogate.state.contains(state_name(name))) continue;
    const Array<double>& known = state_array(surrogate, state_name(name));
    require(known.shape() == Shape{2} && std::isfinite(known[0]) && known[0] >= 0,
            "'{}' is not a reference and a number of rows", state_name(name));
    if (known[1] != static_cast<double>(rows.rows())) continue;  // another grid, another quadrature error
    for (Index s = 0; s < std::ssize(factors); ++s)
      factors[s] = std::max(
          factors[s],
          factor_of(violation(rows, s, p.mean.data() + s * size, p.variance.data() + s * size), known[0]));
  }
  return factors;
}

void size_by_law(const Surrogate& surrogate, const DataSet& data, Prediction& p) {
  const std::vector<double> factors = law_factors(surrogate, data, p);
  for (Index s = 0; s < std::ssize(factors); ++s) scale_variance(factors[s], field_of(p, s));
}

}  // namespace nouq
