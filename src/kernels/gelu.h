// GELU in its exact form, gelu(z) = z Phi(z) with the normal distribution function Phi, and its derivative.
//
// Contract: float32 within 1e-6 of the exact value and derivative for every finite z (double: to rounding).
// NaN stays NaN, and an infinity gives no finite number. `value` may be `z` itself. The derivative costs next
// to nothing once the value is there: both come from one exponential.
#pragma once

#include "core/array.h"

namespace nouq {

template <class T>
void gelu(const T* z, Index count, T* value);
template <class T>
void gelu_with_derivative(const T* z, Index count, T* value, T* derivative);

}  // namespace nouq
