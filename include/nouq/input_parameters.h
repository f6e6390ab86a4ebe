// The parameters that the inputs of a model are functions of: asked with numbers instead of fields.
//
// Why: a surrogate takes fields, but who calibrates, optimises or moves a slider has a few numbers. When:
//
//   const nouq::InputParameters parameters(model);
//   const nouq::Array<double> values({1, 1}, 6.2);           // one sample of one parameter
//   const nouq::Prediction answer = nouq::predict(model, parameters.inputs(values));
//
// Two kinds of models have them: those of a built-in (or registered) problem, whose one parameter makes the
// input field, and those of data whose parameter table has the names of the input channels, each constant
// over the grid, as `nouq import` makes them of a folder of runs.
//
// Contract: of other models the constructor says what is missing; `known` asks without throwing. Where a
// problem's input is a random function, sample i is that of sample i of seed 0.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nouq/data.h>
#include <nouq/model.h>
#include <nouq/problem.h>

namespace nouq {

struct InputParameter {
  std::string name;
  std::string symbol;  // the same as the name where there is none
  std::string unit;
  ParameterRange trained;  // least and greatest in the training data
  // Where to ask it: all shifts of a problem, as far as it admits them; the trained range widened by half its
  // width on either side.
  ParameterRange range;
};

class NOUQ_API InputParameters {
 public:
  explicit InputParameters(const Model& model);
  static bool known(const Model& model);

  [[nodiscard]] const std::vector<InputParameter>& list() const { return list_; }
  // Null for data of one's own.
  [[nodiscard]] const Problem* problem() const { return problem_.get(); }

  // values: [n, parameters]. The input fields, [n, axes..., channels], on the model's grid.
  [[nodiscard]] Array<float> inputs(const Array<double>& values) const;
  // The same with all that is known of these samples but their solutions: bounds and, with `law`, the values
  // of the conservation law.
  [[nodiscard]] DataSet question(const Array<double>& values, bool law = false) const;

  // The derivative of a sample's input field by one of the parameters, [axes..., channels], in double. Where
  // an input is its parameter, that is 1; where a problem makes a function of it, central differences of its
  // formula in double, halved until two of them agree to 1e-6. Throws, naming the problem and the parameter,
  // where they never do: the inputs do not depend smoothly on it there.
  [[nodiscard]] Array<double> derivative(const Array<double>& values, Index sample, Index parameter) const;

 private:
  void check(const Array<double>& values) const;

  std::shared_ptr<const Problem> problem_;
  Grid grid_;
  std::vector<Channel> channels_, outputs_;
  std::vector<Index> column_of_channel_;  // which parameter an input channel is
  std::vector<Bounds> bounds_;
  std::map<std::string, std::string> provenance_;
  std::vector<InputParameter> list_;
};

}  // namespace nouq
