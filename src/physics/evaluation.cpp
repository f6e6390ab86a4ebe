#include "physics/evaluation.h"

#include <algorithm>

#include "core/grid_domain.h"
#include "metrics/metric.h"
#include "uq/conformal.h"

namespace nouq {
namespace {

std::optional<double> coverage_of_bands(const Surrogate& surrogate, const Prediction& p,
                                        const Array<double>& truth) {
  if (!has_conformal(surrogate)) return std::nullopt;
  const Conformal conformal = conformal_of(surrogate);
  if (!fits(conformal, p.mean.shape())) return std::nullopt;
  return band_coverage(conformal, p.mean.view(), p.variance.view(), truth.view());
}

}  // namespace

double Evaluation::metric(const std::string& name) const {
  for (const auto& [key, value] : metrics) {
    if (key == name) return value;
  }
  fail("the evaluation has no metric '{}'", name);
}

Evaluation evaluate(const Surrogate& surrogate, const DataSet& data, const Prediction& prediction,
                    const ProjectionChoice& choice, const std::vector<std::string>& metrics) {
  require_same_domain(surrogate.grid, data.grid, "");
  const Prediction p = project(choice, surrogate, data, prediction);
  const Array<double> truth = truth_of(data);
  MetricInput input{p.mean.view(), p.variance.view(), truth.view(), {}};
  // As the paper's figures do, on the domain scaled to volume one.
  const LinearConstraints law = unit_law_of(laws_of(surrogate, data), data);
  if (law.rows() > 0) input.mass.law = &law;
  Evaluation result;
  for (const MetricInfo& metric : all_metrics()) {
    const bool asked =
        metrics.empty() || std::find(metrics.begin(), metrics.end(), metric.name) != metrics.end();
    if (!asked || (metric.uses_mass && input.mass.empty())) continue;
    try {
      result.metrics.emplace_back(metric.name, metric.function(input).value);
    } catch (const Error& undefined) {  // of one sample, say, or of a field of zeros
      if (!metrics.empty() || undefined.kind() != Error::Kind::user) throw;
    }
  }
  if (choice.kind == ProjectionKind::none) result.band_coverage = coverage_of_bands(surrogate, p, truth);
  if (!has_trust(surrogate)) return result;
  // Trust is about the prediction as it came from the networks; a projection does not bring it into domain.
  for (const Trust& t : trust(surrogate, prediction.mean.view(), prediction.variance.view())) {
    result.trust_scores.push_back(t.score);
    result.flagged += t.verdict == Verdict::in_domain ? 0 : 1;
  }
  result.flagged /= static_cast<double>(data.size());
  return result;
}

Evaluation evaluate(const Surrogate& surrogate, const DataSet& data, const ProjectionChoice& choice) {
  const PredictOptions options{uses_samples(choice.kind), choice.threads};
  return evaluate(surrogate, data, predict(surrogate, data.inputs.view(), options), choice);
}

Array<double> chosen_slack(const DataSet& training, const DataSet& validation, const Prediction& prediction,
                           int threads) {
  Array<double> slack = law_slack(training);
  if (slack.empty()) return {};
  const Physics physics = physics_of(validation);
  if (physics.constraints.rows() != slack.size()) return slack;  // no law to try it on, or at other times
  const Array<double> truth = truth_of(validation);
  std::vector<Array<double>> tried;
  std::vector<double> errors;
  for (const double factor : {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0}) {
    Array<double>& scaled = tried.emplace_back(slack);
    for (double& row : scaled) row *= factor;
    const Prediction projected =
        project({ProjectionKind::bounded, {}, threads}, physics, validation.grid, scaled, prediction);
    errors.push_back(
        metrics::mse({projected.mean.view(), projected.variance.view(), truth.view(), {}}).value);
  }
  const double good_enough = 1.02 * *std::min_element(errors.begin(), errors.end());
  const auto strictest =
      std::find_if(errors.begin(), errors.end(), [&](double e) { return e <= good_enough; });
  return tried[static_cast<std::size_t>(strictest - errors.begin())];
}

void calibrate(const CalibrationOptions& options, const DataSet& training, const DataSet& validation,
               int threads, Surrogate& surrogate) {
  const Prediction prediction = predict(surrogate, validation.inputs.view(), {false, threads});
  calibrate(options, validation, prediction, surrogate);
  Array<double> slack = chosen_slack(training, validation, prediction, threads);
  if (!slack.empty()) surrogate.state["law.slack"] = std::move(slack);
}

}  // namespace nouq
