#include "kernels/rows.h"

#include "kernels/reference.h"
#include "kernels/support.h"

namespace nouq {
namespace {

using test::at;
using test::Draw;
using test::Guarded;

template <class T>
class RowsTest : public ::testing::Test {};
TYPED_TEST_SUITE(RowsTest, test::Scalars);

TYPED_TEST(RowsTest, FoldAgreesWithItsTwin) {
  test::on_every_case([](Draw& draw) {
    const Index length = draw.axis_length();
    const Index points = draw.coin() ? length : draw.between(0, length);
    const Index columns = draw.width();
    const Index stride = columns + draw.pick({0, 0, 1, 10});
    const auto in = draw.values<TypeParam>(points == 0 ? 0 : (points - 1) * stride + columns);
    Guarded<TypeParam> even((length / 2 + 1) * columns, draw.coin());
    Guarded<TypeParam> odd(even.size(), draw.coin());
    fold(in.data(), length, points, columns, stride, even.data(), odd.data());
    const auto wanted = reference::fold(length, points, columns, stride, test::widened(in));
    const auto scale = reference::fold(length, points, columns, stride, test::magnitudes(in));
    test::expect_close(even, wanted.even, scale.even);
    test::expect_close(odd, wanted.odd, scale.even);
  });
}

TYPED_TEST(RowsTest, AddRowsAgreesWithItsTwin) {
  test::on_every_case([](Draw& draw) {
    const Index rows = draw.between(0, 60);
    const Index columns = draw.width();
    const auto in = draw.values<TypeParam>(rows * columns);
    const auto start = draw.values<TypeParam>(columns);
    Guarded<TypeParam> sum(start, draw.coin());
    add_rows(in.data(), rows, columns, sum.data());
    auto wanted = reference::column_sums(rows, columns, test::widened(in));
    auto scale = reference::column_sums(rows, columns, test::magnitudes(in));
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      wanted[j] += start[j];
      scale[j] += std::abs(start[j]);
    }
    test::expect_close(sum, wanted, scale);
  });
}

// One rounding per element: exact, also when the result overwrites an operand.
TYPED_TEST(RowsTest, ElementsAreMultipliedAndAddedExactly) {
  test::on_every_case([](Draw& draw) {
    const Index count = draw.coin() ? draw.width() : draw.between(0, 300);
    const auto a = draw.values<TypeParam>(count);
    const auto b = draw.values<TypeParam>(count);
    Guarded<TypeParam> product(count, draw.coin());
    Guarded<TypeParam> in_place(b, draw.coin());
    Guarded<TypeParam> sum(b, draw.coin());
    multiply_elements(a.data(), b.data(), count, product.data());
    multiply_elements(a.data(), in_place.data(), count, in_place.data());
    add_elements(a.data(), count, sum.data());
    ASSERT_TRUE(product.bands_intact() && in_place.bands_intact() && sum.bands_intact());
    for (Index i = 0; i < count; ++i) {
      ASSERT_EQ(product[i], a[at(i)] * b[at(i)]);
      ASSERT_EQ(in_place[i], a[at(i)] * b[at(i)]);
      ASSERT_EQ(sum[i], a[at(i)] + b[at(i)]);
    }
  });
}

TYPED_TEST(RowsTest, DotAgreesWithItsTwin) {
  test::on_every_case([](Draw& draw) {
    const Index count = draw.coin() ? draw.width() : draw.between(0, 300);
    const auto a = draw.values<TypeParam>(count);
    const auto b = draw.values<TypeParam>(count);
    const double wanted = reference::dot(test::widened(a), test::widened(b));
    const double scale = reference::dot(test::magnitudes(a), test::magnitudes(b));
    ASSERT_LE(std::abs(dot(a.data(), b.data(), count) - wanted), test::tolerance<TypeParam> * scale);
  });
}

TYPED_TEST(RowsTest, DotsAreTheBitsOfDot) {
  test::on_every_case([](Draw& draw) {
    const Index count = draw.width(), rows = draw.between(0, 5), columns = draw.between(1, 11);
    const auto a = draw.values<TypeParam>(rows * count);
    const auto b = draw.values<TypeParam>(columns * count);
    std::vector<TypeParam> out(test::at(rows * columns));
    dots(a.data(), rows, b.data(), columns, count, out.data());
    for (Index r = 0; r < rows; ++r) {
      for (Index j = 0; j < columns; ++j)
        ASSERT_EQ(out[test::at(r * columns + j)], dot(a.data() + r * count, b.data() + j * count, count));
    }
  });
}

// One bad value at any place, in whole vectors and behind them.
TYPED_TEST(RowsTest, ABadValueIsFoundWhereverItIs) {
  using Limits = std::numeric_limits<TypeParam>;
  test::on_every_case([](Draw& draw) {
    const Index count = draw.between(1, 150);
    std::vector<TypeParam> values(at(count));
    for (TypeParam& value : values) value = static_cast<TypeParam>(draw.between(0, 3));
    ASSERT_TRUE(all_finite_from(TypeParam(0), values.data(), count));
    TypeParam& one = values[at(draw.between(0, count - 1))];
    for (const TypeParam bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
      one = bad;
      ASSERT_FALSE(all_finite_from(Limits::lowest(), values.data(), count)) << bad;
      ASSERT_FALSE(all_finite_from(TypeParam(0), values.data(), count)) << bad;
    }
    one = -Limits::denorm_min();
    ASSERT_FALSE(all_finite_from(TypeParam(0), values.data(), count));
    ASSERT_TRUE(all_finite_from(Limits::lowest(), values.data(), count));
    one = Limits::max();
    ASSERT_TRUE(all_finite_from(TypeParam(0), values.data(), count));
  });
  EXPECT_TRUE(all_finite_from<TypeParam>(0, nullptr, 0));
}

// A random table: output rows in descending order, with no, one and several terms.
RowTable<double> random_table(Draw& draw, Index in_majors, Index in_minors, Index out_minors) {
  RowTable<double> table;
  table.first_term.push_back(0);
  const Index rows = draw.between(0, 12);
  const auto narrow = [](Index i) { return static_cast<std::int32_t>(i); };
  for (Index r = rows - 1; r >= 0; --r) {
    table.out.push_back({narrow(r / out_minors), narrow(r % out_minors), 0});
    const Index terms = draw.between(0, 4);
    for (Index t = 0; t < terms; ++t) {
      // Exactly representable in float, so that both sides use the same weight.
      table.terms.push_back({narrow(draw.between(0, in_majors - 1)), narrow(draw.between(0, in_minors - 1)),
                             static_cast<double>(draw.between(-8, 8)) / 4});
    }
    table.first_term.push_back(std::ssize(table.terms));
  }
  return table;
}

template <class T>
RowTable<T> rounded(const RowTable<double>& table) {
  RowTable<T> result;
  result.first_term = table.first_term;
  for (const auto& row : table.out) result.out.push_back({row.major, row.minor, T(0)});
  for (const auto& term : table.terms)
    result.terms.push_back({term.major, term.minor, static_cast<T>(term.weight)});
  return result;
}

TYPED_TEST(RowsTest, GatherAgreesWithItsTwinAndLeavesTheRestAlone) {
  test::on_every_case([](Draw& draw) {
    const Index columns = draw.width();
    const Index in_majors = draw.between(1, 5), in_minors = draw.between(1, 2),
                out_minors = draw.between(1, 2);
    const RowStrides in_strides{in_minors * columns, columns};
    const Index gap = columns + draw.pick({0, 1, 5});
    const RowStrides out_strides{out_minors * gap, gap};
    const auto in = draw.values<TypeParam>(columns * in_majors * in_minors);
    RowTable<double> table = random_table(draw, in_majors, in_minors, out_minors);
    const auto rows = std::ssize(table.out);
    const auto start = draw.values<TypeParam>(rows == 0 ? 0 : (rows - 1) * gap + columns);
    Guarded<TypeParam> out(start, draw.coin());
    gather_rows(rounded<TypeParam>(table), in.data(), in_strides, columns, out.data(), out_strides);
    auto wanted = test::widened(start);
    auto scale = test::magnitudes(start);
    reference::gather_rows(table, test::widened(in), in_strides, columns, wanted, out_strides);
    for (auto& term : table.terms) term.weight = std::abs(term.weight);
    reference::gather_rows(table, test::magnitudes(in), in_strides, columns, scale, out_strides);
    test::expect_close(out, wanted, scale);
  });
}

}  // namespace
}  // namespace nouq
