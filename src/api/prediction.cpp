#include <nouq/prediction.h>

#include "api/shared_model.h"
#include "core/error.h"
#include "physics/law_sizing.h"
#include "physics/projection_calibration.h"
#include "physics/projection_choice.h"
#include "physics/trust_evidence.h"
#include "uq/conformal.h"
#include "uq/moments.h"

namespace nouq {
namespace {

const Surrogate& surrogate_of(const Model& model) { return model.shared().surrogate(); }

ProjectionChoice choice_of(const Projection& projection) {
  return {projection_from_name(projection.name), projection.noise_variance, projection.threads};
}

// What a projection and the sizes need to know of inputs that are no data set.
DataSet question_on(const Model& model, const Grid& grid,
                    const std::map<std::string, Array<double>>& values) {
  DataSet question;
  question.grid = grid;
  question.output_channels = surrogate_of(model).output_channels;
  question.constraint_values = values;
  return question;
}

}  // namespace

Prediction predict(const Model& model, const Array<float>& inputs, const PredictOptions& options) {
  return predict(surrogate_of(model), inputs.view(), options);
}

Prediction predict(const Model& model, const Grid& grid, const Array<float>& inputs,
                   const PredictOptions& options) {
  return predict(surrogate_of(model), grid, inputs.view(), options);
}

Prediction predict(const Model& model, const DataSet& data, const PredictOptions& options) {
  return predict(model, data.grid, data.inputs, options);
}

std::vector<Trust> trust(const Model& model, const Prediction& prediction) {
  if (!has_trust(surrogate_of(model))) return {};
  return trust(surrogate_of(model), DataSet{}, prediction);
}

std::vector<Trust> trust(const Model& model, const DataSet& data, const Prediction& prediction) {
  if (!has_trust(surrogate_of(model))) return {};
  return trust(surrogate_of(model), data, prediction);
}

std::vector<Trust> trust(const Model& model, const Grid& grid, const Array<float>& inputs,
                         const std::map<std::string, Array<double>>& values, const Prediction& prediction) {
  DataSet question;
  question.grid = grid;
  question.inputs = inputs;
  question.output_channels = surrogate_of(model).output_channels;
  question.constraint_values = values;
  return trust(model, question, prediction);
}

void size_by_law(const Model& model, const DataSet& data, Prediction& prediction) {
  size_by_law(surrogate_of(model), data, prediction);
}

void size_by_law(const Model& model, const Grid& grid, const std::map<std::string, Array<double>>& values,
                 Prediction& prediction) {
  size_by_law(surrogate_of(model), question_on(model, grid, values), prediction);
}

std::optional<Array<double>> band(const Model& model, const Prediction& prediction) {
  if (!has_conformal(surrogate_of(model))) return std::nullopt;
  const Conformal conformal = conformal_of(surrogate_of(model));
  if (!fits(conformal, surrogate_of(model), prediction.variance.shape())) return std::nullopt;
  return half_width(conformal, prediction.variance.view());
}

Prediction from_samples(Array<double> samples) {
  require(samples.rank() >= 2 && samples.extent(1) >= 2 && !samples.empty(),
          "samples of shape {}: expected [n, members, ...] with at least two members",
          to_string(samples.shape()));
  Shape shape = samples.shape();
  const Index count = shape[0], members = shape[1], points = samples.size() / (count * members);
  shape.erase(shape.begin() + 1);
  Prediction result{Array<double>(shape), Array<double>(shape), {}};
  for (Index i = 0; i < count; ++i)
    moments(samples.data() + i * members * points, {members, points, 1}, points,
            result.mean.data() + i * points, result.variance.data() + i * points);
  result.samples = std::move(samples);
  return result;
}

bool uses_samples(const std::string& projection) { return uses_samples(projection_from_name(projection)); }

Prediction project(const Model& model, const DataSet& data, const Prediction& prediction,
                   const Projection& projection) {
  return project(choice_of(projection), surrogate_of(model), data, prediction);
}

Prediction project(const Model& model, const Grid& grid, const std::map<std::string, Array<double>>& values,
                   const Prediction& prediction, const Projection& projection) {
  const Surrogate& surrogate = surrogate_of(model);
  const Physics physics =
      physics_of({{grid, surrogate.channels()}, laws_of(surrogate), values, surrogate.bounds, nullptr, {}});
  return project(choice_of(projection), surrogate, physics, grid, prediction);
}

Prediction sized_and_projected(const Model& model, const DataSet& data, const Prediction& prediction,
                               const Projection& projection) {
  return sized_and_projected(choice_of(projection), surrogate_of(model), data, prediction);
}

Prediction sized_and_projected(const Model& model, const Grid& grid,
                               const std::map<std::string, Array<double>>& values,
                               const Prediction& prediction, const Projection& projection) {
  return sized_and_projected(choice_of(projection), surrogate_of(model), question_on(model, grid, values),
                             prediction);
}

}  // namespace nouq
