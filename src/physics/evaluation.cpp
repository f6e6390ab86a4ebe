#include "physics/evaluation.h"

#include <algorithm>

#include "core/error.h"
#include "core/grid_domain.h"
#include "data/normalisation.h"
#include "metrics/metric.h"
#include "physics/law_sizing.h"
#include "physics/projection_calibration.h"
#include "physics/trust_evidence.h"

namespace nouq {
namespace {

std::optional<double> coverage_of_bands(const Surrogate& surrogate, ProjectionKind kind, const Prediction& p,
                                        const Array<double>& truth) {
  std::optional<Conformal> bands;
  if (kind == ProjectionKind::none && has_conformal(surrogate)) bands = conformal_of(surrogate);
  if (!p.band.empty()) bands = bands_after(surrogate, kind);
  if (!bands || !fits(*bands, surrogate, p.mean.shape())) return std::nullopt;
  return band_coverage(*bands, p.mean.view(), p.variance.view(), truth.view());
}

void add_trust(std::vector<Trust> judged, Evaluation& result) {
  const double each = 1 / static_cast<double>(judged.size());
  const auto add = [&](const std::optional<double>& witness, std::optional<double>& share) {
    if (witness) share = share.value_or(0) + (*witness > 1 ? each : 0);
  };
  for (const Trust& t : judged) {
    result.trust_scores.push_back(t.score);
    result.flagged += t.verdict == Verdict::in_domain ? 0 : 1;
    add(t.spread, result.flagged_by_spread);
    add(t.law, result.flagged_by_law);
    add(t.novelty, result.flagged_by_novelty);
  }
  result.flagged *= each;
  result.trust = std::move(judged);
}

}  // namespace

double Evaluation::metric(const std::string& name) const {
  for (const auto& [key, value] : metrics) {
    if (key == name) return value;
  }
  fail("the evaluation has no metric '{}'", name);
}

Evaluation evaluate(const Surrogate& surrogate, const DataSet& data, const Prediction& prediction,
                    const ProjectionChoice& choice, const std::vector<std::string>& metrics,
                    SigmaKind sigma) {
  require_same_domain(surrogate.grid, data.grid, "");
  Prediction p = sized_and_projected(choice, surrogate, data, prediction);
  replace_sigma(sigma, choice.kind, surrogate, data, p);
  const Array<double> truth = truth_of(data);
  MetricInput input{p.mean.view(), p.variance.view(), truth.view(), {}};
  // As the paper's figures do, on the domain scaled to volume one.
  const LinearConstraints law = unit_law_of(laws_of(surrogate, data), data);
  if (law.rows() > 0) input.mass.law = &law;
  const std::vector<double> units = channel_units(data.outputs);
  if (units.size() > 1) input.units = units;
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
  if (sigma == SigmaKind::model) result.band_coverage = coverage_of_bands(surrogate, choice.kind, p, truth);
  if (!has_trust(surrogate)) return result;
  // Trust is about the prediction as it came from the networks; a projection does not bring it into domain.
  add_trust(trust(surrogate, data, prediction), result);
  return result;
}

Evaluation evaluate(const Surrogate& surrogate, const DataSet& data, const ProjectionChoice& choice) {
  const PredictOptions options{uses_samples(choice.kind), choice.threads};
  return evaluate(surrogate, data, predict(surrogate, data.grid, data.inputs.view(), options), choice);
}

namespace {

void calibrate_sizes(const DataSet& validation, Prediction& p, Surrogate& surrogate) {
  const Array<double> truth = truth_of(validation);
  const Sizing sizing = calibrate_sizing(p.mean.view(), p.variance.view(), truth.view());
  store(sizing, surrogate);
  size_variance(sizing, p);
  calibrate_law_sizing(validation, p, surrogate);
}

}  // namespace

void calibrate(const CalibrationOptions& options, const Array<double>& noise_variance,
               const DataSet& validation, Prediction& prediction, int threads, Surrogate& surrogate) {
  remove_sizing(surrogate);
  if (options.sizing) calibrate_sizes(validation, prediction, surrogate);
  calibrate_trust({options.trust_level, options.trust_far}, validation, prediction, surrogate);
  calibrate(options, validation, prediction, surrogate);
  store(chosen_law_use(noise_variance, validation, prediction, threads), surrogate);
  calibrate_projections(options, validation, prediction, threads, surrogate);
}

}  // namespace nouq
