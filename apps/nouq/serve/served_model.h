// One model behind the server: what it is asked, what it answers, and what is said of it.
//
// Contract: a ServedModel is read by many threads at once; an answer is a function of the model and the
// question alone. A question that cannot be met as asked is an Error of kind user.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nouq/data.h>
#include <nouq/input_parameters.h>
#include <nouq/model.h>
#include <nouq/prediction.h>

#include "output.h"

namespace nouq::cli {

// Exactly one of parameters, sample and input.
struct ServeQuery {
  std::map<std::string, double> parameters;  // by name or symbol
  std::optional<Index> sample;               // of the data file
  std::optional<std::vector<float>> input;   // [axes..., channels], flat
  std::string projection = "none";
  bool truth = false;
};

struct ServeAnswer {
  Shape shape;               // [axes..., channels]
  std::vector<double> mean;  // all of one length
  std::vector<double> deviation;
  std::vector<double> band;    // empty: the model has none for this answer
  std::optional<Trust> trust;  // nothing: the model was not calibrated to judge
  std::vector<std::string> reasons;
  std::vector<double> truth;  // empty: not asked for, or not known
  std::vector<float> input;   // empty: parameters that are constant over the grid
};

class ServedModel {
 public:
  // data: samples to choose from; may be null. It must outlive this, and fit the model or be passed over.
  ServedModel(std::string name, Model model, const DataSet* data);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Model& model() const { return model_; }
  // Null: its inputs are fields.
  [[nodiscard]] const InputParameters* parameters() const { return parameters_ ? &*parameters_ : nullptr; }
  // Whether the data fit the model.
  [[nodiscard]] bool has_samples() const { return data_ != nullptr; }
  // Whether the gradient of the mean by its parameters, or its input field, is known.
  [[nodiscard]] bool has_gradient() const { return has_gradient_; }
  [[nodiscard]] Json description() const;
  [[nodiscard]] ServeAnswer answer(const ServeQuery& query) const;
  [[nodiscard]] const std::vector<std::string>& projections() const { return projections_; }
  // [1, parameters] in their order, from values by name or symbol; all of them, and no others.
  [[nodiscard]] Array<double> values_of(const std::map<std::string, double>& given) const;

 private:
  [[nodiscard]] DataSet question(const ServeQuery& query) const;
  [[nodiscard]] DataSet from_input(const std::vector<float>& input) const;
  void check_projection(const std::string& name) const;

  std::string name_;
  Model model_;
  ModelInfo info_;
  const DataSet* data_;
  std::optional<InputParameters> parameters_;
  std::vector<std::string> projections_;
  bool has_gradient_ = true;
};

}  // namespace nouq::cli
