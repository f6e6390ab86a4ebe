#include <nouq/evaluate.h>

#include "api/shared_model.h"
#include "metrics/metric.h"
#include "physics/evaluation.h"

namespace nouq {

Evaluation evaluate(const Model& model, const DataSet& data, const EvaluateSettings& settings) {
  validate(data, "data");
  const PredictOptions options{uses_samples(settings.project), settings.threads};
  return evaluate(model, data, predict(model, data, options), settings);
}

Evaluation evaluate(const Model& model, const DataSet& data, const Prediction& prediction,
                    const EvaluateSettings& settings) {
  for (const std::string& name : settings.metrics) (void)find_metric(name);
  const ProjectionChoice choice{projection_from_name(settings.project), settings.noise_variance,
                                settings.threads};
  return evaluate(model.shared().surrogate(), data, prediction, choice, settings.metrics,
                  sigma_from_name(settings.sigma));
}

}  // namespace nouq
