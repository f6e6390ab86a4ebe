// Derivatives of a model's mean: by its input fields, and by the parameters that these are functions of.
//
// Why: whoever calibrates, optimises or propagates with a surrogate wants its gradient, and a surrogate has
// it for the price of a few predictions. When:
//
//   // by how much does sum(weights * mean) change with the input at every point?
//   const nouq::Array<double> by_input = nouq::gradient(model, inputs, weights);
//   // and with the parameters?
//   const nouq::InputParameters parameters(model);
//   const nouq::Array<double> by_parameter = nouq::parameter_gradient(model, parameters, values, weights);
//
// Two directions: `gradient` takes one number per value of the mean (a vector on the left of the Jacobian),
// `derivative` one number per value of the input (a vector on its right).
//
// Contract: of the mean as predict() gives it, before any projection, for every method: over heads, networks
// or masks (which are held as they are at this input). Normalisation is included. gradient is the networks'
// adjoint in single precision; derivative a difference of fourth order of the networks in double precision.
// Results do not depend on threads (Model::set_threads) or on the batch. Throws as predict() does.
#pragma once

#include <nouq/array.h>
#include <nouq/export.h>
#include <nouq/input_parameters.h>
#include <nouq/model.h>
#include <nouq/strided.h>

namespace nouq {

// inputs: [n, axes..., input channels]; sensitivity: [n, axes..., output channels]. As the inputs: sum over
// outputs of sensitivity * d mean / d input.
NOUQ_API Array<double> gradient(const Model& model, const Array<float>& inputs,
                                const Array<double>& sensitivity);
// direction: as the inputs. [n, axes..., output channels]: sum over inputs of d mean / d input * direction.
NOUQ_API Array<double> derivative(const Model& model, const Array<float>& inputs,
                                  const Array<double>& direction);

// values: [n, parameters]. The gradient by every parameter, [n, parameters]: that by the input field times
// how the field changes (InputParameters::derivative, which throws where that is not known).
NOUQ_API Array<double> parameter_gradient(const Model& model, const InputParameters& parameters,
                                          const Array<double>& values, const Array<double>& sensitivity);
// direction: [n, parameters]. The change of the mean, [n, axes..., output channels].
NOUQ_API Array<double> parameter_derivative(const Model& model, const InputParameters& parameters,
                                            const Array<double>& values, const Array<double>& direction);

// The same with the caller's arrays, also as [axes...] alone for one sample of one channel. Everything is
// checked before anything is written.
NOUQ_API void gradient(const Model& model, const Input& inputs, const Input& sensitivity,
                       const Output& result);
NOUQ_API void derivative(const Model& model, const Input& inputs, const Input& direction,
                         const Output& result);
NOUQ_API void parameter_gradient(const Model& model, const Input& values, const Input& sensitivity,
                                 const Output& result);
NOUQ_API void parameter_derivative(const Model& model, const Input& values, const Input& direction,
                                   const Output& result);

}  // namespace nouq
