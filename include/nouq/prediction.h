// A prediction as arrays: for whoever goes on with it, to judge it, project it, evaluate it or keep it.
//
// Why besides Model::predict: that fills memory of the caller's, with standard deviations. Here variances
// stay as the networks give them (the square of a rounded root is not the same number), and one prediction
// serves several projections:
//
//   const nouq::Prediction before = nouq::predict(model, data.inputs, {.samples = true});
//   const nouq::Prediction after = nouq::project(model, data, before, {.name = "bounded"});
//   const nouq::Evaluation report = nouq::evaluate(model, data, before, {.project = "bounded"});
//
// Contract: a prediction is a function of the model and the input alone; not of the batch it is in, nor of
// the number of threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nouq/array.h>
#include <nouq/data.h>
#include <nouq/model.h>
#include <nouq/trust.h>

namespace nouq {

struct Prediction {
  Array<double> mean;      // [n, axes..., channels]
  Array<double> variance;  // the same
  Array<double> samples;   // [n, samples, axes..., channels]; empty when not asked for or the method has none
  // After a projection that the model has calibrated bands for: half widths, as the mean; else empty.
  Array<double> band = {};
  // [n, 2 width]: mean and spread over the field of each hidden channel of the network, by which trust tells
  // how new an input is; empty for predictions that are not a model's.
  Array<double> pooled = {};
};

struct PredictOptions {
  bool samples = false;
  int threads = 0;  // 0: all cores
};

// inputs: [n, axes..., input channels], finite. Throws when the shape does not fit the model.
NOUQ_API Prediction predict(const Model& model, const Array<float>& inputs,
                            const PredictOptions& options = {});

// The same for inputs whose points are known: any grid over the model's domain will do. Where the networks do
// not answer on it themselves (they do on the trained points, and on other evenly spaced ones where their
// padding is a fraction of every axis), inputs are interpolated onto the trained points and answers back.
// Without a grid, inputs with as many points as in training are taken to be on those, others to be evenly
// spaced.
NOUQ_API Prediction predict(const Model& model, const Grid& grid, const Array<float>& inputs,
                            const PredictOptions& options = {});
NOUQ_API Prediction predict(const Model& model, const DataSet& data, const PredictOptions& options = {});

// One per sample, of a prediction as it came from the networks: a projection does not bring it into domain.
// Empty when the model was not calibrated for it. Data need no solutions: their inputs, parameters and values
// of laws are what is heard of them. Without data, spread and distance from the training inputs alone.
NOUQ_API std::vector<Trust> trust(const Model& model, const Prediction& prediction);
NOUQ_API std::vector<Trust> trust(const Model& model, const DataSet& data, const Prediction& prediction);
// The same for inputs that are no data set: on a grid, with the values of the model's laws by name,
// [n, places...].
NOUQ_API std::vector<Trust> trust(const Model& model, const Grid& grid, const Array<float>& inputs,
                                  const std::map<std::string, Array<double>>& values,
                                  const Prediction& prediction);

// Makes the variance of every sample large enough to explain by how much its mean violates the data's
// conservation law, beyond what held-out samples do; samples move with it. The mean stays. Nothing changes
// where the model was not sized by a law or the data have no values of it. `evaluate` does this by itself;
// where a prediction is also to be projected, take `sized_and_projected`.
NOUQ_API void size_by_law(const Model& model, const DataSet& data, Prediction& prediction);
// The same for inputs that are no data set: on a grid, with the values of the model's laws by name,
// [n, places...].
NOUQ_API void size_by_law(const Model& model, const Grid& grid,
                          const std::map<std::string, Array<double>>& values, Prediction& prediction);

// Half widths of the model's bands, as in Answer; none where the model has none for the grid of the
// prediction. They are for predictions as they come from the networks; `project` gives those after it.
NOUQ_API std::optional<Array<double>> band(const Model& model, const Prediction& prediction);

// Mean and variance (with M - 1) of samples [n, M, ...], which are kept.
NOUQ_API Prediction from_samples(Array<double> samples);

// --- Onto the law of data --------------------------------------------------------------------------------

// Which projection, as the tool's --conserve has it:
//   none           as predicted
//   diagonal       the paper's: the law with a variance of 1e-9, spread by the variances
//   low-rank       spread by the covariance of the samples at each time, with half the diagonal
//   bounded        within the physical bounds, the law as strict and spread as the model found best on
//                  held-out data; where the method has samples, the variance is that of the samples, each
//                  projected by itself; where there is no law, within the bounds alone
// and baselines that show what each part of it does:
//   clip           within the bounds alone
//   diagonal-clip  diagonal, and then clip
//   law            the law as in bounded, without bounds
// Where the model is calibrated for what comes out, variances are sized and there are bands.
struct Projection {
  std::string name = "none";
  std::optional<double> noise_variance = {};  // of every row, instead of the projection's own
  int threads = 0;
};
NOUQ_API std::vector<std::string> projection_names();
// Does it make use of samples where a prediction has some? Throws for an unknown name.
NOUQ_API bool uses_samples(const std::string& projection);

// Onto the law and into the bounds of the data, with what the model knows where they say nothing. A
// projection that needs what is not there (a law, samples) is an Error that says what is missing.
NOUQ_API Prediction project(const Model& model, const DataSet& data, const Prediction& prediction,
                            const Projection& projection);
// The same for inputs that are no data set: on a grid, with the values of the model's laws by name,
// [n, places...].
NOUQ_API Prediction project(const Model& model, const Grid& grid,
                            const std::map<std::string, Array<double>>& values, const Prediction& prediction,
                            const Projection& projection);

// Both in one: a prediction as it came from the networks, sized by the law where the projection asks for that
// ("bounded" of a model that sizes what comes out of it does not), and projected. As the tool's predict.
NOUQ_API Prediction sized_and_projected(const Model& model, const DataSet& data, const Prediction& prediction,
                                        const Projection& projection);
NOUQ_API Prediction sized_and_projected(const Model& model, const Grid& grid,
                                        const std::map<std::string, Array<double>>& values,
                                        const Prediction& prediction, const Projection& projection);

}  // namespace nouq
