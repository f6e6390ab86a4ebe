// Derivatives of a surrogate's mean with respect to its input field.
//
// Why: to calibrate, optimise and propagate with gradients. When: the public functions of nouq/gradient.h.
// Two of them, each exact in what it is for:
//
//   gradient     from sensitivities of some number to the mean, to those to the inputs, by the networks'
//   adjoint in
//                single precision; the price of about three predictions, whatever the number of inputs
//   derivative   of the mean along a direction of the inputs, by a central difference of fourth order of the
//                networks in double precision: with a step of a thousandth of the inputs its error is about
//                1e-10, less than a tangent pass in single precision has, and every architecture has it
//
// The two are adjoint to each other up to single precision, which a test holds them to. Normalisation of
// inputs and outputs is included; masks of dropout are held as they are at this input. Contract: every sample
// by itself, so that the result depends neither on the batch nor on the number of threads. One caller at a
// time; the surrogate must outlive it.
#pragma once

#include <memory>

#include "uq/method.h"

namespace nouq {

class MeanDerivative {
 public:
  MeanDerivative(const Surrogate& surrogate, const Shape& grid, int threads = 1);

  // inputs: [batch][points][input channels]; sensitivity: [batch][points][channels]; result: as the inputs.
  void gradient(const float* inputs, Index batch, const double* sensitivity, double* result);
  // direction: as the inputs; result: [batch][points][channels].
  void derivative(const float* inputs, Index batch, const double* direction, double* result);

 private:
  void gradient_of_one(const double* sensitivity, double* result);
  void derivative_of_one(const double* direction, double* result);
  void normalise(const float* inputs);
  void add_outputs(double factor);
  [[nodiscard]] Index copies() const { return rule_.masks == 0 ? 1 : std::min<Index>(rule_.masks, 20); }

  const Surrogate& surrogate_;
  Shape grid_;
  int threads_;
  MeanRule rule_;
  Index points_, in_, out_;
  double share_;                 // of an output in the mean
  std::uint64_t mask_seed_ = 0;  // at this input
  std::vector<double> in_deviation_, out_deviation_;
  Network<float> network_;
  std::unique_ptr<Network<double>> precise_;  // made when it is first asked for
  Buffer<float> input_, tiled_, by_output_, by_input_;
  Buffer<double> weights_, moved_, tiled_moved_, outputs_, mean_;
};

}  // namespace nouq
