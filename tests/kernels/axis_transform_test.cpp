#include "kernels/axis_transform.h"

#include <numbers>

#include "kernels/reference.h"
#include "kernels/support.h"

namespace nouq {
namespace {

using test::at;
using test::Draw;
using test::Guarded;

reference::AxisSizes random_axis(Draw& draw) {
  reference::AxisSizes sizes;
  sizes.length = draw.axis_length();
  sizes.frequencies = draw.coin() ? draw.between(1, 13) : draw.between(1, sizes.length / 2 + 1);
  sizes.points = draw.coin() ? sizes.length : draw.between(0, sizes.length);
  sizes.columns = draw.between(0, 9) == 0 ? draw.pick({0, 129, 200}) : draw.width();
  return sizes;
}

Index rows_of(const reference::AxisSizes& sizes) { return 2 * sizes.frequencies - 1; }

// A bound of |sum of wave(x) u(x)|, repeated for every row of the result: no cosine exceeds one.
std::vector<double> column_scales(const std::vector<double>& magnitudes, Index rows, Index columns,
                                  Index repeats) {
  const auto sums = reference::column_sums(rows, columns, magnitudes);
  std::vector<double> scales;
  for (Index r = 0; r < repeats; ++r) scales.insert(scales.end(), sums.begin(), sums.end());
  return scales;
}

template <class T>
class AxisTransformTest : public ::testing::Test {};
TYPED_TEST_SUITE(AxisTransformTest, test::Scalars);

TYPED_TEST(AxisTransformTest, AnalysisAgreesWithItsTwin) {
  test::on_every_case([](Draw& draw) {
    const auto sizes = random_axis(draw);
    const AxisTransform<TypeParam> transform(sizes.length, sizes.frequencies);
    const auto in = draw.values<TypeParam>(sizes.points * sizes.columns);
    Guarded<TypeParam> out(rows_of(sizes) * sizes.columns, draw.coin());
    Guarded<TypeParam> scratch(transform.scratch_size(), draw.coin());
    transform.analyse(in.data(), sizes.points, sizes.columns, out.data(), scratch.data());
    EXPECT_TRUE(scratch.bands_intact());
    test::expect_close(out, reference::axis_analysis(sizes, test::widened(in)),
                       column_scales(test::magnitudes(in), sizes.points, sizes.columns, rows_of(sizes)));
  });
}

TYPED_TEST(AxisTransformTest, SynthesisAgreesWithItsTwin) {
  test::on_every_case([](Draw& draw) {
    const auto sizes = random_axis(draw);
    const AxisTransform<TypeParam> transform(sizes.length, sizes.frequencies);
    const auto in = draw.values<TypeParam>(rows_of(sizes) * sizes.columns);
    Guarded<TypeParam> out(sizes.points * sizes.columns, draw.coin());
    transform.synthesise(in.data(), sizes.points, sizes.columns, out.data());
    test::expect_close(out, reference::axis_synthesis(sizes, test::widened(in)),
                       column_scales(test::magnitudes(in), rows_of(sizes), sizes.columns, sizes.points));
  });
}

TYPED_TEST(AxisTransformTest, SynthesisWithLinearLayerAgreesWithItsTwin) {
  test::on_every_case([](Draw& draw) {
    const auto sizes = random_axis(draw);
    const Index depth = draw.pick({0, 1, 2, 3, 5, 17, 32});
    const AxisTransform<TypeParam> transform(sizes.length, sizes.frequencies);
    const auto in = draw.values<TypeParam>(rows_of(sizes) * sizes.columns);
    const auto h = draw.values<TypeParam>(sizes.points * depth);
    const auto b = draw.values<TypeParam>(depth * sizes.columns);
    const auto bias = draw.values<TypeParam>(draw.coin() ? sizes.columns : 0);
    // With a factor, it lies where the result goes, as in the backward pass.
    const bool with_factor = draw.coin();
    const auto factor = draw.values<TypeParam>(sizes.points * sizes.columns);
    Guarded<TypeParam> out(factor, draw.coin());
    transform.synthesise_linear(
        in.data(), sizes.points, sizes.columns,
        {h.data(), depth, b.data(), bias.empty() ? nullptr : bias.data(), with_factor ? out.data() : nullptr},
        out.data());
    auto scale = column_scales(test::magnitudes(in), rows_of(sizes), sizes.columns, sizes.points);
    const auto added = reference::linear(sizes.points, depth, sizes.columns, test::magnitudes(h),
                                         test::magnitudes(b), test::magnitudes(bias));
    auto wanted = reference::axis_synthesis_linear(sizes, test::widened(in), depth, test::widened(h),
                                                   test::widened(b), test::widened(bias));
    for (std::size_t i = 0; i < scale.size(); ++i) {
      scale[i] += added[i];
      if (!with_factor) continue;
      wanted[i] *= static_cast<double>(factor[i]);
      scale[i] *= std::abs(static_cast<double>(factor[i]));
    }
    test::expect_close(out, wanted, scale);
  });
}

// <A u, v> = <u, A^T v> for every u and v: the synthesis is the exact transpose of the analysis.
TYPED_TEST(AxisTransformTest, SynthesisIsTheAdjointOfAnalysis) {
  test::on_every_case([](Draw& draw) {
    const auto sizes = random_axis(draw);
    const AxisTransform<TypeParam> transform(sizes.length, sizes.frequencies);
    const auto u = draw.values<TypeParam>(sizes.points * sizes.columns);
    const auto v = draw.values<TypeParam>(rows_of(sizes) * sizes.columns);
    std::vector<TypeParam> a_u(v.size());
    std::vector<TypeParam> at_v(u.size());
    std::vector<TypeParam> scratch(at(transform.scratch_size()));
    transform.analyse(u.data(), sizes.points, sizes.columns, a_u.data(), scratch.data());
    transform.synthesise(v.data(), sizes.points, sizes.columns, at_v.data());
    const double left = reference::dot(test::widened(a_u), test::widened(v));
    const double right = reference::dot(test::widened(u), test::widened(at_v));
    const auto scales = column_scales(test::magnitudes(u), sizes.points, sizes.columns, rows_of(sizes));
    const double terms = reference::dot(scales, test::magnitudes(v));
    ASSERT_LE(std::abs(left - right), test::tolerance<TypeParam> * terms) << left << " against " << right;
  });
}

TYPED_TEST(AxisTransformTest, RowsAreWhereTheyAreSaidToBe) {
  const Index length = 10, frequencies = 4;
  const AxisTransform<TypeParam> transform(length, frequencies);
  for (Index f = 1; f < frequencies; ++f) {
    std::vector<TypeParam> in(at(length));
    for (Index x = 0; x < length; ++x) {
      const double theta = 2 * std::numbers::pi * static_cast<double>(f * x) / 10.0;
      in[at(x)] = static_cast<TypeParam>(3 * std::cos(theta) + 4 * std::sin(theta));
    }
    std::vector<TypeParam> out(at(transform.rows()));
    std::vector<TypeParam> scratch(at(transform.scratch_size()));
    transform.analyse(in.data(), length, 1, out.data(), scratch.data());
    EXPECT_NEAR(out[at(transform.cosine_row(f))], 15, 1e-5);
    EXPECT_NEAR(out[at(transform.sine_row(f))], 20, 1e-5);
    EXPECT_NEAR(out[0], 0, 1e-5);
  }
}

TYPED_TEST(AxisTransformTest, RefusesAnEmptyAxisAndNoFrequencies) {
  EXPECT_THROW(AxisTransform<TypeParam>(0, 1), Error);
  EXPECT_THROW(AxisTransform<TypeParam>(4, 0), Error);
}

}  // namespace
}  // namespace nouq
