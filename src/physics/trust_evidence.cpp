#include "physics/trust_evidence.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "physics/law_sizing.h"

namespace nouq {
namespace {

std::string trust_name(const std::string& law) { return "trust.law." + law; }

// Everything that is known of one sample of a question and its prediction.
Evidence evidence_of(const DataSet& question, const Prediction& p, Index sample) {
  const auto row = [&](const auto& array) {
    using Value = std::remove_cvref_t<decltype(*array.data())>;
    const Index count =
        array.empty() || array.extent(0) != p.mean.extent(0) ? 0 : array.size() / array.extent(0);
    return std::span<const Value>(array.data() + sample * count, static_cast<std::size_t>(count));
  };
  return {row(p.mean), row(p.variance), row(p.pooled), row(question.inputs), row(question.parameters)};
}

double unit_of(const LinearConstraints& rows, const Prediction& p) {
  const Index count = p.mean.extent(0), size = p.mean.size() / count;
  double squares = 0;
  for (Index s = 0; s < count; ++s) squares += squared_residual(rows, s, p.mean.data() + s * size);
  return std::sqrt(squares / static_cast<double>(count));
}

}  // namespace

LawWitness::LawWitness(const Surrogate& surrogate, const DataSet& question, Index samples) {
  if (question.constraint_values.empty()) return;
  for (auto& [name, rows] : law_rows_of(surrogate, question)) {
    const auto known = surrogate.state.find(trust_name(name));
    if (known == surrogate.state.end()) continue;
    const Array<double>& unit = known->second;
    require(unit.shape() == Shape{2} && std::isfinite(unit[0]) && unit[0] > 0,
            "'{}' is not a unit and a number of rows", trust_name(name));
    if (unit[1] != static_cast<double>(rows.rows())) continue;  // another grid, another quadrature error
    validate(rows, rows.points, samples);
    names_.push_back(name);
    rows_.push_back(rows);
    unit_.push_back(unit[0]);
  }
}

double LawWitness::violation(Index sample, const double* mean, std::size_t& worst) const {
  double most = Witnesses::silent;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const double size = std::sqrt(squared_residual(rows_[k], sample, mean)) / unit_[k];
    if (!(size > most)) continue;
    most = size;
    worst = k;
  }
  return most;
}

void calibrate_trust(const TrustOptions& options, const DataSet& held_out, const Prediction& p,
                     Surrogate& surrogate) {
  std::erase_if(surrogate.state, [](const auto& entry) {
    return entry.first.starts_with("trust.") && entry.first != "trust.training";
  });
  if (!(options.level > 0)) return remove_trust(surrogate);
  for (const auto& [name, rows] : law_rows_of(surrogate, held_out)) {
    const double unit = unit_of(rows, p);
    if (unit > 0 && std::isfinite(unit))
      surrogate.state[trust_name(name)] = Array<double>({2}, {unit, static_cast<double>(rows.rows())});
  }
  const LawWitness law(surrogate, held_out, p.mean.extent(0));
  const Novelty novelty(surrogate);
  const std::vector<double> unit = spread_unit_of(p.variance.view());
  std::vector<double> point(2 * surrogate.network.width);
  std::vector<Witnesses> rows;
  for (Index s = 0; s < p.mean.extent(0); ++s) {
    const Evidence evidence = evidence_of(held_out, p, s);
    Witnesses& one = rows.emplace_back();
    std::size_t worst = 0;
    one.spread = spread_in(unit, evidence.variance);
    one.law = law.violation(s, evidence.mean.data(), worst);
    if (novelty.has_distance() && evidence.pooled.size() == point.size())
      one.distance = novelty.distance(evidence.pooled, point);
    one.outside = novelty.outside(evidence.parameters, evidence.inputs);
  }
  calibrate_trust(options, rows, unit, surrogate);
}

std::vector<Trust> trust(const Surrogate& surrogate, const DataSet& question, const Prediction& p) {
  require(p.mean.rank() >= 1 && p.mean.shape() == p.variance.shape(),
          "trust: mean of shape {} and variance of shape {}: expected the same", to_string(p.mean.shape()),
          to_string(p.variance.shape()));
  const TrustJudge judge(surrogate);
  const LawWitness law(surrogate, question, p.mean.extent(0));
  TrustJudge::Scratch scratch = judge.scratch();
  std::vector<Trust> result;
  for (Index s = 0; s < p.mean.extent(0); ++s) {
    const Evidence evidence = evidence_of(question, p, s);
    Witnesses heard = judge.witnesses(evidence, scratch);
    std::size_t worst = 0;
    heard.law = law.violation(s, evidence.mean.data(), worst);
    const auto judged = judge.judge(heard, scratch);
    result.push_back(trust_of(judged, judge.reasons(judged, evidence, law.heard() ? law.name(worst) : "")));
  }
  return result;
}

}  // namespace nouq
