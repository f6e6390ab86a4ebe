// Quadrature, the kinds of constraints, and constraints from text.
#include <cmath>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "conserve/constraint_file.h"
#include "conserve/constraint_kinds.h"
#include "conserve/projection.h"
#include "conserve/small_case.h"
#include "support/message.h"

namespace nouq {
namespace {

using test::message_of;

double apply(const std::vector<double>& weights, const std::vector<double>& x,
             const std::function<double(double)>& f) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += weights[i] * f(x[i]);
  return sum;
}

TEST(Quadrature, ExactForWhatTheRulesPromise) {
  for (const std::vector<double>& x :
       {std::vector<double>{0, 0.1, 0.5, 0.6, 1}, std::vector<double>{0, 0.2, 0.3, 1}, linspace(0, 1, 7)}) {
    const auto line = [](double at) { return 3 * at - 1; };
    const auto parabola = [](double at) { return at * at - 0.5 * at; };
    EXPECT_NEAR(apply(trapezoid_weights(x), x, line), 0.5, 1e-15);
    EXPECT_NEAR(apply(simpson_weights(x), x, line), 0.5, 1e-14);
    EXPECT_NEAR(apply(simpson_weights(x), x, parabola), 1.0 / 3 - 0.25, 1e-14);
    EXPECT_GT(std::abs(apply(trapezoid_weights(x), x, parabola) - (1.0 / 3 - 0.25)), 1e-3);
  }
  EXPECT_EQ(midpoint_weights(std::vector<double>{1, 2, 4}), (std::vector<double>{1, 1.5, 2}));
  EXPECT_EQ(quadrature_weights(quadrature_from_name("midpoint"), {"x", "", linspace(0, 3, 4)}),
            (std::vector<double>(4, 1.0)));
  EXPECT_NE(message_of([] { (void)quadrature_from_name("simson"); }).find("did you mean 'simpson'"),
            std::string::npos);
  EXPECT_THROW((void)simpson_weights(std::vector<double>{0, 1}), Error);
  EXPECT_THROW((void)midpoint_weights(std::vector<double>{0, 2, 1}), Error);
}

// A field u(x, y, t) = (1 + x) (2 + y) (3 + t) on an uneven grid with two channels, the second all zero.
struct Product {
  Product() {
    layout.grid = {{"x", "", {0, 0.5, 1}}, {"y", "", {0, 0.25, 1}}, {"t", "", {0, 1}}};
    layout.channels = 2;
    for (const double x : layout.grid[0].coordinates)
      for (const double y : layout.grid[1].coordinates)
        for (const double t : layout.grid[2].coordinates) {
          field.push_back((1 + x) * (2 + y) * (3 + t));
          field.push_back(0);
        }
  }
  [[nodiscard]] std::vector<double> residuals(const LinearConstraints& rows) const {
    std::vector<double> result(rows.rows());
    evaluate_residuals<double>(rows, 0, field, result);
    return result;
  }
  FieldLayout layout;
  std::vector<double> field;
};

TEST(Kinds, IntegralsOverAnyAxes) {
  const Product p;
  const auto per_time =
      integral_constraints(p.layout, {"x", "y"}, Quadrature::trapezoid, Array<double>({1, 2}, 1.0));
  EXPECT_EQ(per_time.names[1], "integral over x, y at t = 1");
  EXPECT_NEAR(p.residuals(per_time)[0], 1.5 * 2.5 * 3 - 1, 1e-14);
  EXPECT_NEAR(p.residuals(per_time)[1], 1.5 * 2.5 * 4 - 1, 1e-14);
  const auto along_y = integral_constraints(p.layout, {"y"}, Quadrature::simpson, Array<double>({1, 6}, 0.0));
  EXPECT_EQ(along_y.names[3], "integral over y at x = 0.5, t = 1");
  EXPECT_NEAR(p.residuals(along_y)[3], 1.5 * 2.5 * 4, 1e-14);
  const auto whole =
      integral_constraints(p.layout, {"t", "y", "x"}, Quadrature::trapezoid, Array<double>({1}, 2.0));
  ASSERT_EQ(whole.rows(), 1);
  EXPECT_NEAR(p.residuals(whole)[0], 1.5 * 2.5 * 3.5 - 2, 1e-13);
  const auto other =
      integral_constraints(p.layout, {"x", "y"}, Quadrature::trapezoid, Array<double>({1, 2}, 0.0), 1);
  EXPECT_EQ(p.residuals(other), (std::vector<double>{0, 0}));
  EXPECT_THROW((void)integral_constraints(p.layout, {"x", "x"}, Quadrature::trapezoid, Array<double>({1, 2})),
               Error);
  EXPECT_THROW((void)integral_constraints(p.layout, {"x"}, Quadrature::trapezoid, Array<double>({1, 2}), 2),
               Error);
  EXPECT_THROW((void)integral_constraints(p.layout, {"x"}, Quadrature::trapezoid, Array<double>({1, 5})),
               Error);
}

TEST(Kinds, BoundaryAndPoints) {
  const Product p;
  const auto high = boundary_constraints(p.layout, "x", Side::high, Array<double>({1, 6}, 1.0));
  EXPECT_EQ(high.names[2], "value at x = 1 at y = 0.25, t = 0");
  EXPECT_NEAR(p.residuals(high)[2], 2 * 2.25 * 3 - 1, 1e-14);
  const Array<double> at({2, 3}, std::vector<double>{0.5, 1, 0, 1, 0.25, 1});
  const auto points =
      point_constraints(p.layout, at.view(), Array<double>({1, 2}, std::vector<double>{1, 2}));
  EXPECT_NEAR(p.residuals(points)[0], 1.5 * 3 * 3 - 1, 1e-14);
  EXPECT_NEAR(p.residuals(points)[1], 2 * 2.25 * 4 - 2, 1e-14);
  const Array<double> off({1, 3}, std::vector<double>{0.4, 1, 0});
  EXPECT_EQ(message_of([&] {
              (void)point_constraints(p.layout, off.view(), Array<double>({1, 1}));
            }),
            "known point at x = 0.4 is not on the grid; the nearest grid point is at 0.5");
}

// u = a + b x + c t moves with u_t + F_x = 0 for F = -c x: linear, so both trapezoid rules are exact.
TEST(Kinds, LocalBalanceHoldsForAFieldThatObeysIt) {
  const FieldLayout layout{{{"x", "", {0, 0.2, 0.5, 0.7, 1}}, {"t", "", {0, 0.3, 1}}}, 1};
  const double c = 0.7;
  Array<double> fluxes({1, 3, 3});
  const std::vector<Index> edges = {0, 2, 4};
  for (Index e = 0; e < 3; ++e) {
    const double x = layout.grid[0].coordinates[edges[e]];
    for (Index t = 0; t < 3; ++t) fluxes[e * 3 + t] = 4 - c * x;
  }
  std::vector<double> field;
  for (const double x : layout.grid[0].coordinates)
    for (const double t : layout.grid[1].coordinates) field.push_back(1 + 2 * x + c * t);
  const auto rows = local_balance_constraints(layout, "x", edges, fluxes);
  ASSERT_EQ(rows.rows(), 4);
  EXPECT_EQ(rows.names[1], "balance of x = 0 to 0.5 from t = 0.3 to 1");
  std::vector<double> residuals(4);
  evaluate_residuals<double>(rows, 0, field, residuals);
  for (const double residual : residuals) EXPECT_NEAR(residual, 0, 1e-15);
  field[4 * 3 + 2] += 1;  // the last point belongs to the last block, weight 0.15
  evaluate_residuals<double>(rows, 0, field, residuals);
  EXPECT_NEAR(residuals[3], 0.15, 1e-15);
  EXPECT_NEAR(residuals[1], 0, 1e-15);
}

// The blocks' balances imply the whole one; a contradicting whole is an error that names them.
TEST(Kinds, BalancesStackWithTheMass) {
  const FieldLayout layout = test::small_layout(5, 3);
  const LinearConstraints parts[] = {
      integral_constraints(layout, {"x"}, Quadrature::trapezoid,
                           Array<double>({1, 3}, std::vector<double>{1, 1.5, 2})),
      local_balance_constraints(
          layout, "x", std::vector<Index>{0, 2, 4},
          Array<double>({1, 3, 3}, std::vector<double>{1, 1, 1, 0.4, 0.4, 0.4, 0, 0, 0}))};
  const LinearConstraints all = stack(parts);
  EXPECT_EQ(all.rows(), 7);
  EXPECT_EQ(Projector(all, layout, {}).constraints().rows(), 5);  // two of the balances follow from the rest
  LinearConstraints wrong = all;
  wrong.right_hand_sides[2] = 2.1;
  const std::string message = message_of([&] { Projector(wrong, layout, {}); });
  EXPECT_NE(message.find("contradicts"), std::string::npos) << message;
  EXPECT_NE(message.find("'integral over x at t = 1'"), std::string::npos) << message;
  EXPECT_NE(message.find("'balance of x = 0 to 0.5 from t = 0.5 to 1'"), std::string::npos) << message;
}

TEST(Kinds, SparseMatrix) {
  const std::vector<Index> rows = {0, 1, 0}, points = {2, 0, 1};
  const std::vector<double> weights = {3, 1, -1};
  const auto g =
      sparse_constraints(4, rows, points, weights, Array<double>({1, 2}, std::vector<double>{1, 2}));
  const std::vector<double> field = {5, 6, 7, 8};
  std::vector<double> residuals(2);
  evaluate_residuals<double>(g, 0, field, residuals);
  EXPECT_EQ(residuals, (std::vector<double>{3 * 7 - 6 - 1, 5 - 2}));
  const std::vector<Index> outside = {0, 2, 0}, beyond = {2, 0, 4};
  EXPECT_THROW((void)sparse_constraints(4, outside, points, weights, Array<double>({1, 2})), Error);
  const auto bad = sparse_constraints(4, rows, beyond, weights, Array<double>({1, 2}));
  EXPECT_THROW(validate(bad, 4, 1), Error);
}

TEST(Kinds, EntriesOfOnePointAreOneEntry) {
  const std::vector<Index> rows = {0, 0, 0, 0, 0}, points = {3, 1, 3, 2, 0};
  const std::vector<double> weights = {1, 5, 2, 0, 4};
  const auto g = sparse_constraints(4, rows, points, weights, Array<double>({1, 1}));
  ASSERT_EQ(g.row(0).size(), 3U);
  EXPECT_EQ(g.row(0)[0].point, 0);
  EXPECT_EQ(g.row(0)[1].weight, 5);
  EXPECT_EQ(g.row(0)[2].point, 3);
  EXPECT_EQ(g.row(0)[2].weight, 3);
}

// Values per place must lie as the places do: an axis taken for another would go unnoticed.
TEST(Kinds, ValuesHaveTheShapeOfTheirPlaces) {
  const FieldLayout layout{{{"x", "", {0, 1}}, {"y", "", {0, 1, 2}}, {"t", "", {0, 1}}}, 1};
  const auto integrals = [&](const Shape& shape) {
    return message_of(
        [&] { (void)integral_constraints(layout, {"x"}, Quadrature::trapezoid, Array<double>(shape)); });
  };
  for (const Shape& shape : {Shape{4, 3, 2}, Shape{1, 3, 2}, Shape{4, 6}, Shape{4, 3, 2, 1}, Shape{1}})
    EXPECT_EQ(integrals(shape), "") << to_string(shape);
  EXPECT_NE(integrals({4, 2, 3}).find("values of shape [4, 2, 3], expected one for all, or [4, 3, 2]"),
            std::string::npos)
      << integrals({4, 2, 3});
  EXPECT_NE(integrals({3, 2}), "");
  const auto bounds = [&](const Shape& shape) {
    return message_of([&] { (void)as_bounds(Array<double>(shape), layout, "lower"); });
  };
  for (const Shape& shape : {Shape{2, 3, 2}, Shape{12}, Shape{5, 2, 3, 2}, Shape{5, 12}, Shape{1}})
    EXPECT_EQ(bounds(shape), "") << to_string(shape);
  EXPECT_NE(bounds({2, 2, 3}).find("lower bound of shape [2, 2, 3], expected one value"), std::string::npos);
  EXPECT_NE(bounds({6}), "");
  EXPECT_EQ(as_bounds(Array<double>({5, 2, 3, 2}), layout, "lower").shape(), (Shape{5, 12}));
}

TEST(Kinds, NoiseIsTheMeanSquareResidualOfTheData) {
  LinearConstraints rows;
  rows.points = 2;
  rows.add_row("sum", {{0, 1}, {1, 1}});
  rows.set_right_hand_sides(Array<double>({2, 1}, std::vector<double>{1, 2}));
  const Array<float> fields({2, 2}, std::vector<float>{1, 1, 1, 4});
  EXPECT_EQ(noise_from_fields(rows, fields.view()), (std::vector<double>{(1.0 + 9.0) / 2}));
}

ConstraintContext small_context() {
  ConstraintContext context{test::small_layout(5, 3), {}, 0};
  context.arrays["mass"] = Array<double>({2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6});
  context.arrays["fluxes"] = Array<double>({1, 2, 3}, 0.0);
  context.arrays["sensors"] = Array<double>({1, 2}, std::vector<double>{0.25, 0.5});
  context.arrays["roof"] = Array<double>({5, 3, 1}, 2.0);
  return context;
}

constexpr const char* every_kind = R"(
[[constraint]]
kind = "integral"
axis = "x"
value = "mass"
noise_variance = 1e-9
[[constraint]]
kind = "boundary"
axis = "x"
side = "high"
value = 0
[[constraint]]
kind = "points"
at = "sensors"
value = [0.5]
[[constraint]]
kind = "balance"
axis = "x"
edges = [0, 4]
flux = "fluxes"
[[constraint]]
kind = "sparse"
rows = [0, 0]
points = [0, 14]
weights = [1.0, -1.0]
value = 0
[[constraint]]
kind = "bounds"
lower = 0
upper = "roof"
[[constraint]]
kind = "monotone"
axis = "x"
direction = "decreasing"
)";

TEST(ConstraintFile, EveryKindCanBeWritten) {
  const ConstraintSet set = parse_constraints(every_kind, "mine.toml", small_context());
  EXPECT_EQ(set.equalities.rows(), 3 + 3 + 1 + 2 + 1);
  EXPECT_EQ(set.equalities.right_hand_sides.shape(), (Shape{2, 10}));
  EXPECT_EQ(set.equalities.right_hand_side(1)[2], 6);
  EXPECT_EQ(set.equalities.right_hand_side(1)[6], 0.5);
  EXPECT_EQ(set.equalities.noise_variance[0], 1e-9);
  EXPECT_EQ(set.equalities.noise_variance[3], 0);
  EXPECT_EQ(set.inequalities.lower, Array<double>({1, 15}, 0.0));
  EXPECT_EQ(set.inequalities.upper, Array<double>({1, 15}, 2.0));
  EXPECT_EQ(set.inequalities.monotone->direction, Direction::decreasing);
  for (const ConstraintKind& kind : all_constraint_kinds())
    EXPECT_NE(std::string(every_kind).find(std::string("\"") + kind.name + "\""), std::string::npos)
        << kind.name;
}

TEST(ConstraintFile, MistakesAreNamed) {
  const auto message = [](const std::string& text) {
    return message_of([&] { (void)parse_constraints(text, "f.toml", small_context()); });
  };
  const std::string head = "[[constraint]]\n";
  const auto expect = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(message(text).find(part), std::string::npos) << text << "\n" << message(text);
  };
  expect("x = [", "f.toml:1: ");
  expect("", "no [[constraint]]");
  expect("[other]\n", "unknown entry 'other'");
  expect(head + "axis = 'x'\n", "f.toml, constraint 1: it has no kind");
  expect(head + "kind = 'integal'\n", "did you mean 'integral'");
  expect(head + "kind = 'integral'\naxis = 'z'\nvalue = 0\n", "unknown axis 'z'; did you mean 'x'");
  expect(head + "kind = 'integral'\naxis = 'x'\nvalue = 'mas'\n", "unknown array 'mas'; did you mean 'mass'");
  expect(head + "kind = 'integral'\naxis = 'x'\nvalues = 1\n",
         "unknown setting of constraint integral 'values'");
  expect(head + "kind = 'integral'\naxis = 3\nvalue = 1\n", "axis is of the wrong type");
  expect(head + "kind = 'integral'\naxis = 'x'\n", "value is missing");
  expect(head + "kind = 'integral'\naxis = 'x'\nvalue = 1\nnoise_variance = -1\n", "noise variance -1");
  expect(head + "kind = 'integral'\naxis = 'x'\nvalue = 1\nnoise_variance = [1, 2]\n",
         "noise variance of shape [1, 2], expected one number, or one for each of its 3 rows");
  expect(head + "kind = 'boundary'\naxis = 'x'\nside = 'left'\nvalue = 1\n", "unknown side 'left'");
  expect(head + "kind = 'bounds'\n", "neither lower nor upper");
  expect(head + "kind = 'bounds'\nlower = true\n", "lower is neither a number nor a text");
  expect(head + "kind = 'integral'\naxis = 'x'\nvalue = [1, 'a']\n", "value mixes numbers and texts");
  expect(head + "kind = 'balance'\naxis = 'x'\nedges = [0.5]\nflux = 'fluxes'\n", "edges has the entry 0.5");
}

TEST(Inequalities, AreCheckedAndTightened) {
  const FieldLayout layout = test::small_layout(2, 1);
  Inequalities limits;
  tighten(limits, Array<double>({1, 2}, 0.0), {});
  tighten(limits, Array<double>({2, 2}, std::vector<double>{-1, 1, 2, -2}), Array<double>({1, 2}, 1.5));
  EXPECT_EQ(limits.lower, Array<double>({2, 2}, std::vector<double>{0, 1, 2, 0}));
  EXPECT_EQ(message_of([&] { validate(limits, layout, 2); }),
            "sample 1, point 0: the lower bound 2 is above the upper bound 1.5");
  limits.lower[2] = 1;
  validate(limits, layout, 2);
  EXPECT_THROW(validate(limits, layout, 3), Error);
  add_monotone(limits, {"x", Direction::increasing});
  EXPECT_NE(message_of([&] { validate(limits, layout, 2); }).find("bounds change along axis x"),
            std::string::npos);
  EXPECT_THROW(add_monotone(limits, {"t", Direction::increasing}), Error);
}

}  // namespace
}  // namespace nouq
