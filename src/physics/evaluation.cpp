#include "physics/evaluation.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/error.h"
#include "core/grid_domain.h"
#include "metrics/metric.h"
#include "physics/law_sizing.h"
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
  Prediction p = prediction;
  size_by_law(surrogate, data, p);
  if (choice.kind != ProjectionKind::none) p = project(choice, surrogate, data, p);
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

namespace {

// Some samples of a prediction.
Prediction rows_of(const Prediction& prediction, Index first, Index count) {
  const auto part = [&](const Array<double>& from) {
    if (from.empty()) return Array<double>{};
    Shape shape = from.shape();
    const Index size = from.size() / shape[0];
    shape[0] = count;
    return Array<double>(shape, from.data() + first * size, from.data() + (first + count) * size);
  };
  return {part(prediction.mean), part(prediction.variance), part(prediction.samples)};
}

constexpr std::array<double, 9> slack_factors = {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0};

Array<double> scaled(Array<double> slack, double factor) {
  for (double& row : slack) row *= factor;
  return slack;
}

// Mean squared error of the projected prediction for each of the factors. Some samples at a time: the bounds
// and projections of all of them would take several times the memory of the data.
std::vector<double> projected_errors(const Array<double>& slack, const DataSet& validation,
                                     const Prediction& prediction, int threads) {
  constexpr Index chunk = 64;
  std::array<std::vector<double>, slack_factors.size()> of_samples;
  for (Index first = 0; first < validation.size(); first += chunk) {
    std::vector<Index> rows(std::min(chunk, validation.size() - first));
    std::iota(rows.begin(), rows.end(), first);
    const DataSet part = select(validation, rows);
    const Physics physics = physics_of(part);
    const Prediction before = rows_of(prediction, first, part.size());
    const Array<double> truth = truth_of(part);
    for (std::size_t k = 0; k < slack_factors.size(); ++k) {
      const Prediction after = project({ProjectionKind::bounded, {}, threads}, physics, part.grid,
                                       scaled(slack, slack_factors.at(k)), before);
      const auto errors =
          metrics::mse({after.mean.view(), after.variance.view(), truth.view(), {}}).per_sample;
      of_samples.at(k).insert(of_samples.at(k).end(), errors.begin(), errors.end());
    }
  }
  std::vector<double> means;
  for (const auto& errors : of_samples)
    means.push_back(std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size()));
  return means;
}

}  // namespace

Array<double> chosen_slack(const Array<double>& slack, const DataSet& validation,
                           const Prediction& prediction, int threads) {
  if (slack.empty()) return {};
  const LinearConstraints law = physics_of(select(validation, {0})).constraints;
  if (law.rows() != slack.size()) return slack;  // no law to try it on, or at other times
  const std::vector<double> errors = projected_errors(slack, validation, prediction, threads);
  const double good_enough = 1.02 * *std::min_element(errors.begin(), errors.end());
  const auto strictest =
      std::find_if(errors.begin(), errors.end(), [&](double e) { return e <= good_enough; });
  return scaled(slack, slack_factors.at(static_cast<std::size_t>(strictest - errors.begin())));
}

namespace {

void calibrate_sizes(const DataSet& validation, Prediction& p, Surrogate& surrogate) {
  const Array<double> truth = truth_of(validation);
  const Sizing sizing = calibrate_sizing(p.mean.view(), p.variance.view(), truth.view());
  store(sizing, surrogate);
  const Index count = p.samples.empty() ? 0 : p.samples.extent(1);
  const Index size = p.mean.size() / p.mean.extent(0);
  for (Index s = 0; s < p.mean.extent(0); ++s)
    size_variance(sizing, size / p.mean.shape().back(), p.mean.data() + s * size,
                  p.variance.data() + s * size, count == 0 ? nullptr : p.samples.data() + s * count * size,
                  count);
  calibrate_law_sizing(validation, p, surrogate);
}

}  // namespace

void calibrate(const CalibrationOptions& options, const Array<double>& slack, const DataSet& validation,
               Prediction& prediction, int threads, Surrogate& surrogate) {
  remove_sizing(surrogate);
  if (options.sizing) calibrate_sizes(validation, prediction, surrogate);
  calibrate(options, validation, prediction, surrogate);
  Array<double> chosen = chosen_slack(slack, validation, prediction, threads);
  if (!chosen.empty()) surrogate.state["law.slack"] = std::move(chosen);
}

}  // namespace nouq
