#include "kernels/adam.h"

#include "kernels/reference.h"
#include "kernels/support.h"

namespace nouq {
namespace {

using test::at;
using test::Draw;
using test::Guarded;

AdamStep random_step(Draw& draw) {
  AdamStep step;
  step.step = draw.coin() ? draw.between(1, 20) : draw.pick({1, 1000, 100000, 1000000000});
  step.rate = draw.coin() ? 1e-3 : 0.1;
  step.decay = draw.coin() ? 1e-4 : 0.0;
  step.beta1 = draw.coin() ? 0.9 : 0.5;
  step.beta2 = draw.coin() ? 0.999 : 0.9;
  step.epsilon = draw.coin() ? 1e-8 : 1e-3;
  return step;
}

template <class T>
class AdamTest : public ::testing::Test {};
TYPED_TEST_SUITE(AdamTest, test::Scalars);

TYPED_TEST(AdamTest, AgreesWithItsTwin) {
  test::on_every_case([](Draw& draw) {
    const AdamStep step = random_step(draw);
    const Index count = draw.coin() ? draw.width() : draw.between(0, 200);
    const auto gradient = draw.values<TypeParam>(count);
    const auto w = draw.values<TypeParam>(count);
    const auto m = draw.values<TypeParam>(count);
    auto v = draw.values<TypeParam>(count);
    for (TypeParam& square : v) square = std::abs(square);
    Guarded<TypeParam> weights(w, draw.coin()), first(m, draw.coin()), second(v, draw.coin());
    adam(step, gradient.data(), count, weights.data(), first.data(), second.data());

    auto wanted_w = test::widened(w), wanted_m = test::widened(m), wanted_v = test::widened(v);
    reference::adam(step, test::widened(gradient), wanted_w, wanted_m, wanted_v);
    // Sums of absolute terms; the step is bounded by what it would be without cancellation in the moment.
    auto scale_w = test::magnitudes(w), scale_m = test::magnitudes(m), scale_v = test::magnitudes(v);
    const auto scale_g = test::magnitudes(gradient);
    for (Index i = 0; i < count; ++i) {
      const double g = scale_g[at(i)] + step.decay * scale_w[at(i)];
      scale_m[at(i)] += g;
      scale_v[at(i)] += g * g;
      scale_w[at(i)] += 10 * step.rate * scale_m[at(i)] / (std::sqrt(wanted_v[at(i)]) + step.epsilon);
    }
    test::expect_close(first, wanted_m, scale_m);
    test::expect_close(second, wanted_v, scale_v);
    test::expect_close(weights, wanted_w, scale_w);
  });
}

// The first step from rest moves each weight by the rate, against the sign of its gradient.
TYPED_TEST(AdamTest, FirstStepHasTheLengthOfTheRate) {
  test::on_every_target([] {
    const std::vector<TypeParam> gradient = {3, -0.5, 1000, TypeParam(-1e-3), 0};
    std::vector<TypeParam> w(5, 1), m(5, 0), v(5, 0);
    AdamStep step;
    step.decay = 0;
    adam(step, gradient.data(), 5, w.data(), m.data(), v.data());
    const std::vector<double> wanted = {0.999, 1.001, 0.999, 1.001, 1};
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(w[i], wanted[i], 1e-7);
  });
}

// Bit for bit: threads may share the parameters in any way.
TYPED_TEST(AdamTest, DoesNotDependOnHowParametersAreSplit) {
  test::on_every_case([](Draw& draw) {
    const AdamStep step = random_step(draw);
    const Index count = draw.between(1, 200);
    const Index cut = draw.between(0, count);
    const auto gradient = draw.values<TypeParam>(count);
    auto w = draw.values<TypeParam>(count), m = draw.values<TypeParam>(count);
    std::vector<TypeParam> v(at(count), TypeParam(0.25));
    auto w2 = w, m2 = m, v2 = v;
    adam(step, gradient.data(), count, w.data(), m.data(), v.data());
    adam(step, gradient.data(), cut, w2.data(), m2.data(), v2.data());
    adam(step, gradient.data() + cut, count - cut, w2.data() + cut, m2.data() + cut, v2.data() + cut);
    ASSERT_EQ(w, w2);
    ASSERT_EQ(m, m2);
    ASSERT_EQ(v, v2);
  });
}

}  // namespace
}  // namespace nouq
