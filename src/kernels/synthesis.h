// Back from the real Fourier basis of one axis to points, with a linear layer added in the same register
// tile:
//
//   out(x, j) = factor(x, j) * (bias(j) + sum_f cos(f, x) C(f, j) + sum_f sin(f, x) S(f, j) + sum_i h(x, i)
//   B(i, j))
//
// Why: in a Fourier block the inverse transform and the pointwise linear layer add into the same field;
// adding them in registers saves a pass over memory. Points x and N-x share cosines and differ in the sign of
// the sines, so the transform is done once for both: half the work. Contract: h and out are [N][...] rows;
// only rows below `points` are written or read. With depth = 0 it is the plain inverse transform.
#pragma once

#include <nouq/array.h>

namespace nouq {

template <class T>
struct Synthesis {
  Index length = 0;  // N, the points of the axis
  Index points = 0;  // rows wanted: 0 .. points-1
  Index columns = 0;
  Index frequencies = 0;       // f = 0 .. frequencies-1 for the cosines, 1 .. frequencies-1 for the sines
  const T* cosines = nullptr;  // [frequencies][half], half = N/2 + 1 points
  const T* sines = nullptr;    // [frequencies][half]; row 0 is not read
  const T* coefficients = nullptr;  // C(0), C(1), ..., S(1), ...: [2 * frequencies - 1][columns]
  T* out = nullptr;
  const T* h = nullptr;
  Index depth = 0;  // columns of h, rows of B
  const T* b = nullptr;
  const T* bias = nullptr;    // may be null
  const T* factor = nullptr;  // [points][columns], may be null and may be `out` itself
};

void synthesise(const Synthesis<float>& synthesis);
void synthesise(const Synthesis<double>& synthesis);

}  // namespace nouq
