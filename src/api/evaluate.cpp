#include <nouq/evaluate.h>

#include "api/shared_model.h"
#include "metrics/metric.h"
#include "physics/evaluation.h"

namespace nouq {

Evaluation evaluate(const Model& model, const DataSet& data, const EvaluateSettings& settings) {
  validate(data, "data");
  for (const std::string& name : settings.metrics) (void)find_metric(name);
  const ProjectionChoice choice{projection_from_name(settings.project), settings.noise_variance,
                                settings.threads};
  const Surrogate& surrogate = model.shared().surrogate();
  const PredictOptions options{uses_samples(choice.kind), settings.threads};
  return evaluate(surrogate, data, predict(surrogate, data.inputs.view(), options), choice, settings.metrics);
}

}  // namespace nouq
