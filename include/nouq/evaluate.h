// How good a model is on data with known solutions, before or after a projection onto their conservation law.
//
//   const nouq::Evaluation report = nouq::evaluate(model, nouq::read("test.h5"), {.project = "bounded"});
//   std::cout << report.metric("relative_l2") << ' ' << report.flagged;
//
// Contract: all metrics that apply to the data (nouq/metrics.h), built in or registered, in the order of
// their list. Computed in double. A projection that the data do not allow (no law, no samples) is an Error.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nouq/data.h>
#include <nouq/model.h>
#include <nouq/prediction.h>

namespace nouq {

struct Evaluation {
  std::vector<std::pair<std::string, double>> metrics;  // in the order of the registry
  // Of the conformal bands, on the grid they were calibrated on, before or after the projection; of the
  // model's own sigma.
  std::optional<double> band_coverage;
  std::vector<double> trust_scores;  // one per sample; empty when the model has no trust calibration
  double flagged = 0;                // share of samples not called in-domain
  // Share of samples of which each witness alone says more than of as many held-out ones as the model's trust
  // level says (0.95); nothing where it is not heard.
  std::optional<double> flagged_by_spread, flagged_by_law, flagged_by_novelty;
  std::vector<Trust> trust;  // one per sample, with reasons

  [[nodiscard]] NOUQ_API double metric(const std::string& name) const;  // throws when it is not there
};

struct EvaluateSettings {
  // "none", "diagonal" (the paper's), "low-rank" (spread by the samples' covariance), "bounded" (within the
  // physical bounds, the law as strict as the model found best on its validation data), or one of the
  // baselines "clip", "diagonal-clip" and "law" (nouq/prediction.h).
  std::string project = "none";
  // Variance with which the law is enforced, instead of the projection's own; 0: exactly.
  std::optional<double> noise_variance = {};
  std::vector<std::string> metrics = {};  // none named: all that apply
  // Whose standard deviation: that of the "model", or for comparison one that looks at no prediction:
  // "constant", the root mean square of held-out errors; or "distance", that times the distance of the
  // sample's parameter from the middle of the training range, in halves of the range, where that is above 1.
  std::string sigma = "model";
  int threads = 0;  // 0: all cores
};

NOUQ_API Evaluation evaluate(const Model& model, const DataSet& data, const EvaluateSettings& settings = {});
// The same of the model's prediction that is there already: one serves several projections.
NOUQ_API Evaluation evaluate(const Model& model, const DataSet& data, const Prediction& prediction,
                             const EvaluateSettings& settings = {});

}  // namespace nouq
