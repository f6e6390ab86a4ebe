#include "kernels/reference.h"

#include <array>
#include <cmath>
#include <numbers>

#include "core/error.h"

namespace nouq::reference {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

template <class T>
void require_size(std::span<T> values, Index wanted, const char* what) {
  require(values.size() == at(wanted), "{} holds {} numbers, expected {}", what, values.size(), wanted);
}

// 2 pi f x / N, with f x reduced modulo N in integers so that the angle is exact to rounding.
double angle(Index f, Index x, Index length) {
  return 2.0 * std::numbers::pi * static_cast<double>(f * x % length) / static_cast<double>(length);
}

// What the two transforms share: a loop over all kept modes and all points. Missing axes come first and have
// one point, so that there always are three.
struct Waves {
  std::array<Index, 3> lengths = {1, 1, 1};
  std::array<std::vector<Index>, 3> frequencies = {{{0}, {0}, {0}}};
  Index points;
  Index modes = 1;

  explicit Waves(const Spectrum& spectrum) : points(element_count(spectrum.lengths)) {
    const std::size_t axes = spectrum.lengths.size();
    require(axes >= 1 && axes <= 3, "a transform of {} axes: expected 1 to 3", axes);
    for (std::size_t axis = 0; axis < axes; ++axis) {
      lengths[3 - axes + axis] = spectrum.lengths[axis];
      frequencies[3 - axes + axis] = kept_frequencies(spectrum, axis);
    }
    for (const auto& kept : frequencies) modes *= std::ssize(kept);
  }

  [[nodiscard]] std::array<Index, 3> wave_of(Index mode) const {
    const auto second = std::ssize(frequencies[1]);
    const auto third = std::ssize(frequencies[2]);
    return {frequencies[0][at(mode / third / second)], frequencies[1][at(mode / third % second)],
            frequencies[2][at(mode % third)]};
  }
  [[nodiscard]] std::array<Index, 3> place_of(Index point) const {
    return {point / lengths[2] / lengths[1], point / lengths[2] % lengths[1], point % lengths[2]};
  }

  // visit(mode, point, theta, k_last) for every kept mode and every point.
  template <class Visit>
  void each(const Visit& visit) const {
    for (Index mode = 0; mode < modes; ++mode) {
      const auto k = wave_of(mode);
      for (Index point = 0; point < points; ++point) {
        const auto x = place_of(point);
        double theta = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) theta += angle(k[axis], x[axis], lengths[axis]);
        visit(mode, point, theta, k[2]);
      }
    }
  }
};

}  // namespace

Reals product(Index rows, Index depth, Index columns, RealSpan a, RealSpan b) {
  require_size(a, rows * depth, "the left factor");
  require_size(b, depth * columns, "the right factor");
  Reals c(at(rows * columns), 0.0);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      for (Index k = 0; k < depth; ++k)
        c[at(i * columns + j)] += a[at(i * depth + k)] * b[at(k * columns + j)];
    }
  }
  return c;
}

Reals linear(Index points, Index inputs, Index outputs, RealSpan in, RealSpan weight, RealSpan bias) {
  Reals out = product(points, inputs, outputs, in, weight);
  if (bias.empty()) return out;
  require_size(bias, outputs, "the bias");
  for (Index i = 0; i < points * outputs; ++i) out[at(i)] += bias[at(i % outputs)];
  return out;
}

double gelu(double z) { return z * 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double gelu_derivative(double z) {
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
  return 0.5 * std::erfc(-z / std::numbers::sqrt2) + z * density;
}

Reals head_features(const HeadSizes& sizes, RealSpan field, RealSpan weight, RealSpan bias) {
  Reals features = linear(sizes.points, sizes.width, sizes.features, field, weight, bias);
  for (double& feature : features) feature = gelu(feature);
  return features;
}

Reals head(const HeadSizes& sizes, RealSpan features, RealSpan weight, RealSpan bias) {
  return linear(sizes.points, sizes.features, sizes.outputs, features, weight, bias);
}

Reals axis_analysis(const AxisSizes& sizes, RealSpan in) {
  require_size(in, sizes.points * sizes.columns, "the field");
  Reals out(at((2 * sizes.frequencies - 1) * sizes.columns), 0.0);
  for (Index f = 0; f < sizes.frequencies; ++f) {
    for (Index x = 0; x < sizes.points; ++x) {
      for (Index j = 0; j < sizes.columns; ++j) {
        const double u = in[at(x * sizes.columns + j)];
        out[at(f * sizes.columns + j)] += std::cos(angle(f, x, sizes.length)) * u;
        if (f == 0) continue;
        out[at((sizes.frequencies - 1 + f) * sizes.columns + j)] += std::sin(angle(f, x, sizes.length)) * u;
      }
    }
  }
  return out;
}

Reals axis_synthesis(const AxisSizes& sizes, RealSpan coefficients) {
  require_size(coefficients, (2 * sizes.frequencies - 1) * sizes.columns, "the coefficients");
  Reals out(at(sizes.points * sizes.columns), 0.0);
  for (Index x = 0; x < sizes.points; ++x) {
    for (Index j = 0; j < sizes.columns; ++j) {
      double& u = out[at(x * sizes.columns + j)];
      for (Index f = 0; f < sizes.frequencies; ++f) {
        u += std::cos(angle(f, x, sizes.length)) * coefficients[at(f * sizes.columns + j)];
        if (f == 0) continue;
        u += std::sin(angle(f, x, sizes.length)) *
             coefficients[at((sizes.frequencies - 1 + f) * sizes.columns + j)];
      }
    }
  }
  return out;
}

Reals axis_synthesis_linear(const AxisSizes& sizes, RealSpan coefficients, Index depth, RealSpan h,
                            RealSpan b, RealSpan bias) {
  Reals out = axis_synthesis(sizes, coefficients);
  const Reals added = linear(sizes.points, depth, sizes.columns, h, b, bias);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += added[i];
  return out;
}

std::vector<Index> kept_frequencies(const Spectrum& spectrum, std::size_t axis) {
  const std::size_t axes = spectrum.lengths.size();
  require(spectrum.modes.size() == axes, "{} mode counts for {} axes", spectrum.modes.size(), axes);
  const Index length = spectrum.lengths[axis];
  const Index m = spectrum.modes[axis];
  const bool last = axis + 1 == axes;
  require(m >= 0 && (!last || m <= length / 2 + 1), "{} modes of an axis of {} points", m, length);
  std::vector<Index> frequencies;
  for (Index k = 0; k < m; ++k) frequencies.push_back(k);
  for (Index k = -m; k < 0 && !last; ++k) frequencies.push_back(k);
  return frequencies;
}

Complexes fourier_analysis(const Spectrum& spectrum, RealSpan field) {
  const Waves waves(spectrum);
  const Index channels = spectrum.channels;
  require_size(field, waves.points * channels, "the field");
  Complexes out(at(waves.modes * channels), 0.0);
  waves.each([&](Index mode, Index point, double theta, Index) {
    const Complex wave = std::polar(1.0, -theta);
    for (Index c = 0; c < channels; ++c)
      out[at(mode * channels + c)] += field[at(point * channels + c)] * wave;
  });
  return out;
}

Reals fourier_synthesis(const Spectrum& spectrum, ComplexSpan coefficients) {
  const Waves waves(spectrum);
  const Index channels = spectrum.channels;
  require_size(coefficients, waves.modes * channels, "the coefficients");
  Reals out(at(waves.points * channels), 0.0);
  waves.each([&](Index mode, Index point, double theta, Index k_last) {
    const double weight = k_last == 0 || 2 * k_last == waves.lengths[2] ? 1.0 : 2.0;
    const Complex wave = std::polar(weight / static_cast<double>(waves.points), theta);
    for (Index c = 0; c < channels; ++c) {
      out[at(point * channels + c)] += (coefficients[at(mode * channels + c)] * wave).real();
    }
  });
  return out;
}

Complexes mix(const MixingSizes& sizes, ComplexSpan coefficients, ComplexSpan weight) {
  require_size(coefficients, sizes.batch * sizes.inputs, "the coefficients");
  require_size(weight, sizes.inputs * sizes.outputs, "the weight");
  Complexes mixed(at(sizes.batch * sizes.outputs), 0.0);
  for (Index s = 0; s < sizes.batch; ++s) {
    for (Index o = 0; o < sizes.outputs; ++o) {
      for (Index i = 0; i < sizes.inputs; ++i) {
        mixed[at(s * sizes.outputs + o)] +=
            coefficients[at(s * sizes.inputs + i)] * weight[at(i * sizes.outputs + o)];
      }
    }
  }
  return mixed;
}

Complexes mix_adjoint_input(const MixingSizes& sizes, ComplexSpan mixed_gradient, ComplexSpan weight) {
  require_size(mixed_gradient, sizes.batch * sizes.outputs, "the gradient");
  require_size(weight, sizes.inputs * sizes.outputs, "the weight");
  Complexes gradient(at(sizes.batch * sizes.inputs), 0.0);
  for (Index s = 0; s < sizes.batch; ++s) {
    for (Index i = 0; i < sizes.inputs; ++i) {
      for (Index o = 0; o < sizes.outputs; ++o) {
        gradient[at(s * sizes.inputs + i)] +=
            mixed_gradient[at(s * sizes.outputs + o)] * std::conj(weight[at(i * sizes.outputs + o)]);
      }
    }
  }
  return gradient;
}

Complexes mix_adjoint_weight(const MixingSizes& sizes, ComplexSpan coefficients, ComplexSpan mixed_gradient) {
  require_size(coefficients, sizes.batch * sizes.inputs, "the coefficients");
  require_size(mixed_gradient, sizes.batch * sizes.outputs, "the gradient");
  Complexes gradient(at(sizes.inputs * sizes.outputs), 0.0);
  for (Index i = 0; i < sizes.inputs; ++i) {
    for (Index o = 0; o < sizes.outputs; ++o) {
      for (Index s = 0; s < sizes.batch; ++s) {
        gradient[at(i * sizes.outputs + o)] +=
            std::conj(coefficients[at(s * sizes.inputs + i)]) * mixed_gradient[at(s * sizes.outputs + o)];
      }
    }
  }
  return gradient;
}

Folded fold(Index length, Index points, Index columns, Index in_stride, RealSpan in) {
  const auto value = [&](Index x, Index j) { return x < points ? in[at(x * in_stride + j)] : 0.0; };
  Folded folded;
  for (Index x = 0; x <= length / 2; ++x) {
    const bool paired = x > 0 && 2 * x != length;
    for (Index j = 0; j < columns; ++j) {
      folded.even.push_back(paired ? value(x, j) + value(length - x, j) : value(x, j));
      folded.odd.push_back(paired ? value(x, j) - value(length - x, j) : value(x, j));
    }
  }
  return folded;
}

Reals column_sums(Index rows, Index columns, RealSpan in) {
  require_size(in, rows * columns, "the matrix");
  Reals sums(at(columns), 0.0);
  for (Index r = 0; r < rows; ++r) {
    for (Index j = 0; j < columns; ++j) sums[at(j)] += in[at(r * columns + j)];
  }
  return sums;
}

double dot(RealSpan a, RealSpan b) {
  require_size(b, std::ssize(a), "the second vector");
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void gather_rows(const RowTable<double>& table, RealSpan in, RowStrides in_strides, Index columns,
                 std::span<double> out, RowStrides out_strides) {
  const auto offset = [](const RowTerm<double>& row, RowStrides strides) {
    return row.major * strides.major + row.minor * strides.minor;
  };
  for (std::size_t r = 0; r < table.out.size(); ++r) {
    for (Index j = 0; j < columns; ++j) {
      double sum = 0;
      for (Index t = table.first_term[r]; t < table.first_term[r + 1]; ++t) {
        const RowTerm<double>& term = table.terms[at(t)];
        sum += term.weight * in[at(offset(term, in_strides) + j)];
      }
      out[at(offset(table.out[r], out_strides) + j)] = sum;
    }
  }
}

void add_row_sums(std::span<const Index> rows, RealSpan weight, RealSpan values, std::span<double> sums) {
  for (std::size_t p = 0; p < rows.size(); ++p)
    if (rows[p] >= 0) sums[at(rows[p])] += weight[p] * values[p];
}

void condition_on_rows(std::span<const Index> rows, RealSpan weight, RealSpan gain, RealSpan inverse,
                       std::span<double> mean, std::span<double> variance) {
  for (std::size_t p = 0; p < rows.size(); ++p) {
    if (rows[p] < 0) continue;
    const double cross = weight[p] * variance[p];
    mean[p] -= cross * gain[at(rows[p])];
    variance[p] = std::max(0.0, variance[p] - cross * cross * inverse[at(rows[p])]);
  }
}

void adam(const AdamStep& options, RealSpan gradient, std::span<double> weights,
          std::span<double> first_moment, std::span<double> second_moment) {
  const auto t = static_cast<double>(options.step);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    const double g = gradient[i] + options.decay * weights[i];
    first_moment[i] = options.beta1 * first_moment[i] + (1 - options.beta1) * g;
    second_moment[i] = options.beta2 * second_moment[i] + (1 - options.beta2) * g * g;
    const double mean = first_moment[i] / (1 - std::pow(options.beta1, t));
    const double square = second_moment[i] / (1 - std::pow(options.beta2, t));
    weights[i] -= options.rate * mean / (std::sqrt(square) + options.epsilon);
  }
}

}  // namespace nouq::reference
