#include "kernels/mixing.h"

#include "kernels/reference.h"
#include "kernels/support.h"

namespace nouq {
namespace {

using test::at;
using test::Draw;
using test::Guarded;

reference::MixingSizes random_mixing(Draw& draw) {
  const Index batch = draw.coin() ? draw.pick({0, 1, 1, 2}) : draw.between(1, 23);
  return {batch, draw.width(), draw.width()};
}

template <class T>
Mixing<T> sizes_for(const reference::MixingSizes& sizes) {
  return {sizes.batch, sizes.inputs, sizes.outputs};
}

// Complex numbers back in the kernels' layout.
std::vector<double> split(const reference::Complexes& values, Index rows, Index columns) {
  std::vector<double> result;
  for (Index r = 0; r < rows; ++r) {
    for (Index j = 0; j < columns; ++j) result.push_back(values[at(r * columns + j)].real());
    for (Index j = 0; j < columns; ++j) result.push_back(values[at(r * columns + j)].imag());
  }
  return result;
}

// |re| + |im| of every number: products of these bound the sums of absolute terms.
reference::Complexes sizes_of(const reference::Complexes& values) {
  reference::Complexes result;
  for (const auto& value : values) result.emplace_back(std::abs(value.real()) + std::abs(value.imag()), 0.0);
  return result;
}

// Real and imaginary parts share the bound.
std::vector<double> bounds(const reference::Complexes& sums, Index rows, Index columns) {
  reference::Complexes both;
  for (const auto& sum : sums) both.emplace_back(sum.real(), sum.real());
  return split(both, rows, columns);
}

template <class T>
class MixingTest : public ::testing::Test {};
TYPED_TEST_SUITE(MixingTest, test::Scalars);

TYPED_TEST(MixingTest, ForwardAgreesWithItsTwin) {
  test::on_every_case([](Draw& draw) {
    const auto s = random_mixing(draw);
    const auto f = draw.values<TypeParam>(2 * s.batch * s.inputs);
    const auto w = draw.values<TypeParam>(2 * s.inputs * s.outputs);
    Guarded<TypeParam> out(2 * s.batch * s.outputs, draw.coin());
    mix(sizes_for<TypeParam>(s), f.data(), w.data(), out.data());
    const auto fc = test::joined(f, s.batch, s.inputs);
    const auto wc = test::joined(w, s.inputs, s.outputs);
    test::expect_close(out, split(reference::mix(s, fc, wc), s.batch, s.outputs),
                       bounds(reference::mix(s, sizes_of(fc), sizes_of(wc)), s.batch, s.outputs));
  });
}

TYPED_TEST(MixingTest, AdjointToTheInputAgreesWithItsTwin) {
  test::on_every_case([](Draw& draw) {
    const auto s = random_mixing(draw);
    const auto g = draw.values<TypeParam>(2 * s.batch * s.outputs);
    const auto w = draw.values<TypeParam>(2 * s.inputs * s.outputs);
    Guarded<TypeParam> transposed(2 * s.inputs * s.outputs, draw.coin());
    Guarded<TypeParam> out(2 * s.batch * s.inputs, draw.coin());
    mix_adjoint_input(sizes_for<TypeParam>(s), g.data(), w.data(), transposed.data(), out.data());
    EXPECT_TRUE(transposed.bands_intact());
    const auto gc = test::joined(g, s.batch, s.outputs);
    const auto wc = test::joined(w, s.inputs, s.outputs);
    test::expect_close(
        out, split(reference::mix_adjoint_input(s, gc, wc), s.batch, s.inputs),
        bounds(reference::mix_adjoint_input(s, sizes_of(gc), sizes_of(wc)), s.batch, s.inputs));
  });
}

TYPED_TEST(MixingTest, AdjointToTheWeightAgreesWithItsTwin) {
  test::on_every_case([](Draw& draw) {
    const auto s = random_mixing(draw);
    const auto f = draw.values<TypeParam>(2 * s.batch * s.inputs);
    const auto g = draw.values<TypeParam>(2 * s.batch * s.outputs);
    Guarded<TypeParam> out(2 * s.inputs * s.outputs, draw.coin());
    mix_adjoint_weight(sizes_for<TypeParam>(s), f.data(), g.data(), out.data());
    const auto fc = test::joined(f, s.batch, s.inputs);
    const auto gc = test::joined(g, s.batch, s.outputs);
    test::expect_close(
        out, split(reference::mix_adjoint_weight(s, fc, gc), s.inputs, s.outputs),
        bounds(reference::mix_adjoint_weight(s, sizes_of(fc), sizes_of(gc)), s.inputs, s.outputs));
  });
}

// Bit for bit: samples of a batch do not feel each other, so a batch may be cut anywhere.
TYPED_TEST(MixingTest, ForwardDoesNotDependOnHowTheBatchIsSplit) {
  test::on_every_case([](Draw& draw) {
    const auto s = random_mixing(draw);
    const Index first = draw.between(0, s.batch);
    const auto f = draw.values<TypeParam>(2 * s.batch * s.inputs);
    const auto w = draw.values<TypeParam>(2 * s.inputs * s.outputs);
    std::vector<TypeParam> whole(at(2 * s.batch * s.outputs));
    std::vector<TypeParam> parts(whole.size());
    mix(sizes_for<TypeParam>(s), f.data(), w.data(), whole.data());
    mix(Mixing<TypeParam>{first, s.inputs, s.outputs}, f.data(), w.data(), parts.data());
    mix(Mixing<TypeParam>{s.batch - first, s.inputs, s.outputs}, f.data() + 2 * first * s.inputs, w.data(),
        parts.data() + 2 * first * s.outputs);
    ASSERT_EQ(whole, parts);
  });
}

}  // namespace
}  // namespace nouq
