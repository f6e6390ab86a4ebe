#include <algorithm>
#include <cmath>

#include <nouq/gradient.h>

#include "api/shared_model.h"
#include "api/strided_copy.h"
#include "core/error.h"

namespace nouq {
namespace {

Shape field_shape(const Array<float>& inputs, Index channels) {
  Shape shape = inputs.shape();
  shape.back() = channels;
  return shape;
}

void require_shape(const char* what, const Array<double>& values, const Shape& expected) {
  require(values.shape() == expected, "{} of shape {}: expected {}", what, to_string(values.shape()),
          to_string(expected));
  for (Index i = 0; i < values.size(); ++i)
    require(std::isfinite(values[i]), "{}: {} at element {}, expected finite numbers", what, values[i], i);
}

void require_fields(const Model& model, const Array<float>& inputs) {
  require(inputs.rank() == model.grid().size() + 2,
          "inputs of shape {}: expected [samples, {} axes, {} channels]", to_string(inputs.shape()),
          model.grid().size(), model.inputs().size());
  (void)model.answer_shape(Input(inputs.data(), Layout(inputs.shape(), Order::row_major)));
}

// [axes...] of one sample of one channel becomes [1, axes..., 1].
Array<double> as_fields(const Model& model, const char* what, const Input& given) {
  require_readable(what, given);
  Array<double> values = to_array(what, given);
  if (values.rank() != model.grid().size()) return values;
  Shape shape = values.shape();
  shape.insert(shape.begin(), 1);
  shape.push_back(1);
  return {shape, values.begin(), values.end()};
}

Array<float> input_fields(const Model& model, const Input& given) {
  const Array<double> values = as_fields(model, "inputs", given);
  return {values.shape(), values.begin(), values.end()};
}

// Parameters of one sample may come as [parameters].
Array<double> as_rows(const char* what, const Input& given) {
  require_readable(what, given);
  Array<double> values = to_array(what, given);
  if (values.rank() != 1) return values;
  return {{1, values.size()}, values.begin(), values.end()};
}

void deliver(const Array<double>& values, const Output& result) {
  require_writable("result", result);
  const Shape given = shape_of(result.layout);
  const auto bare = [](const Shape& shape) { return Shape(shape.begin() + 1, shape.end() - 1); };
  const bool fits = given == values.shape() ||
                    (values.extent(0) == 1 && values.shape().back() == 1 && given == bare(values.shape())) ||
                    (values.rank() == 2 && values.extent(0) == 1 && given == Shape{values.extent(1)});
  require(fits, "a result of shape {}: expected {}", to_string(given), to_string(values.shape()));
  Array<double> whole(given, values.begin(), values.end());
  scatter(whole.data(), result, 0, given.front());
}

}  // namespace

Array<double> gradient(const Model& model, const Array<float>& inputs, const Array<double>& sensitivity) {
  require_fields(model, inputs);
  require_shape("sensitivity", sensitivity, field_shape(inputs, std::ssize(model.outputs())));
  return model.shared().gradient(inputs, sensitivity);
}

Array<double> derivative(const Model& model, const Array<float>& inputs, const Array<double>& direction) {
  require_fields(model, inputs);
  require_shape("direction", direction, inputs.shape());
  return model.shared().derivative(inputs, direction);
}

Array<double> parameter_gradient(const Model& model, const InputParameters& parameters,
                                 const Array<double>& values, const Array<double>& sensitivity) {
  const Array<double> by_input = gradient(model, parameters.inputs(values), sensitivity);
  const Index size = by_input.size() / by_input.extent(0);
  Array<double> result(values.shape());
  for (Index i = 0; i < values.size(); ++i) {
    const Index sample = i / values.extent(1);
    const Array<double> change = parameters.derivative(values, sample, i % values.extent(1));
    for (Index j = 0; j < size; ++j) result[i] += by_input[sample * size + j] * change[j];
  }
  return result;
}

Array<double> parameter_derivative(const Model& model, const InputParameters& parameters,
                                   const Array<double>& values, const Array<double>& direction) {
  const Array<float> inputs = parameters.inputs(values);
  require_shape("direction", direction, values.shape());
  Array<double> change(inputs.shape());
  const Index size = change.size() / change.extent(0);
  for (Index i = 0; i < values.size(); ++i) {
    const Index sample = i / values.extent(1);
    const Array<double> one = parameters.derivative(values, sample, i % values.extent(1));
    for (Index j = 0; j < size; ++j) change[sample * size + j] += direction[i] * one[j];
  }
  return derivative(model, inputs, change);
}

void gradient(const Model& model, const Input& inputs, const Input& sensitivity, const Output& result) {
  deliver(gradient(model, input_fields(model, inputs), as_fields(model, "sensitivity", sensitivity)), result);
}

void derivative(const Model& model, const Input& inputs, const Input& direction, const Output& result) {
  deliver(derivative(model, input_fields(model, inputs), as_fields(model, "direction", direction)), result);
}

void parameter_gradient(const Model& model, const Input& values, const Input& sensitivity,
                        const Output& result) {
  deliver(parameter_gradient(model, InputParameters(model), as_rows("values", values),
                             as_fields(model, "sensitivity", sensitivity)),
          result);
}

void parameter_derivative(const Model& model, const Input& values, const Input& direction,
                          const Output& result) {
  deliver(parameter_derivative(model, InputParameters(model), as_rows("values", values),
                               as_rows("direction", direction)),
          result);
}

}  // namespace nouq
