#include "paper/sample_records.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "physics/law_sizing.h"
#include "physics/physics.h"
#include "uq/conformal.h"

namespace nouq::paper {
namespace {

ResultJson rounded(double value) {
  if (!std::isfinite(value)) return {};
  return ResultJson::parse(fmt::format("{:.5g}", value));
}

template <class Number>
ResultJson list_of(Index samples, const Number& number) {
  ResultJson list = ResultJson::array();
  for (Index s = 0; s < samples; ++s) list.push_back(rounded(number(s)));
  return list;
}

// Mean over the values of a sample.
template <class Value>
double mean_of(Index sample, Index size, const Value& value) {
  double sum = 0;
  for (Index i = sample * size; i < (sample + 1) * size; ++i) sum += value(i);
  return sum / static_cast<double>(size);
}

double violation(const LinearConstraints& law, const Prediction& p, Index sample, Index size) {
  double squares = 0;
  for (Index r = 0; r < law.rows(); ++r) {
    double residual = -law.right_hand_side(sample)[r];
    for (const RowEntry& entry : law.row(r)) residual += entry.weight * p.mean[sample * size + entry.point];
    squares += residual * residual;
  }
  return std::sqrt(squares);
}

bool in_band(const Array<double>& width, const Prediction& p, const Array<double>& truth, Index sample,
             Index size) {
  for (Index i = sample * size; i < (sample + 1) * size; ++i) {
    if (!(std::abs(p.mean[i] - truth[i]) <= width[i])) return false;
  }
  return true;
}

}  // namespace

ResultJson rounded_list(const std::vector<double>& numbers) {
  return list_of(std::ssize(numbers), [&](Index s) { return numbers[s]; });
}

ResultJson sample_records(const Surrogate& surrogate, const DataSet& data, const Prediction& plain,
                          const Prediction& sized, const std::vector<double>& trust_scores) {
  const Array<double> truth = truth_of(data);
  const Index n = data.size(), size = truth.size() / n;
  const auto root = [&](const auto& value) {
    return list_of(n, [&](Index s) { return std::sqrt(mean_of(s, size, value)); });
  };
  ResultJson records;
  if (data.parameters.size() == n)
    records["parameter"] = list_of(n, [&](Index s) { return data.parameters[s]; });
  records["size"] = root([&](Index i) { return truth[i] * truth[i]; });
  records["error"] = root([&](Index i) { return (plain.mean[i] - truth[i]) * (plain.mean[i] - truth[i]); });
  records["spread"] = root([&](Index i) { return plain.variance[i]; });
  records["sized"] = root([&](Index i) { return sized.variance[i]; });
  const std::vector<double> factors = law_factors(surrogate, data, sized);
  Prediction by_law = sized;
  size_by_law(surrogate, data, by_law);
  if (const LinearConstraints law = physics_of(surrogate, data).constraints; law.rows() > 0) {
    records["factor"] = list_of(n, [&](Index s) { return factors[s]; });
    records["violation"] = list_of(n, [&](Index s) { return violation(law, plain, s, size); });
  }
  records["inside"] = list_of(n, [&](Index s) {
    return mean_of(s, size, [&](Index i) {
      return std::abs(plain.mean[i] - truth[i]) <= 1.96 * std::sqrt(by_law.variance[i]) ? 1.0 : 0.0;
    });
  });
  if (has_conformal(surrogate) && fits(conformal_of(surrogate), by_law.mean.shape())) {
    const Array<double> width = half_width(conformal_of(surrogate), by_law.variance.view());
    records["in_band"] = list_of(n, [&](Index s) { return in_band(width, by_law, truth, s, size) ? 1 : 0; });
  }
  if (std::ssize(trust_scores) == n) records["trust"] = list_of(n, [&](Index s) { return trust_scores[s]; });
  return records;
}

}  // namespace nouq::paper
