// The twins themselves: against values worked by hand and by NumPy, and against laws they must obey.
#include "kernels/reference.h"

#include <numbers>

#include "kernels/support.h"

namespace nouq {
namespace {

using reference::Complex;
using reference::Complexes;
using reference::Reals;
using reference::Spectrum;
using test::at;
using test::Draw;

TEST(Reference, ProductByHand) {
  const Reals a = {1, 2, 3, 4, 5, 6};
  const Reals b = {1, 0, 2, 1, 0, 3};
  EXPECT_EQ(reference::product(2, 3, 2, a, b), (Reals{5, 11, 14, 23}));
  EXPECT_EQ(reference::linear(2, 3, 2, a, b, Reals{100, 200}), (Reals{105, 211, 114, 223}));
  EXPECT_THROW((void)reference::product(2, 2, 2, a, b), Error);
}

TEST(Reference, HeadIsTwoLinearLayersAroundGelu) {
  const reference::HeadSizes sizes{1, 2, 2, 1};
  const auto features = reference::head_features(sizes, Reals{1, 2}, Reals{1, -1, 0, 1}, Reals{0, -1});
  EXPECT_EQ(features, (Reals{reference::gelu(1), reference::gelu(0)}));
  EXPECT_EQ(reference::head(sizes, features, Reals{2, 3}, {}), (Reals{2 * reference::gelu(1)}));
}

// Phi(1) = 0.8413447460685429, phi(1) = 0.24197072451914337.
TEST(Reference, GeluByTable) {
  EXPECT_DOUBLE_EQ(reference::gelu(1), 0.8413447460685429);
  EXPECT_DOUBLE_EQ(reference::gelu_derivative(1), 0.8413447460685429 + 0.24197072451914337);
  EXPECT_DOUBLE_EQ(reference::gelu(-1), -0.15865525393145707);
  EXPECT_DOUBLE_EQ(reference::gelu_derivative(0), 0.5);
}

// numpy.fft.rfftn of u(i) = sin(1 + 0.7 i^2) cut to the modes, and numpy.fft.irfftn of the cut coefficients
// after each was turned by the phase e^{i n}; both condensed to a sum weighted with cos n.
struct NumpyCase {
  Shape lengths, modes;
  Complex analysed;
  double synthesised;
};
const NumpyCase numpy_cases[] = {
    {{7}, {3}, {2.5430314361317423, -0.4879935174690416}, 1.9371085067600067},
    {{8}, {5}, {0.7816775616645748, 3.383935392114402}, 0.9772765389291486},
    {{6}, {4}, {2.6446975324402806, 0.06663321862345473}, 1.151099719033085},
    {{5, 4}, {2, 3}, {11.103729517210379, -2.5851239856947847}, -0.29865773653211525},
    {{4, 7}, {2, 3}, {-0.03113087994382724, 3.5777119652773797}, 0.10628592166718834},
    {{3, 4, 6}, {1, 2, 4}, {-8.11437095749761, -26.065794099318662}, 1.5758797376646885},
};

TEST(Reference, FourierTransformsAgreeWithNumpy) {
  for (const NumpyCase& numpy : numpy_cases) {
    SCOPED_TRACE(to_string(numpy.lengths));
    const Spectrum spectrum{numpy.lengths, numpy.modes, 1};
    Reals field(at(element_count(numpy.lengths)));
    for (std::size_t i = 0; i < field.size(); ++i)
      field[i] = std::sin(1.0 + 0.7 * static_cast<double>(i * i));
    Complexes modes = reference::fourier_analysis(spectrum, field);
    Complex analysed = 0;
    for (std::size_t n = 0; n < modes.size(); ++n) {
      analysed += modes[n] * std::cos(static_cast<double>(n));
      modes[n] *= std::polar(1.0, static_cast<double>(n));
    }
    EXPECT_NEAR(std::abs(analysed - numpy.analysed), 0, 1e-12);
    const Reals back = reference::fourier_synthesis(spectrum, modes);
    double synthesised = 0;
    for (std::size_t n = 0; n < back.size(); ++n) synthesised += back[n] * std::cos(static_cast<double>(n));
    EXPECT_NEAR(synthesised, numpy.synthesised, 1e-13);
  }
}

TEST(Reference, FrequenciesAreTwoSidedButOnTheLastAxis) {
  const Spectrum spectrum{{9, 8}, {3, 5}, 1};
  EXPECT_EQ(reference::kept_frequencies(spectrum, 0), (std::vector<Index>{0, 1, 2, -3, -2, -1}));
  EXPECT_EQ(reference::kept_frequencies(spectrum, 1), (std::vector<Index>{0, 1, 2, 3, 4}));
  EXPECT_THROW((void)reference::kept_frequencies({{9, 8}, {3, 6}, 1}, 1), Error);
  EXPECT_THROW((void)reference::fourier_analysis({{2, 2, 2, 2}, {1, 1, 1, 1}, 1}, Reals(16)), Error);
}

// With all modes kept the way back undoes the way there, for every channel.
TEST(Reference, SynthesisUndoesAnalysisWhenNothingIsCut) {
  for (const Shape& lengths :
       {Shape{1}, Shape{2}, Shape{9}, Shape{10}, Shape{6, 5}, Shape{2, 8}, Shape{4, 2, 3}}) {
    SCOPED_TRACE(to_string(lengths));
    Spectrum spectrum{lengths, {}, 3};
    for (const Index length : lengths) spectrum.modes.push_back(length / 2);
    spectrum.modes.back() = lengths.back() / 2 + 1;
    const Reals field = Draw(1).values<double>(3 * element_count(lengths));
    const Reals back = reference::fourier_synthesis(spectrum, reference::fourier_analysis(spectrum, field));
    for (std::size_t i = 0; i < field.size(); ++i) EXPECT_NEAR(back[i], field[i], 1e-12);
  }
}

// The real basis of one axis is the complex one: Y(k) = C(k) - i S(k).
TEST(Reference, RealAndComplexAnalysisAgree) {
  for (const Index length : {1, 2, 7, 10}) {
    const Index m = length / 2 + 1;
    const Reals field = Draw(2).values<double>(2 * length);
    const Complexes complex = reference::fourier_analysis({{length}, {m}, 2}, field);
    const Reals real = reference::axis_analysis({length, m, length, 2}, field);
    for (Index k = 0; k < m; ++k) {
      for (Index j = 0; j < 2; ++j) {
        const double sine = k == 0 ? 0.0 : real[at((m - 1 + k) * 2 + j)];
        EXPECT_NEAR(std::abs(complex[at(2 * k + j)] - Complex(real[at(2 * k + j)], -sine)), 0, 1e-13);
      }
    }
  }
}

// A gradient to the input and one to the weight: Re <mix(dF, W), G> = Re <dF, adjoint>, and so for W.
TEST(Reference, MixingAdjointsAreAdjoint) {
  const reference::MixingSizes s{3, 4, 5};
  Draw draw(3);
  const Complexes f = test::joined(draw.values<double>(2 * 3 * 4), 3, 4);
  const Complexes w = test::joined(draw.values<double>(2 * 4 * 5), 4, 5);
  const Complexes g = test::joined(draw.values<double>(2 * 3 * 5), 3, 5);
  const auto inner = [](const Complexes& a, const Complexes& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (std::conj(a[i]) * b[i]).real();
    return sum;
  };
  const double forward = inner(reference::mix(s, f, w), g);
  EXPECT_NEAR(inner(f, reference::mix_adjoint_input(s, g, w)), forward, 1e-12);
  EXPECT_NEAR(inner(w, reference::mix_adjoint_weight(s, f, g)), forward, 1e-12);
}

TEST(Reference, FoldByHand) {
  const auto odd_axis = reference::fold(5, 5, 1, 1, Reals{1, 2, 3, 4, 5});
  EXPECT_EQ(odd_axis.even, (Reals{1, 7, 7}));
  EXPECT_EQ(odd_axis.odd, (Reals{1, -3, -1}));
  const auto cut_even_axis = reference::fold(4, 3, 1, 1, Reals{1, 2, 3});
  EXPECT_EQ(cut_even_axis.even, (Reals{1, 2, 3}));
  EXPECT_EQ(cut_even_axis.odd, (Reals{1, 2, 3}));
}

// Two steps of Adam with rate 0.1, betas 0.5, epsilon 0, no decay, gradients 1 then 3, from weight 0:
// m = 0.5, 1.75; v = 0.5, 4.75; corrected m = 1, 7/3; corrected v = 1, 19/3.
TEST(Reference, AdamByHand) {
  Reals w = {0}, m = {0}, v = {0};
  AdamStep step{0.1, 0, 0.5, 0.5, 0, 1};
  reference::adam(step, Reals{1}, w, m, v);
  EXPECT_DOUBLE_EQ(w[0], -0.1);
  step.step = 2;
  reference::adam(step, Reals{3}, w, m, v);
  EXPECT_DOUBLE_EQ(m[0], 1.75);
  EXPECT_DOUBLE_EQ(v[0], 4.75);
  EXPECT_DOUBLE_EQ(w[0], -0.1 - 0.1 * (7.0 / 3.0) / std::sqrt(19.0 / 3.0));
}

}  // namespace
}  // namespace nouq
