// Projection and metrics through C: the numbers of the library itself.
#include <array>
#include <cmath>

#include <nouq/project.h>

#include "api/model_case.h"
#include "conserve/constraint_kinds.h"
#include "conserve/projection.h"
#include "metrics/metric.h"

namespace nouq {
namespace {

using test::LoadedCase;

struct ProjectCase : LoadedCase {
  ProjectCase() : LoadedCase("b_diverse"), values({20}) {
    for (Index t = 0; t < 20; ++t) values[t] = 0.5 + 0.01 * static_cast<double>(t);
  }
  Array<double> values;  // of the integral over x, at every t
};

TEST(Project, MeetsTheIntegralInCWithTheNumbersOfTheLibrary) {
  const ProjectCase c;
  Array<double> mean = c.expected.mean, deviation = c.deviation;
  const nouq_array values = test::row_major(c.values), m = test::row_major(mean),
                   d = test::row_major(deviation);
  nouq_constraints law = 0;
  ASSERT_EQ(nouq_integral(c.handle, "x", "trapezoid", 0, 0, &values, &law), NOUQ_OK) << nouq_last_error();
  const nouq_fields fields = {&m, &d, nullptr};
  ASSERT_EQ(nouq_project(law, &fields, &fields, 1, nullptr), NOUQ_OK) << nouq_last_error();
  EXPECT_EQ(nouq_free_constraints(law), NOUQ_OK);

  const FieldLayout layout{c.surrogate.grid, 1};
  const auto rows = integral_constraints(layout, {"x"}, Quadrature::trapezoid,
                                         {{1, 20}, {c.values.begin(), c.values.end()}});
  Projector projector(rows, layout, {});
  Array<double> own_mean = c.expected.mean, own_variance = c.deviation;
  for (double& value : own_variance) value *= value;
  projector.project({own_mean.view(), own_variance.view(), {}}, {own_mean.view(), own_variance.view(), {}});
  EXPECT_EQ(mean, own_mean);
  for (Index i = 0; i < mean.size(); ++i) ASSERT_EQ(deviation[i], std::sqrt(own_variance[i]));
  EXPECT_LT(largest_residual(rows, 0, mean.data()), 1e-12);
}

// Three values with weights 1/4, 1/2, 1/4 and equal deviations: the first sits at its bound, the others share
// the rest.
TEST(Project, WithinBoundsByHand) {
  const std::array<std::int64_t, 3> row = {0, 0, 0}, point = {0, 1, 2};
  const std::array<double, 3> weight = {0.25, 0.5, 0.25};
  const std::array<double, 1> value = {0.25};
  const Constraints law = Constraints::sparse(3, row, point, weight, Input(value.data(), {1}));
  std::array<double, 3> mean = {-0.2, 0.2, 0.9}, deviation = {0.1, 0.1, 0.1};
  ProjectOptions options;
  options.lower = 0;
  project(law, {{mean.data(), {3}}, {deviation.data(), {3}}, {}},
          {{mean.data(), {3}}, {deviation.data(), {3}}, {}}, options);
  EXPECT_NEAR(mean[0], 0, 0);
  EXPECT_NEAR(mean[1], 0.08, 1e-14);
  EXPECT_NEAR(mean[2], 0.84, 1e-14);
  EXPECT_NEAR(deviation[1], std::hypot(0.1, 0.12), 1e-14);  // its own and how far it was moved
  options.diagonal_share = 0.5;
  EXPECT_THROW(project(law, {{mean.data(), {3}}, {deviation.data(), {3}}, {}}, {}, options), Error);
}

TEST(Project, WithinBoundsInC) {
  const ProjectCase c;
  Array<double> mean = c.expected.mean, deviation = c.deviation;
  const nouq_array values = test::row_major(c.values), m = test::row_major(mean),
                   d = test::row_major(deviation);
  nouq_constraints law = 0;
  ASSERT_EQ(nouq_integral(c.handle, "x", "trapezoid", 0, 0, &values, &law), NOUQ_OK) << nouq_last_error();
  const nouq_fields fields = {&m, &d, nullptr};
  ASSERT_EQ(nouq_project_within(law, &fields, &fields, 0, INFINITY), NOUQ_OK) << nouq_last_error();
  for (const double u : mean) EXPECT_GE(u, 0);
  EXPECT_EQ(nouq_project_within(law, &fields, &fields, 1, 0), NOUQ_BAD_REQUEST)
      << "a lower bound above the upper one";
  EXPECT_EQ(nouq_project_within(law, &fields, &fields, 2, INFINITY), NOUQ_BAD_REQUEST)
      << "no field this high has this integral";
  EXPECT_EQ(nouq_free_constraints(law), NOUQ_OK);
}

TEST(Project, SparseRowsPinAPointOfOneField) {
  const ProjectCase c;
  std::vector<double> mean(c.expected.mean.begin(), c.expected.mean.begin() + 2000), deviation(2000, 0.1);
  const std::array<std::int64_t, 1> row = {0}, point = {45};
  const std::array<double, 1> weight = {2.0}, value = {3.0};
  const Constraints law = Constraints::sparse(2000, row, point, weight, Input(value.data(), {1}));
  EXPECT_EQ(law.rows(), 1);
  project(law, {{mean.data(), {100, 20}}, {deviation.data(), {100, 20}}, {}},
          {{mean.data(), {100, 20}}, {deviation.data(), {100, 20}}, {}});
  EXPECT_NEAR(mean[45], 1.5, 1e-12);
  EXPECT_NEAR(deviation[45], 0.0, 1e-9);
  EXPECT_EQ(mean[46], c.expected.mean[46]);
}

TEST(Project, SamplesCarryTheCovariance) {
  const ProjectCase c;
  const Constraints law = Constraints::integral(c.model, "x", Input(c.values.data(), {20}));
  Array<double> mean = c.expected.mean, deviation = c.deviation, samples = c.expected.samples;
  const Layout field(mean.shape(), Order::row_major), members(samples.shape(), Order::row_major);
  project(law, {{mean.data(), field}, {deviation.data(), field}, {samples.data(), members}},
          {{mean.data(), field}, {deviation.data(), field}, {samples.data(), members}}, {0.0, "t", 1});
  const std::vector<double> weights = trapezoid_weights(c.surrogate.grid[0].coordinates);
  for (Index s = 0; s < 12; ++s) {
    double integral = 0;
    for (Index x = 0; x < 100; ++x) integral += weights[x] * samples[(s * 100 + x) * 20 + 7];
    EXPECT_NEAR(integral, c.values[7], 1e-9) << "member " << s;
  }
}

TEST(Metric, IsThatOfTheLibrary) {
  const ProjectCase c;
  Array<double> truth = c.expected.mean;
  for (Index i = 0; i < truth.size(); ++i) truth[i] += 0.01 * std::sin(static_cast<double>(i));
  const nouq_array m = test::row_major(c.expected.mean), d = test::row_major(c.deviation),
                   u = test::row_major(truth);
  for (const MetricInfo& info : all_metrics()) {
    if (info.uses_mass) continue;
    Array<double> variance = c.deviation;
    for (double& value : variance) value *= value;
    const MetricResult own = info.function({c.expected.mean.view(), variance.view(), truth.view(), {}});
    double value = 0;
    std::vector<double> each(own.per_sample.size());
    ASSERT_EQ(nouq_metric(info.name.c_str(), &m, &d, &u, nullptr, nullptr, &value, each.data()), NOUQ_OK);
    EXPECT_EQ(value, own.value) << info.name;
    EXPECT_EQ(each, own.per_sample) << info.name;
  }
}

TEST(Metric, TheConservationErrorNeedsWeightsAndValues) {
  const ProjectCase c;
  const std::vector<double> weights = trapezoid_weights(c.surrogate.grid[0].coordinates);
  const Array<double> values({3, 20}, 0.5);
  const nouq_array m = test::row_major(c.expected.mean),
                   w = test::row_major(weights.data(), NOUQ_FLOAT64, {100}), b = test::row_major(values);
  double value = 0;
  ASSERT_EQ(nouq_metric("conservation_error", &m, nullptr, &m, &w, &b, &value, nullptr), NOUQ_OK);
  const MetricResult own = metrics::conservation_error(
      {c.expected.mean.view(), {}, c.expected.mean.view(), {weights, values.view()}});
  EXPECT_EQ(value, own.value);
  EXPECT_EQ(nouq_metric("conservation_error", &m, nullptr, &m, nullptr, nullptr, &value, nullptr),
            NOUQ_BAD_REQUEST);
}

}  // namespace
}  // namespace nouq
