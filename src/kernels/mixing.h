// Mode mixing: for every kept Fourier mode a complex matrix product over the channels, and its two adjoints.
//
//   forward       Y = F W        [batch, in] x [in, out]
//   to the input  dF = dY W^H    [batch, out] x [out, in]
//   to the weight dW = F^H dY    [in, batch] x [batch, out]
//
// Contract: a complex row of n numbers is stored as n real parts followed by n imaginary parts. The weight of
// one mode is [in] such rows of `out` numbers; the coefficients of one mode are [batch] such rows. Each call
// does one mode. Any sizes; sums run in ascending order of the summed index.
#pragma once

#include <nouq/array.h>

namespace nouq {

template <class T>
struct Mixing {
  Index batch = 0;
  Index inputs = 0;
  Index outputs = 0;
};

template <class T>
void mix(const Mixing<T>& sizes, const T* coefficients, const T* weight, T* mixed);
// `transposed` is scratch for [out][2 * in] numbers.
template <class T>
void mix_adjoint_input(const Mixing<T>& sizes, const T* mixed_gradient, const T* weight, T* transposed,
                       T* gradient);
template <class T>
void mix_adjoint_weight(const Mixing<T>& sizes, const T* coefficients, const T* mixed_gradient,
                        T* weight_gradient);

}  // namespace nouq
