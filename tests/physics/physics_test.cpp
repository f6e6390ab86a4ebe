// Laws and bounds of a user's own data: every kind of axis, one and two dimensions in space, and what a
// surrogate keeps of them.
#include "physics/physics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "conserve/quadrature.h"
#include "metrics/metric.h"
#include "physics/evaluation.h"
#include "support/message.h"

namespace nouq {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<double> period(Index n) {
  std::vector<double> points = linspace(0, 2, n + 1);
  points.pop_back();
  return points;
}

// An axis from 0 to 2 of every kind.
Axis axis_of(const std::string& name, AxisKind kind, Index n) {
  return {name, "", kind == AxisKind::periodic ? period(n) : evenly_spaced(kind, 0, 2, n), kind};
}

// Ones of several samples, with or without time.
DataSet ones(const Grid& grid, Index samples = 2, Index channels = 1) {
  DataSet data;
  data.grid = grid;
  Shape shape = shape_of(grid);
  shape.insert(shape.begin(), samples);
  shape.push_back(channels);
  data.inputs = Array<float>(shape, 1.0F);
  data.outputs = Array<float>(shape, 1.0F);
  for (Index c = 0; c < channels; ++c) data.input_channels.push_back({"a", ""});
  data.output_channels = std::vector<Channel>(data.input_channels.size(), {"u", ""});
  return data;
}

Prediction certain(const DataSet& data, double offset) {
  Prediction p{truth_of(data), Array<double>(data.outputs.shape(), 0.01), {}};
  for (double& u : p.mean) u += offset;
  return p;
}

// The integral of 1 over [0, 2] is 2, whatever the axis; the wrong rule misses half a cell or a whole one.
TEST(Physics, EveryKindOfAxisHasItsRule) {
  for (const AxisKind kind : {AxisKind::points, AxisKind::cells, AxisKind::periodic}) {
    DataSet data = ones({axis_of("x", kind, 9), {"t", "", linspace(0, 1, 4)}});
    data.constraint_values["mass"] = Array<double>({2, 4}, 2.0);
    validate(data, name(kind));
    for (const double miss : law_noise(data)) EXPECT_LT(miss, 1e-28) << name(kind);
    if (kind == AxisKind::points) continue;
    data.grid[0].kind = AxisKind::points;
    for (const double miss : law_noise(data)) EXPECT_GT(miss, 0.04) << name(kind);
  }
}

// A law over x and y at every time, and one over x and y of a steady field: an offset of 0.25 on a domain of
// volume one.
TEST(Physics, LawsOverTwoAxesReportTheirConservationError) {
  for (const AxisKind kind : {AxisKind::points, AxisKind::cells, AxisKind::periodic}) {
    DataSet data = ones({axis_of("x", kind, 6), axis_of("y", kind, 5), {"t", "", linspace(0, 1, 3)}});
    data.constraint_values["mass"] = Array<double>({2, 3}, 4.0);
    Surrogate surrogate;
    surrogate.grid = data.grid;
    const auto error = [&](double offset) {
      return evaluate(surrogate, data, certain(data, offset), {}, {"conservation_error"})
          .metric("conservation_error");
    };
    EXPECT_LT(error(0), 1e-13) << name(kind);
    EXPECT_NEAR(error(0.25), 3 * 0.25, 1e-13) << name(kind);
    data = ones({axis_of("x", kind, 6), axis_of("y", kind, 5)});
    data.constraint_values["heat"] = Array<double>({2, 1}, 4.0);
    data.laws["heat"] = {{"x", "y"}, 0};
    validate(data, "steady");
    surrogate.grid = data.grid;
    EXPECT_LT(error(0), 1e-13) << name(kind);
    EXPECT_NEAR(error(0.25), 0.25, 1e-13) << name(kind);
    const Prediction after =
        project({ProjectionKind::diagonal, 0.0, 1}, surrogate, data, certain(data, 0.25));
    EXPECT_LT(evaluate(surrogate, data, after, {}, {"conservation_error"}).metric("conservation_error"),
              1e-12);
  }
}

// Rows of a law and weights along x are the same sums in the same order.
TEST(Physics, TheErrorOfRowsIsThatOfWeightsToTheLastBit) {
  DataSet data = ones({{"x", "", {0, 0.1, 0.35, 0.8, 1.7}}, {"t", "", linspace(0, 1, 4)}});
  data.constraint_values["mass"] = Array<double>({2, 4}, 0.3);
  Prediction p = certain(data, 0);
  for (Index i = 0; i < p.mean.size(); ++i) p.mean[i] = std::sin(1.0 + static_cast<double>(i));
  Axis unit = data.grid[0];
  for (double& place : unit.coordinates) place /= 1.7;
  const std::vector<double> weights = quadrature_weights(Quadrature::automatic, unit);
  const Array<double> mass({2, 4}, 0.3 / 1.7), truth = truth_of(data);
  const double expected =
      metrics::conservation_error({p.mean.view(), {}, truth.view(), {weights, mass.view()}}).value;
  Surrogate surrogate;
  surrogate.grid = data.grid;
  EXPECT_EQ(evaluate(surrogate, data, p, {}, {"conservation_error"}).metric("conservation_error"), expected);
}

TEST(Physics, AUsersOwnBoundsAreKeptPerChannel) {
  DataSet data = ones({axis_of("x", AxisKind::cells, 4), {"t", "", linspace(0, 1, 2)}}, 2, 2);
  data.bounds = {{0, infinite}, {-infinite, 0.5}};
  const Physics physics = physics_of(data);
  ASSERT_TRUE(physics.has_bounds());
  EXPECT_FALSE(physics.has_law());
  Surrogate surrogate;
  surrogate.grid = data.grid;
  surrogate.output_channels = data.output_channels;
  const Prediction after =
      project({ProjectionKind::bounded, {}, 1}, surrogate, data, certain(data, -1.5));  // -0.5 everywhere
  for (Index i = 0; i < after.mean.size(); ++i) EXPECT_EQ(after.mean[i], i % 2 == 0 ? 0.0 : -0.5);
  const Prediction high = project({ProjectionKind::bounded, {}, 1}, surrogate, data, certain(data, 0.0));
  for (Index i = 0; i < high.mean.size(); ++i) EXPECT_EQ(high.mean[i], i % 2 == 0 ? 1.0 : 0.5);
}

// Data that say nothing of their physics are projected as the training data would have been.
TEST(Physics, ASurrogateKnowsWhatItsTrainingDataKnew) {
  DataSet training = ones({axis_of("x", AxisKind::cells, 4), {"t", "", linspace(0, 1, 3)}});
  training.constraint_values["heat"] = Array<double>({2, 3}, 2.0);
  training.laws["heat"] = {{"x"}, 0};
  training.bounds = {{0.5, 2}};
  Surrogate surrogate;
  surrogate.grid = training.grid;
  surrogate.output_channels = training.output_channels;
  surrogate.laws = training.laws;
  surrogate.bounds = training.bounds;
  surrogate.state["law.noise"] = law_noise(training);
  EXPECT_EQ(laws_of(surrogate), training.laws);
  DataSet silent = training;
  silent.laws.clear();
  silent.bounds.clear();
  EXPECT_FALSE(physics_of(silent).has_law());
  const Physics known = physics_of(surrogate, silent), own = physics_of(training);
  EXPECT_EQ(known.constraints.names, own.constraints.names);
  EXPECT_EQ(known.bounds.lower, own.bounds.lower);
  EXPECT_EQ(known.bounds.upper, own.bounds.upper);
  silent.constraint_values.clear();
  EXPECT_FALSE(physics_of(surrogate, silent).has_law()) << "a law without values";
}

// Older models name no law, but those that keep how strictly one holds were trained on data with a mass.
TEST(Physics, AModelWithANoiseOfItsLawHasTheLawOfMass) {
  Surrogate surrogate;
  surrogate.grid = {axis_of("x", AxisKind::points, 4), {"t", "", linspace(0, 1, 3)}};
  EXPECT_TRUE(laws_of(surrogate).empty());
  surrogate.state["law.noise"] = Array<double>({3}, 1e-4);
  EXPECT_EQ(laws_of(surrogate), (Laws{{"mass", {{"x"}, 0}}}));
  EXPECT_EQ(law_noise_of(surrogate).size(), 3);
}

TEST(Projection, SettingsThatContradictEachOtherAreRefused) {
  const DataSet data = ones({axis_of("x", AxisKind::points, 4)});
  const FieldLayout layout{data.grid, 1};
  LinearConstraints none;
  none.points = 4;
  Prediction p = certain(data, 0);
  const auto refusal = [&](const ProjectionSettings& settings, const Inequalities& bounds) {
    return test::message_of([&] {
      project(settings, none, bounds, layout, {p.mean.view(), p.variance.view(), {}},
              {p.mean.view(), p.variance.view(), {}});
    });
  };
  const Inequalities bounds{Array<double>({1, 4}, 0.0), {}, {}};
  EXPECT_EQ(refusal({.diagonal_share = 0.5}, bounds),
            "diagonal share 0.5: bounds need 1, the diagonal covariance");
  EXPECT_EQ(refusal({.smooth = Smoothing{"x", 0.5}}, bounds), "a smoothing projection cannot keep to bounds");
  EXPECT_EQ(refusal({.fixed_variance = true}, {}), "a fixed variance is for bounded projections");
  EXPECT_EQ(refusal({.sigma_power = 1, .smooth = Smoothing{"x", 0.5}}, {}),
            "sigma power 1 has no meaning in a smoothing projection");
}

TEST(Physics, OfABuiltInProblemAtItsParameters) {
  const auto heat = make_problem("heat");
  const Physics all = physics_of(*heat, heat->default_grid(), {1, 2});
  EXPECT_EQ(all.constraints.rows(), 20);
  EXPECT_EQ(all.constraints.right_hand_sides.shape(), (Shape{2, 20}));
  EXPECT_EQ(all.bounds.lower[0], -1);
  EXPECT_FALSE(physics_of(*heat, heat->default_grid(), {1}, false).has_bounds());
  const auto darcy = make_problem("darcy");
  EXPECT_FALSE(physics_of(*darcy, darcy->default_grid(), {1}).has_law());
  EXPECT_EQ(test::message_of([&] { (void)physics_of(*heat, heat->default_grid(), {}); }),
            "the law of problem heat needs at least one parameter");
}

}  // namespace
}  // namespace nouq
