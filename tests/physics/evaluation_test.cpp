// Physics of data sets, projections by name, and evaluations.
#include "physics/evaluation.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "data/generate.h"
#include "data/recorded_problem.h"
#include "metrics/metric.h"
#include "physics/projection_calibration.h"
#include "support/message.h"

namespace nouq {
namespace {

DataSet draw(const std::string& name, Shift shift) {
  const auto problem = make_problem(name);
  return generate_data_set(*problem, {4, 3, problem->range(shift), {}, 1});
}

// Wrong by a wave and an offset, and unsure in proportion; three samples around the mean.
Prediction imperfect(const DataSet& data) {
  Prediction p{Array<double>(data.outputs.shape()), Array<double>(data.outputs.shape()), {}};
  Shape shape = data.outputs.shape();
  shape.insert(shape.begin() + 1, 3);
  p.samples = Array<double>(shape);
  const Index size = p.mean.size() / std::max<Index>(1, data.size());
  for (Index i = 0; i < p.mean.size(); ++i) {
    const double wave = 0.02 + 0.05 * std::sin(0.3 * static_cast<double>(i));
    p.mean[i] = static_cast<double>(data.outputs[i]) + wave;
    const double spread = 0.01 + std::abs(wave);
    for (Index m = 0; m < 3; ++m)
      p.samples[((i / size) * 3 + m) * size + i % size] = p.mean[i] + static_cast<double>(m - 1) * spread;
    p.variance[i] = spread * spread;
  }
  return p;
}

// Every 1-d problem that has a law, in domain and at every shift.
TEST(Projection, MeetsTheLawExactlyWithoutNoise) {
  for (const std::string name : {"heat", "pme", "stefan", "advection", "advection-ic"}) {
    for (const Shift shift : all_shifts) {
      const DataSet data = draw(name, shift);
      const Physics physics = physics_of(data);
      ASSERT_TRUE(physics.has_law()) << name;
      const Prediction before = imperfect(data);
      for (const ProjectionKind kind : {ProjectionKind::diagonal, ProjectionKind::low_rank}) {
        const Prediction after = project({kind, 0.0, 1}, physics, data.grid, {}, before);
        const Index size = after.mean.size() / data.size();
        for (Index s = 0; s < data.size(); ++s) {
          std::vector<double> residuals(physics.constraints.rows());
          evaluate_residuals(
              physics.constraints, s,
              std::span<const double>(after.mean.data() + s * size, static_cast<std::size_t>(size)),
              std::span(residuals));
          for (const double r : residuals) EXPECT_LT(std::abs(r), 1e-10) << name;
        }
        for (const double v : after.variance) ASSERT_GE(v, 0.0);
      }
    }
  }
}

TEST(Projection, BoundedStaysWithinThePhysicalBounds) {
  for (const std::string name : {"pme", "stefan", "advection"}) {
    const DataSet data = draw(name, Shift::medium);
    const Physics physics = physics_of(data);
    ASSERT_FALSE(physics.bounds.empty()) << name;
    const Prediction after =
        project({ProjectionKind::bounded, {}, 1}, physics, data.grid, {law_noise(data)}, imperfect(data));
    for (Index i = 0; i < after.mean.size(); ++i) {
      ASSERT_GE(after.mean[i], physics.bounds.lower[i]) << name;
      ASSERT_LE(after.mean[i], physics.bounds.upper[i]) << name;
    }
  }
}

// Darcy has no conservation law, but bounds: values beyond them go to the bound, all others stay.
TEST(Projection, BoundsAloneWillDoForBounded) {
  const DataSet data = draw("darcy", Shift::in_domain);
  const Physics physics = physics_of(data);
  ASSERT_FALSE(physics.has_law());
  Prediction p = imperfect(data);
  p.samples = {};
  const Prediction projected = project({ProjectionKind::bounded, {}, 1}, physics, data.grid, {}, p);
  Index moved = 0;
  for (Index i = 0; i < p.mean.size(); ++i) {
    const double within = std::clamp(p.mean[i], physics.bounds.lower[i], physics.bounds.upper[i]);
    ASSERT_NEAR(projected.mean[i], within, 1e-12) << i;
    moved += within != p.mean[i] ? 1 : 0;
  }
  EXPECT_GT(moved, 0);
}

TEST(Projection, SaysWhatIsMissing) {
  const DataSet data = draw("darcy", Shift::in_domain);
  const auto message = [&](ProjectionKind kind, const DataSet& set, const Prediction& p) -> std::string {
    try {
      project({kind, {}, 1}, physics_of(set), set.grid, {}, p);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(ProjectionKind::diagonal, data, imperfect(data)),
            "projection diagonal: the data have no conservation law (values of [samples, times] under "
            "constraints/mass "
            "in HDF5, constraint_mass in NPZ)");
  const DataSet pme = draw("pme", Shift::in_domain);
  Prediction without_samples = imperfect(pme);
  without_samples.samples = {};
  EXPECT_EQ(
      message(ProjectionKind::low_rank, pme, without_samples),
      "projection low-rank: the method has no samples (heads, networks, masks) to take a covariance from");
  EXPECT_EQ(message(ProjectionKind::none, data, imperfect(data)), "accepted");
  const Array<double> other_times({7}, 1e-9);
  EXPECT_EQ(
      test::message_of([&] {
        project({ProjectionKind::bounded, {}, 1}, physics_of(pme), pme.grid, {other_times}, imperfect(pme));
      }),
      "projection bounded: the model knows how strictly the law holds at 7 times, the data have 20; give "
      "the noise variance, or take the projection diagonal");
  EXPECT_THROW(projection_from_name("bouned"), Error);
}

// Fields u = x on uneven points: the trapezoid rule has their mass, (b^2 - a^2) / 2, exactly.
TEST(Evaluation, ConservationErrorKnowsThePlacesOfThePoints) {
  DataSet data = draw("pme", Shift::in_domain);
  auto& x = data.grid.front().coordinates;
  for (double& place : x) place = 2 + 3 * place * place;
  for (Index i = 0; i < data.outputs.size(); ++i) data.outputs[i] = static_cast<float>(x[i / 20 % 100]);
  data.constraint_values["mass"] = Array<double>({4, 20}, 10.5);
  Surrogate surrogate;
  surrogate.grid = data.grid;
  Prediction p = imperfect(data);
  std::copy(data.outputs.begin(), data.outputs.end(), p.mean.begin());
  const auto error_of = [&] { return evaluate(surrogate, data, p, {}, {"conservation_error"}); };
  EXPECT_LT(error_of().metric("conservation_error"), 1e-6);
  for (double& u : p.mean) u += 0.25;  // on a domain of length one, at twenty times
  EXPECT_NEAR(error_of().metric("conservation_error"), 20 * 0.25, 1e-5);
  data.grid.back().name = "y";
  surrogate.grid = data.grid;
  EXPECT_TRUE(error_of().metrics.empty()) << "a mass of no time";
  const auto& y = data.grid.back().coordinates;
  data.constraint_values["mass"] = Array<double>({4}, 10.5 * (y.back() - y.front()));
  EXPECT_NEAR(error_of().metric("conservation_error"), 0.25, 1e-5) << "one for each sample: over all axes";
}

// A wave on a periodic axis: its integral once around is exact and needs no correction.
TEST(Physics, OnAPeriodicAxisTheLawGoesOnceAround) {
  DataSet data = draw("pme", Shift::in_domain);
  Axis& x = data.grid.front();
  x.kind = AxisKind::periodic;
  for (std::size_t i = 0; i < 100; ++i) x.coordinates[i] = 0.01 * static_cast<double>(i);
  for (Index i = 0; i < data.outputs.size(); ++i) {
    const double phase = 2 * M_PI * (x.coordinates[i / 20 % 100] + 0.03 * static_cast<double>(i % 20));
    data.outputs[i] = static_cast<float>(1 + 0.5 * std::sin(phase));
  }
  data.constraint_values["mass"] = Array<double>({4, 20}, 1.0);
  for (const double noise_variance : law_noise(data)) EXPECT_LT(noise_variance, 1e-12);
  Surrogate surrogate;
  surrogate.grid = data.grid;
  Prediction p = imperfect(data);
  std::copy(data.outputs.begin(), data.outputs.end(), p.mean.begin());
  EXPECT_LT(evaluate(surrogate, data, p, {}, {"conservation_error"}).metric("conservation_error"), 1e-5);
  for (double& u : p.mean) u += 0.25;
  EXPECT_NEAR(evaluate(surrogate, data, p, {}, {"conservation_error"}).metric("conservation_error"), 5, 1e-5);
}

TEST(Evaluation, AMetricThatIsNotDefinedIsAnErrorOnlyWhenAskedFor) {
  DataSet data = draw("pme", Shift::in_domain);
  std::fill(data.outputs.begin(), data.outputs.begin() + 2000, 0.0F);
  Surrogate surrogate;
  surrogate.grid = data.grid;
  const Prediction p = imperfect(data);
  const Evaluation all = evaluate(surrogate, data, p, {});
  EXPECT_GT(all.metric("mse"), 0);
  EXPECT_THROW((void)all.metric("relative_l2"), Error) << "relative to a field of zeros";
  EXPECT_THROW((void)evaluate(surrogate, data, p, {}, {"relative_l2"}), Error);
}

TEST(Physics, BoundsAreThoseOfTheOptionsTheDataWereMadeWith) {
  const ProblemOptions options = {{"form", "constant"}, {"nx", "12"}, {"nt", "4"}};
  const auto problem = make_problem("gpme", options);
  DataSet data = generate_data_set(*problem, {2, 3, problem->range(Shift::in_domain), {}, 1});
  record_options(options, data.provenance);
  const Physics physics = physics_of(data);
  ASSERT_FALSE(physics.bounds.empty());
  EXPECT_EQ(physics.bounds.lower[0], -1);
  const Prediction p = imperfect(data);
  const Prediction after = project({ProjectionKind::bounded, {}, 1}, physics, data.grid, {}, p);
  EXPECT_LT(*std::min_element(after.mean.begin(), after.mean.end()), -0.3) << "half of a sine is negative";
}

TEST(Physics, AMassThatDoesNotFitIsNamed) {
  DataSet data = draw("pme", Shift::in_domain);
  data.constraint_values["mass"] = Array<double>({4, 5}, 1.0);
  EXPECT_EQ(test::message_of([&] { (void)physics_of(data); }),
            "constraint values 'mass': integral over x: values of shape [4, 5], expected one for all, or "
            "[4, 20], one for each sample and place");
}

TEST(Physics, NoiseIsTheMeanSquareOfWhatTheDataMiss) {
  const DataSet data = draw("pme", Shift::in_domain);
  const Array<double> noise_variance = law_noise(data);
  ASSERT_EQ(noise_variance.size(), 20);
  const auto& x = data.grid[0].coordinates;
  double expected = 0;
  const Index t = 11;
  for (Index s = 0; s < data.size(); ++s) {
    double mass = 0;
    for (Index i = 0; i + 1 < 100; ++i) {
      const auto u = [&](Index at) { return static_cast<double>(data.outputs[(s * 100 + at) * 20 + t]); };
      mass += 0.5 * (u(i) + u(i + 1)) * (x[i + 1] - x[i]);
    }
    expected += std::pow(mass - data.constraint_values.at("mass")[s * 20 + t], 2) / 4;
  }
  EXPECT_NEAR(noise_variance[t], expected, 1e-12);
}

TEST(Evaluation, ValidationSaysHowStrictTheLawIs) {
  const DataSet training = draw("pme", Shift::in_domain);
  DataSet validation = training;
  Prediction p = imperfect(validation);
  std::copy(validation.outputs.begin(), validation.outputs.end(), p.mean.begin());
  const Array<double> usual = law_noise(training),
                      alone = chosen_law_use(law_noise(training), validation, p, 1).noise_variance;
  for (Index t = 0; t < usual.size(); ++t)
    EXPECT_DOUBLE_EQ(alone[t], 1e6 * usual[t]) << "what is right is best left alone";
  // Data that meet their law exactly on the grid, and predictions that do not.
  const Physics physics = physics_of(validation);
  std::vector<double> misses(physics.constraints.rows());
  const Index points = p.mean.size() / std::max<Index>(1, validation.size());
  for (Index s = 0; s < validation.size(); ++s) {
    evaluate_residuals<double>(physics.constraints, s,
                               {p.mean.data() + s * points, static_cast<std::size_t>(points)}, misses);
    for (std::size_t t = 0; t < misses.size(); ++t)
      validation.constraint_values.at("mass")[s * physics.constraints.rows() + static_cast<Index>(t)] +=
          misses[t];
  }
  std::fill(p.variance.begin(), p.variance.end(), 1e-6);
  for (double& u : p.mean) u += 1e-3;
  const Array<double> strict = chosen_law_use(law_noise(training), validation, p, 1).noise_variance;
  for (Index t = 0; t < strict.size(); ++t) EXPECT_DOUBLE_EQ(strict[t], 0.01 * usual[t]);
  EXPECT_TRUE(
      chosen_law_use(law_noise(draw("darcy", Shift::in_domain)), draw("darcy", Shift::in_domain), {}, 1)
          .noise_variance.empty());
}

TEST(Evaluation, ValidationWithoutALawLeavesTheNoiseOfTheTrainingData) {
  const DataSet training = draw("pme", Shift::in_domain);
  DataSet validation = training;
  validation.constraint_values.clear();
  EXPECT_EQ(chosen_law_use(law_noise(training), validation, imperfect(validation), 1).noise_variance,
            law_noise(training));
  const auto pme = make_problem("pme", {{"nt", "7"}});
  const DataSet other_times = generate_data_set(*pme, {4, 3, pme->range(Shift::in_domain), {}, 1});
  EXPECT_EQ(chosen_law_use(law_noise(training), other_times, imperfect(other_times), 1).noise_variance,
            law_noise(training));
}

TEST(Evaluation, ComputesTheMetricsAskedFor) {
  DataSet data = draw("pme", Shift::in_domain);
  std::fill(data.outputs.begin(), data.outputs.end(), 0.0F);
  const Prediction p = imperfect(data);
  const Evaluation e = evaluate({}, data, p, {}, {"mse", "nll"});
  ASSERT_EQ(e.metrics.size(), 2U);
  EXPECT_GT(e.metric("mse"), 0);
  EXPECT_THROW((void)evaluate({}, data, p, {}, {"relative_l2"}), Error) << "no error is relative to zero";
}

TEST(Evaluation, MetricsBeforeAndAfterAndTheTrustOfThePlainPrediction) {
  const DataSet data = draw("pme", Shift::in_domain);
  Surrogate surrogate;
  surrogate.state["law.noise"] = law_noise(data);
  const Prediction p = imperfect(data);
  const Evaluation plain = evaluate(surrogate, data, p, {});
  EXPECT_TRUE(plain.trust_scores.empty());
  double mse = 0;
  for (Index i = 0; i < p.mean.size(); ++i) mse += std::pow(p.mean[i] - data.outputs[i], 2);
  EXPECT_NEAR(plain.metric("mse"), mse / static_cast<double>(p.mean.size()), 1e-12);
  EXPECT_THROW((void)plain.metric("nothing"), Error);
  surrogate.method = "diverse";
  surrogate.state["trust.reference"] = number(1e-9);
  surrogate.state["trust.far"] = number(2);
  const Evaluation exact = evaluate(surrogate, data, p, {ProjectionKind::diagonal, 0.0, 1});
  EXPECT_LT(exact.metric("conservation_error"), 1e-9);
  EXPECT_LT(exact.metric("mse"), plain.metric("mse"));
  EXPECT_EQ(exact.flagged, 1.0);
}

// The prediction is the caller's, who made it once; and samples are looked at some at a time.
TEST(Evaluation, CalibratesOnThePredictionGiven) {
  const auto problem = make_problem("pme", {{"nx", "12"}, {"nt", "5"}});
  const DataSet data = generate_data_set(*problem, {150, 3, problem->range(Shift::in_domain), {}, 1});
  Prediction p = imperfect(data);
  Surrogate surrogate;
  calibrate({}, law_noise(data), data, p, 1, surrogate);
  EXPECT_TRUE(has_trust(surrogate));
  const Array<double> truth = truth_of(data);
  // The most even spread that is good enough, and of its noise variances the strictest that is.
  const auto good = [](const std::vector<double>& errors, double best) {
    std::size_t first = 0;
    while (errors[first] > 1.02 * best) ++first;
    return first;
  };
  const std::vector<double> powers = {0, 0.5, 1, 1.5, 2};
  std::vector<double> best_of_power;
  std::vector<std::vector<double>> errors;
  const std::vector<double> factors = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 1e3, 1e4, 1e6};
  for (const double power : powers) {
    std::vector<double>& list = errors.emplace_back();
    for (const double factor : factors) {
      LawUse use{law_noise(data), power};
      for (double& row : use.noise_variance) row *= factor;
      const Prediction all = project({ProjectionKind::bounded, {}, 1}, physics_of(data), data.grid, use, p);
      list.push_back(metrics::mse({all.mean.view(), all.variance.view(), truth.view(), {}}).value);
    }
    best_of_power.push_back(*std::min_element(list.begin(), list.end()));
  }
  const double best = *std::min_element(best_of_power.begin(), best_of_power.end());
  const std::size_t power = good(best_of_power, best), factor = good(errors[power], best_of_power[power]);
  EXPECT_EQ(surrogate.state.at("law.spread")[0], powers[power]);
  for (Index t = 0; t < 5; ++t)
    EXPECT_DOUBLE_EQ(surrogate.state.at("law.noise")[t], factors[factor] * law_noise(data)[t]);
}

}  // namespace
}  // namespace nouq
