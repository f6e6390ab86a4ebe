#include <nouq/kernels.h>

#include "kernels/reference.h"
#include "kernels/support.h"

namespace nouq {
namespace {

using test::at;
using test::Draw;
using test::Guarded;

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();

// The promise of kernels/gelu.h: absolute 1e-6 in float (relative where a value exceeds one), rounding in
// double.
template <class T>
double allowed(double wanted) {
  return (std::is_same_v<T, float> ? 1e-6 : 1e-15) * std::max(1.0, std::abs(wanted));
}

template <class T>
void check(const std::vector<T>& z) {
  const auto count = std::ssize(z);
  Guarded<T> value(count, false);
  Guarded<T> again(count, true);
  Guarded<T> derivative(count, false);
  gelu(z.data(), count, value.data());
  gelu_with_derivative(z.data(), count, again.data(), derivative.data());
  EXPECT_TRUE(value.bands_intact() && again.bands_intact() && derivative.bands_intact());
  for (Index i = 0; i < count; ++i) {
    const auto x = static_cast<double>(z[at(i)]);
    ASSERT_NEAR(value[i], reference::gelu(x), allowed<T>(reference::gelu(x))) << "z = " << x;
    ASSERT_NEAR(again[i], reference::gelu(x), allowed<T>(reference::gelu(x))) << "z = " << x;
    ASSERT_NEAR(derivative[i], reference::gelu_derivative(x), allowed<T>(1.0)) << "z = " << x;
  }
}

template <class T>
class GeluTest : public ::testing::Test {};
TYPED_TEST_SUITE(GeluTest, test::Scalars);

TYPED_TEST(GeluTest, IsExactOverADenseSweep) {
  test::on_every_target([] {
    std::vector<TypeParam> z;
    for (int i = -120000; i <= 120000; ++i) z.push_back(static_cast<TypeParam>(i) / TypeParam(10000));
    check(z);
  });
}

TYPED_TEST(GeluTest, IsExactAtExtremes) {
  test::on_every_target([] {
    std::vector<TypeParam> z = {0, TypeParam(-0.0), std::numeric_limits<TypeParam>::denorm_min(),
                                std::numeric_limits<TypeParam>::max()};
    for (const double size :
         {1e-38, 1e-30, 1e-8, 13.0, 13.2, 14.0, 20.0, 100.0, 1e10, 1e19, 1e30, 1e37, 3e38}) {
      z.push_back(static_cast<TypeParam>(size));
      z.push_back(static_cast<TypeParam>(-size));
    }
    check(z);
  });
}

TYPED_TEST(GeluTest, AgreesWithItsTwinForEveryCount) {
  test::on_every_case([](Draw& draw) {
    auto z = draw.values<TypeParam>(draw.coin() ? draw.width() : draw.between(0, 300));
    for (TypeParam& x : z) x *= 3;
    check(z);
  });
}

TYPED_TEST(GeluTest, MayWorkInPlace) {
  test::on_every_case([](Draw& draw) {
    const auto z = draw.values<TypeParam>(draw.between(1, 150));
    const auto count = std::ssize(z);
    std::vector<TypeParam> apart(z.size()), derivative(z.size()), derivative_again(z.size());
    gelu_with_derivative(z.data(), count, apart.data(), derivative.data());
    auto inside = z;
    gelu(inside.data(), count, inside.data());
    ASSERT_EQ(inside, apart);
    inside = z;
    gelu_with_derivative(inside.data(), count, inside.data(), derivative_again.data());
    ASSERT_EQ(inside, apart);
    ASSERT_EQ(derivative_again, derivative);
  });
}

// A diverged network must be seen: what is not finite stays not finite, wherever it stands in a vector.
TYPED_TEST(GeluTest, NeverHidesNaNOrInfinity) {
  test::on_every_target([] {
    for (const TypeParam bad :
         {std::numeric_limits<TypeParam>::quiet_NaN(), infinity<TypeParam>, -infinity<TypeParam>}) {
      for (Index place = 0; place < 100; place += 7) {
        std::vector<TypeParam> z(100, TypeParam(1));
        z[at(place)] = bad;
        std::vector<TypeParam> value(100), derivative(100);
        gelu_with_derivative(z.data(), 100, value.data(), derivative.data());
        for (Index i = 0; i < 100; ++i) ASSERT_EQ(std::isfinite(value[at(i)]), i != place) << bad;
        for (Index i = 0; i < 100; ++i) ASSERT_EQ(std::isfinite(derivative[at(i)]), i != place) << bad;
        ASSERT_TRUE(!std::isnan(bad) || std::isnan(value[at(place)]));
      }
    }
  });
}

}  // namespace
}  // namespace nouq
