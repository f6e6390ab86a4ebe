// The plain twin of every fast kernel: the definition as naive loops in double precision.
//
// Why: a fast kernel is believed only because it agrees with something too simple to be wrong. When: tests of
// the kernels and of the network; never in production, some of these sums cost the square of what they need.
// Contract: row-major arrays, sizes first, results returned. An empty bias means none. A span of another size
// than the sizes call for is an error. Channels are the last, fastest index of a field.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include <nouq/array.h>

#include "kernels/adam.h"
#include "kernels/rows.h"

namespace nouq::reference {

using Complex = std::complex<double>;
using Reals = std::vector<double>;
using Complexes = std::vector<Complex>;
using RealSpan = std::span<const double>;
using ComplexSpan = std::span<const Complex>;

// [rows][depth] x [depth][columns] -> [rows][columns]
Reals product(Index rows, Index depth, Index columns, RealSpan a, RealSpan b);

// The pointwise linear layer: out(p, o) = bias(o) + sum_i in(p, i) weight(i, o), weight: [inputs][outputs].
Reals linear(Index points, Index inputs, Index outputs, RealSpan in, RealSpan weight, RealSpan bias);

// gelu(z) = z Phi(z) and its derivative Phi(z) + z phi(z).
double gelu(double z);
double gelu_derivative(double z);

// The end of the network: features = gelu(linear(field)), outputs = linear(features).
struct HeadSizes {
  Index points = 0;
  Index width = 0;
  Index features = 0;
  Index outputs = 0;
};
Reals head_features(const HeadSizes& sizes, RealSpan field, RealSpan weight, RealSpan bias);
Reals head(const HeadSizes& sizes, RealSpan features, RealSpan weight, RealSpan bias);

// One axis in the real basis of kernels/axis_transform.h: rows C(0), C(1), ..., S(1), S(2), ...
struct AxisSizes {
  Index length = 0;
  Index frequencies = 0;
  Index points = 0;  // rows of the field present: 0 .. points-1
  Index columns = 0;
};
Reals axis_analysis(const AxisSizes& sizes, RealSpan in);
Reals axis_synthesis(const AxisSizes& sizes, RealSpan coefficients);
// The synthesis plus bias and h B, as in kernels/synthesis.h. h: [points][depth], b: [depth][columns].
Reals axis_synthesis_linear(const AxisSizes& sizes, RealSpan coefficients, Index depth, RealSpan h,
                            RealSpan b, RealSpan bias);

// The truncated Fourier transform of a field of one to three axes, and the way back, by the direct sum.
//
//   analysis   Y(k) = sum_x u(x) e^{-i theta},   theta = 2 pi (k_1 x_1 / N_1 + ... + k_d x_d / N_d)
//   synthesis  u(x) = 1 / (N_1 ... N_d) Re sum_k w(k_d) Y(k) e^{i theta}
//
// with w = 1 for k_d = 0 and for the Nyquist frequency k_d = N_d / 2 of an even axis, else 2: what a
// complex-to-real transform (irfftn) does with modes that were cut. The last axis keeps k = 0 .. m-1, m <=
// N/2 + 1; the others keep 0 .. m-1 and then -m .. -1. Where 2m > N a wave appears twice, and counts twice.
struct Spectrum {
  Shape lengths;  // N per axis
  Shape modes;    // m per axis
  Index channels = 1;
};
// The frequencies of one axis in the order they are stored.
std::vector<Index> kept_frequencies(const Spectrum& spectrum, std::size_t axis);
Complexes fourier_analysis(const Spectrum& spectrum, RealSpan field);
Reals fourier_synthesis(const Spectrum& spectrum, ComplexSpan coefficients);

// Mode mixing of one mode, as in kernels/mixing.h: Y = F W, dF = dY W^H, dW = F^H dY.
struct MixingSizes {
  Index batch = 0;
  Index inputs = 0;
  Index outputs = 0;
};
Complexes mix(const MixingSizes& sizes, ComplexSpan coefficients, ComplexSpan weight);
Complexes mix_adjoint_input(const MixingSizes& sizes, ComplexSpan mixed_gradient, ComplexSpan weight);
Complexes mix_adjoint_weight(const MixingSizes& sizes, ComplexSpan coefficients, ComplexSpan mixed_gradient);

// Row operations, as in kernels/rows.h.
struct Folded {
  Reals even;
  Reals odd;
};
Folded fold(Index length, Index points, Index columns, Index in_stride, RealSpan in);
Reals column_sums(Index rows, Index columns, RealSpan in);
double dot(RealSpan a, RealSpan b);
// Rows of `out` the table does not name are left alone.
void gather_rows(const RowTable<double>& table, RealSpan in, RowStrides in_strides, Index columns,
                 std::span<double> out, RowStrides out_strides);

// As in kernels/conditioning.h, with the row of every point in a list (-1: none). In place.
void add_row_sums(std::span<const Index> rows, RealSpan weight, RealSpan values, std::span<double> sums);
void condition_on_rows(std::span<const Index> rows, RealSpan weight, RealSpan gain, RealSpan inverse,
                       std::span<double> mean, std::span<double> variance);

// One step of kernels/adam.h, in place.
void adam(const AdamStep& options, RealSpan gradient, std::span<double> weights,
          std::span<double> first_moment, std::span<double> second_moment);

}  // namespace nouq::reference
