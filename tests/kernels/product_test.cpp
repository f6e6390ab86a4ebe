#include <algorithm>
#include <cmath>

#include <nouq/kernels.h>

#include "kernels/reference.h"
#include "kernels/support.h"

namespace nouq {
namespace {

using test::at;
using test::Draw;
using test::Guarded;

// A random product: strided A (by rows or transposed), padded rows of B and C, bias, accumulation.
template <class T>
struct ProductCase {
  Product<T> product;
  std::vector<T> a, b, bias, start, factor;

  explicit ProductCase(Draw& draw) {
    product.rows = draw.coin() ? draw.between(0, 40) : draw.pick({1, 2, 3, 12, 13, 26, 27, 100});
    product.columns = draw.between(0, 9) == 0 ? 0 : draw.width();
    product.depth = draw.coin() ? draw.between(0, 20) : draw.pick({0, 1, 32, 64, 109});
    product.b_stride = product.columns + draw.pick({0, 0, 1, 9});
    product.c_stride = product.columns + draw.pick({0, 0, 1, 9});
    product.accumulate = draw.coin();
    place_a(draw);
    b = draw.values<T>(extent(product.depth, product.b_stride, product.columns));
    start = draw.values<T>(extent(product.rows, product.c_stride, product.columns));
    if (draw.coin()) bias = draw.values<T>(product.columns);
    if (draw.coin()) factor = draw.values<T>(std::ssize(start));
    product.b = b.data();
    product.factor = factor.empty() ? nullptr : factor.data();
    product.bias = bias.empty() ? nullptr : bias.data();
  }

  // Numbers from the first to the last element touched.
  static Index extent(Index rows, Index stride, Index columns) {
    return rows == 0 || columns == 0 ? 0 : (rows - 1) * stride + columns;
  }

  void place_a(Draw& draw) {
    const Index gap = draw.pick({0, 0, 1, 7});
    const bool transposed = draw.coin();
    product.a_row_stride = transposed ? draw.pick({1, 2}) : product.depth + gap;
    product.a_depth_stride = transposed ? product.a_row_stride * product.rows + gap : 1;
    const bool empty = product.rows == 0 || product.depth == 0;
    a = draw.values<T>(empty ? 0
                             : (product.rows - 1) * product.a_row_stride +
                                   (product.depth - 1) * product.a_depth_stride + 1);
    product.a = a.data();
  }

  // The operands without strides, through `f`: the values themselves or their magnitudes.
  template <class F>
  std::vector<double> plain_result(const F& f) const {
    std::vector<double> plain_a, plain_b, plain_bias;
    for (Index i = 0; i < product.rows; ++i) {
      for (Index k = 0; k < product.depth; ++k) {
        plain_a.push_back(f(a[at(i * product.a_row_stride + k * product.a_depth_stride)]));
      }
    }
    for (Index k = 0; k < product.depth; ++k) {
      for (Index j = 0; j < product.columns; ++j) plain_b.push_back(f(b[at(k * product.b_stride + j)]));
    }
    for (const T value : bias) plain_bias.push_back(f(value));
    const auto sum =
        reference::linear(product.rows, product.depth, product.columns, plain_a, plain_b, plain_bias);
    return spread(sum, f);
  }

  // C as it lies in memory: what is between the rows keeps its start.
  template <class F>
  std::vector<double> spread(const std::vector<double>& sum, const F& f) const {
    std::vector<double> result;
    for (const T value : start) result.push_back(f(value));
    for (Index i = 0; i < product.rows; ++i) {
      for (Index j = 0; j < product.columns; ++j) {
        const std::size_t place = at(i * product.c_stride + j);
        const double scaled = sum[at(i * product.columns + j)] * (factor.empty() ? 1.0 : f(factor[place]));
        result[place] = (product.accumulate ? result[place] : 0.0) + scaled;
      }
    }
    return result;
  }
};

template <class T>
class ProductTest : public ::testing::Test {};
TYPED_TEST_SUITE(ProductTest, test::Scalars);

TYPED_TEST(ProductTest, AgreesWithItsTwin) {
  test::on_every_case([](Draw& draw) {
    ProductCase<TypeParam> c(draw);
    Guarded<TypeParam> out(c.start, draw.coin());
    c.product.c = out.data();
    multiply(c.product);
    const auto wanted = c.plain_result([](TypeParam v) { return static_cast<double>(v); });
    const auto scale = c.plain_result([](TypeParam v) { return std::abs(static_cast<double>(v)); });
    test::expect_close(out, wanted, scale);
  });
}

// Bit for bit: threads may share the rows, or the columns, in any way.
TYPED_TEST(ProductTest, DoesNotDependOnHowRowsAndColumnsAreSplit) {
  test::on_every_case([](Draw& draw) {
    ProductCase<TypeParam> c(draw);
    Guarded<TypeParam> whole(c.start, true);
    Guarded<TypeParam> parts(c.start, true);
    c.product.c = whole.data();
    multiply(c.product);
    const Index row = draw.between(0, c.product.rows);
    const Index column = draw.between(0, c.product.columns);
    for (const auto& [first_row, last_row] : {std::pair(Index(0), row), std::pair(row, c.product.rows)}) {
      for (const auto& [first, last] : {std::pair(Index(0), column), std::pair(column, c.product.columns)}) {
        Product<TypeParam> part = c.product;
        part.rows = last_row - first_row;
        part.columns = last - first;
        if (part.rows == 0 || part.columns == 0) continue;
        part.a += first_row * part.a_row_stride;
        if (part.depth > 0) part.b += first;
        if (part.bias) part.bias += first;
        if (part.factor) part.factor += first_row * part.c_stride + first;
        part.c = parts.data() + first_row * part.c_stride + first;
        multiply(part);
      }
    }
    ASSERT_EQ(whole.values(), parts.values());
  });
}

// What the network must never hide.
TYPED_TEST(ProductTest, CarriesNaN) {
  test::on_every_target([] {
    const std::vector<TypeParam> a = {1, std::numeric_limits<TypeParam>::quiet_NaN()};
    const std::vector<TypeParam> b(2 * 5, TypeParam(0));
    Guarded<TypeParam> out(5, false);
    multiply(Product<TypeParam>{1, 5, 2, a.data(), 2, 1, b.data(), 5, out.data(), 5});
    for (Index j = 0; j < 5; ++j) EXPECT_TRUE(std::isnan(out[j]));
  });
}

}  // namespace
}  // namespace nouq
