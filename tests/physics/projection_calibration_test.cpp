// How a surrogate learns from held-out samples to use its law, and how large errors are after a projection.
#include "physics/projection_calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "data/generate.h"
#include "metrics/metric.h"
#include "physics/evaluation.h"
#include "physics/null_sigma.h"
#include "support/message.h"

namespace nouq {
namespace {

DataSet draw(Index samples, const std::string& name = "pme") {
  const auto problem = make_problem(name, {{"nx", "12"}, {"nt", "5"}});
  return generate_data_set(*problem, {samples, 3, problem->range(Shift::in_domain), {}, 1});
}

// The law's values are those of the fields themselves, so that the truth meets it.
DataSet with_exact_law(DataSet data) {
  const LinearConstraints law = physics_of(data).constraints;
  const Index points = law.points;
  std::vector<double> misses(static_cast<std::size_t>(law.rows()));
  for (Index s = 0; s < data.size(); ++s) {
    const std::vector<double> field(data.outputs.begin() + s * points,
                                    data.outputs.begin() + (s + 1) * points);
    evaluate_residuals<double>(law, s, field, misses);
    for (Index t = 0; t < law.rows(); ++t)
      data.constraint_values.at("mass")[s * law.rows() + t] += misses[static_cast<std::size_t>(t)];
  }
  return data;
}

// The truth with normal errors of the given sigma at every point; `seen` is what the prediction claims.
template <class Sigma, class Seen>
Prediction off(const DataSet& data, const Sigma& sigma, const Seen& seen, Index members = 0) {
  Prediction p{Array<double>(data.outputs.shape()), Array<double>(data.outputs.shape()), {}};
  const Index size = p.mean.size() / data.size();
  for (Index i = 0; i < p.mean.size(); ++i) {
    const double wave = std::sin(12.9898 * static_cast<double>(i + 1)) * 43758.5453;
    p.mean[i] = static_cast<double>(data.outputs[i]) + sigma(i % size) * (2 * (wave - std::floor(wave)) - 1);
    p.variance[i] = seen(i % size) * seen(i % size);
  }
  if (members == 0) return p;
  Shape shape = p.mean.shape();
  shape.insert(shape.begin() + 1, members);
  p.samples = Array<double>(shape);
  for (Index i = 0; i < p.samples.size(); ++i) {
    const Index member = i / size % members, at = i / (size * members) * size + i % size;
    p.samples[i] = p.mean[at] + (member % 2 == 0 ? 1 : -1) * std::sqrt(p.variance[at]);
  }
  return p;
}

double flat(Index /*point*/) { return 0.05; }
// Large at one place of every time only.
double peaked(Index point) { return point / 5 == 4 ? 0.2 : 1e-3; }

double squared_error(const Prediction& p, const DataSet& data) {
  const Array<double> truth = truth_of(data);
  return metrics::mse({p.mean.view(), p.variance.view(), truth.view(), {}}).value;
}

Prediction projected(ProjectionKind kind, const LawUse& use, const DataSet& data, const Prediction& p) {
  return project({kind, {}, 1}, physics_of(data), data.grid, use, p);
}

TEST(LawUse, SigmaMustEarnItsSay) {
  const DataSet data = with_exact_law(draw(20));
  const Array<double> noise = law_noise(draw(20));
  EXPECT_EQ(chosen_law_use(noise, data, off(data, flat, flat), 1).sigma_power, 0) << "a tie is even";
  EXPECT_EQ(chosen_law_use(noise, data, off(data, peaked, peaked), 1).sigma_power, 2) << "it knows the place";
  const auto elsewhere = [](Index point) { return point / 5 == 8 ? 0.2 : 1e-3; };
  EXPECT_EQ(chosen_law_use(noise, data, off(data, peaked, elsewhere), 1).sigma_power, 0) << "it does not";
}

TEST(LawUse, EvenCorrectionsIncreaseNoError) {
  const DataSet data = with_exact_law(draw(20));
  const auto uneven = [](Index point) {
    return 1e-3 + 0.05 * std::abs(std::sin(static_cast<double>(point)));
  };
  for (const auto& sigma : {peaked, flat}) {
    const Prediction before = off(data, sigma, uneven),
                     after = projected(ProjectionKind::bounded, {{}, 0}, data, before);
    const Index size = before.mean.size() / data.size();
    for (Index s = 0; s < data.size(); ++s) {
      double left = 0, was = 0;
      for (Index i = s * size; i < (s + 1) * size; ++i) {
        was += std::pow(before.mean[i] - static_cast<double>(data.outputs[i]), 2);
        left += std::pow(after.mean[i] - static_cast<double>(data.outputs[i]), 2);
      }
      EXPECT_LE(left, was * (1 + 1e-6)) << s;
    }
  }
}

TEST(LawUse, HeldOutErrorsDoNotGrow) {
  for (const std::string name : {"pme", "stefan", "heat", "advection"}) {
    DataSet data = draw(16, name);
    // A law that is wrong: nothing good can come of it.
    for (double& value : data.constraint_values.at("mass")) value += 0.3;
    const Prediction p = off(data, flat, peaked);
    Array<double> noise = law_noise(draw(16, name));
    for (double& row : noise) row = std::max(row, 1e-6);  // no law is exact at any time
    const LawUse use = chosen_law_use(noise, data, p, 1);
    const double after = squared_error(projected(ProjectionKind::bounded, use, data, p), data);
    EXPECT_LE(after, 1.03 * squared_error(projected(ProjectionKind::clip, {}, data, p), data)) << name;
  }
}

Surrogate calibrated(const DataSet& data, const Prediction& given, int threads = 1,
                     CalibrationOptions options = {}) {
  Surrogate surrogate;
  surrogate.output_channels = data.output_channels;
  surrogate.grid = data.grid;
  Prediction prediction = given;
  calibrate(affordable(options, data.size()), law_noise(data), data, prediction, threads, surrogate);
  return surrogate;
}

TEST(SizeAfter, VariancesExplainHeldOutErrorsAfterEveryProjection) {
  const DataSet data = draw(80);
  const Prediction given = off(data, flat, peaked, 4);
  const Surrogate surrogate = calibrated(data, given);
  Prediction sized = given;
  const Sizing before = sizing_of(surrogate);
  size_variance(before, sized);
  for (const std::string& name : projection_names()) {
    if (name == "none") continue;
    const ProjectionChoice choice{projection_from_name(name), {}, 1};
    const Prediction after = sized_and_projected(choice, surrogate, data, sized);
    double ratio = 0;
    for (Index i = 0; i < after.mean.size(); ++i)
      ratio += std::pow(after.mean[i] - static_cast<double>(data.outputs[i]), 2) / after.variance[i];
    // One standard error of the scale is in it already.
    EXPECT_NEAR(ratio / static_cast<double>(after.mean.size()), 1, 0.15) << name;
    EXPECT_EQ(after.band.empty(), choice.kind > ProjectionKind::bounded) << name;
    const Evaluation e = evaluate(surrogate, data, sized, choice);
    EXPECT_EQ(e.band_coverage.has_value(), choice.kind <= ProjectionKind::bounded) << name;
    EXPECT_NEAR(e.band_coverage.value_or(0.9), 0.9, 0.03) << name;
  }
}

TEST(SizeAfter, IsTheSameForAnyThreadsAndWhenCalibratedAgain) {
  const DataSet data = draw(70);
  const Prediction given = off(data, flat, peaked, 3);
  Surrogate one = calibrated(data, given, 1);
  const Surrogate three = calibrated(data, given, 3);
  EXPECT_EQ(one.state, three.state);
  Prediction again = given;
  calibrate({}, law_noise(data), data, again, 2, one);
  EXPECT_EQ(one.state, three.state);
}

TEST(SizeAfter, SurrogatesOfBeforeGiveWhatTheyGave) {
  const DataSet data = draw(20);
  const Prediction p = off(data, flat, peaked, 3);
  Surrogate old;
  old.output_channels = data.output_channels;
  old.state["law.noise"] = law_noise(data);
  const Prediction after = sized_and_projected({ProjectionKind::bounded, {}, 1}, old, data, p);
  const Prediction expected = projected(ProjectionKind::bounded, {law_noise(data), 2}, data, p);
  EXPECT_EQ(after.mean, expected.mean);
  EXPECT_EQ(after.variance, expected.variance);
  EXPECT_TRUE(after.band.empty());
}

TEST(SizeAfter, BelongsToTheProjectionItWasCalibratedFor) {
  const DataSet data = draw(20);
  const Surrogate surrogate = calibrated(data, off(data, flat, peaked, 3));
  EXPECT_TRUE(has_size_after(surrogate, {ProjectionKind::bounded, {}, 1}, 5));
  EXPECT_FALSE(has_size_after(surrogate, {ProjectionKind::bounded, 1e-3, 1}, 5)) << "another noise variance";
  EXPECT_FALSE(has_size_after(surrogate, {ProjectionKind::bounded, {}, 1}, 0)) << "no law";
  EXPECT_TRUE(sized_by_law_before(surrogate, {ProjectionKind::diagonal, {}, 1}, 5));
  EXPECT_FALSE(sized_by_law_before(surrogate, {ProjectionKind::bounded, {}, 1}, 5));
}

TEST(SizeAfter, OneHeldOutSampleSizesNothing) {
  const DataSet data = draw(1);
  const Prediction p = off(data, flat, flat);
  const Surrogate surrogate = calibrated(data, p);
  EXPECT_FALSE(has_size_after(surrogate, {ProjectionKind::bounded, {}, 1}, 5));
  EXPECT_EQ(test::message_of([&] {
              evaluate(surrogate, data, p, {ProjectionKind::bounded, {}, 1}, {"mse"}, SigmaKind::constant);
            }),
            "the model keeps no held-out errors after the projection bounded: train it again, with two "
            "held-out samples or more");
}

TEST(SizeAfter, LiesInFilesAreRefused) {
  const DataSet data = draw(20);
  const Prediction p = off(data, flat, flat, 3);
  const auto message = [&](const std::string& name, const Array<double>& value) {
    Surrogate surrogate = calibrated(data, p);
    surrogate.state[name] = value;
    return test::message_of([&] {
      (void)sized_and_projected({ProjectionKind::bounded, {}, 1}, surrogate, data, p);
    });
  };
  EXPECT_EQ(message("law.spread", number(3)), "'law.spread' is 3: expected a number from 0 to 2");
  EXPECT_EQ(message("law.spread", number(std::numeric_limits<double>::quiet_NaN())),
            "'law.spread' is nan: expected a number from 0 to 2");
  EXPECT_EQ(message("sizing.after.bounded", Array<double>({2}, 1.0)),
            "'sizing.after.bounded' of shape [2]: expected [1, 4]");
  EXPECT_EQ(
      message("sizing.after.bounded", Array<double>({1, 4}, -1.0)),
      "'sizing.after.bounded' has scale -1 and floor -1: expected a positive number and one of at least 0");
}

TEST(NullSigma, ByHand) {
  DataSet data = draw(2);
  data.parameters = Array<double>({2, 1}, {2.5, 4.0});
  Surrogate surrogate;
  surrogate.output_channels = data.output_channels;
  surrogate.grid = data.grid;
  surrogate.parameter_range = Array<double>({1, 2}, {2.0, 3.0});
  surrogate.state["sizing.rms"] = number(0.1);
  Prediction p = off(data, flat, flat);
  const Index size = p.mean.size() / 2;
  replace_sigma(SigmaKind::constant, ProjectionKind::none, surrogate, data, p);
  EXPECT_DOUBLE_EQ(p.variance[0], 0.01);
  EXPECT_DOUBLE_EQ(p.variance[size], 0.01);
  replace_sigma(SigmaKind::distance, ProjectionKind::none, surrogate, data, p);
  EXPECT_DOUBLE_EQ(p.variance[0], 0.01) << "in the range";
  EXPECT_DOUBLE_EQ(p.variance[size], 0.09) << "1.5 from the middle, three halves of the range";
  data.parameters = {};
  EXPECT_EQ(
      test::message_of([&] { replace_sigma(SigmaKind::distance, ProjectionKind::none, surrogate, data, p); }),
      "sigma distance: the data or the model's training data have no parameters");
  EXPECT_THROW((void)sigma_from_name("something"), Error);
}

}  // namespace
}  // namespace nouq
