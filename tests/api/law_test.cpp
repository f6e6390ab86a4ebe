// The model's own law with its tuned noise, its bounds, presets and bands, from outside: the numbers of the
// library.
#include <cmath>
#include <limits>

#include <nouq/project.h>

#include "api/model_case.h"
#include "physics/projection_choice.h"
#include "support/message.h"
#include "uq/conformal.h"

namespace nouq {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// A model that knows how strictly its law of mass holds, that its outputs are not negative, and its bands.
struct LawfulCase {
  LawfulCase() : plain("b_diverse"), surrogate(plain.surrogate), mass({3, 20}) {
    Array<double> noise({20});
    for (Index t = 0; t < 20; ++t) noise[t] = 1e-6 * static_cast<double>(t + 1);
    surrogate.state["law.noise"] = noise;
    surrogate.bounds = {{0.2, infinite}};
    Conformal bands;
    bands.coverage = 0.8;
    bands.floor = {1e-3};
    bands.factor = number(1.75);
    store(bands, surrogate);
    for (Index i = 0; i < mass.size(); ++i) mass[i] = 0.5 + 0.002 * static_cast<double>(i);
    save_model(surrogate, folder / "model.nouq");
    model = Model::load((folder / "model.nouq").string());
  }
  [[nodiscard]] NamedInputs values() const { return {{"mass", Input(mass.data(), {3, 20})}}; }

  test::ModelCase plain;
  Surrogate surrogate;
  Array<double> mass;
  test::TemporaryFolder folder;
  Model model{nullptr};
};

Layout layout_of(const Array<double>& array) { return {array.shape(), Order::row_major}; }

TEST(Law, OfAModelHasItsNoiseAndItsBounds) {
  const LawfulCase c;
  const ModelInfo info = c.model.info();
  ASSERT_EQ(info.laws.size(), 1U);
  EXPECT_EQ(info.laws[0].name, "mass");
  EXPECT_EQ(info.laws[0].axes, (std::vector<std::string>{"x"}));
  EXPECT_EQ(info.lower, (std::vector<double>{0.2}));
  EXPECT_EQ(info.axes[0].kind, "points");
  const Constraints law = Constraints::of(c.model, c.values());
  ASSERT_EQ(law.rows(), 20);
  for (std::size_t t = 0; t < 20; ++t) EXPECT_EQ(law.noise_variances()[t], 1e-6 * static_cast<double>(t + 1));
  EXPECT_TRUE(law.has_bounds());
  EXPECT_EQ(Constraints::of(c.model).rows(), 0) << "bounds alone";
  EXPECT_EQ(test::message_of([&] {
              (void)Constraints::of(c.model, {{"mas", Input(c.mass.data(), {3, 20})}});
            }),
            "values 'mas': the model knows no law of that name; it knows mass");
}

// By name, the projection of the tool with its own noise; through C the same bits.
TEST(Law, PresetsAreTheProjectionsOfTheTool) {
  const LawfulCase c;
  const Prediction& p = c.plain.expected;
  Physics physics = physics_of(
      {{c.surrogate.grid, 1}, laws_of(c.surrogate), {{"mass", c.mass}}, c.surrogate.bounds, nullptr, {}});
  Prediction rounded = p;  // the deviation is what goes in from outside
  for (Index i = 0; i < p.variance.size(); ++i)
    rounded.variance[i] = c.plain.deviation[i] * c.plain.deviation[i];
  const Constraints law = Constraints::of(c.model, c.values());
  for (const std::string preset : {"none", "diagonal", "low-rank", "bounded"}) {
    const Prediction own = project({projection_from_name(preset), {}, 1}, physics, c.surrogate.grid,
                                   {law_noise_of(c.surrogate)}, rounded);
    Array<double> mean = p.mean, deviation = c.plain.deviation, samples = p.samples;
    ProjectOptions options;
    options.preset = preset;
    project(law,
            {{mean.data(), layout_of(mean)},
             {deviation.data(), layout_of(mean)},
             {samples.data(), layout_of(samples)}},
            {{mean.data(), layout_of(mean)},
             {deviation.data(), layout_of(mean)},
             {samples.data(), layout_of(samples)}},
            options);
    EXPECT_EQ(mean, own.mean) << preset;
    EXPECT_EQ(samples, own.samples) << preset;
    for (Index i = 0; i < mean.size(); ++i) ASSERT_EQ(deviation[i], std::sqrt(own.variance[i])) << preset;
  }
}

TEST(Law, BoundsMayDifferFromPointToPoint) {
  const LawfulCase c;
  Array<double> mean = c.plain.expected.mean, deviation = c.plain.deviation;
  Array<double> lower({100, 20, 1}, -infinite), upper({100, 20, 1}, infinite);
  for (Index i = 0; i < 40; ++i) lower[i] = 0.9;
  upper[1999] = -3;
  ProjectOptions options;
  options.lower_bounds = {lower.data(), layout_of(lower)};
  options.upper_bounds = {upper.data(), layout_of(upper)};
  const Constraints free =
      Constraints::from_toml(fields_of(c.model), "[[constraint]]\nkind = 'bounds'\nlower = -10\n");
  project(free, {{mean.data(), layout_of(mean)}, {deviation.data(), layout_of(mean)}, {}},
          {{mean.data(), layout_of(mean)}, {deviation.data(), layout_of(mean)}, {}}, options);
  for (Index s = 0; s < 3; ++s) {
    for (Index i = 0; i < 40; ++i) EXPECT_GE(mean[s * 2000 + i], 0.9);
    EXPECT_LE(mean[s * 2000 + 1999], -3);
  }
  options.preset = "diagonal";
  EXPECT_EQ(
      test::message_of([&] {
        project(free, {{mean.data(), layout_of(mean)}, {deviation.data(), layout_of(mean)}, {}}, {}, options);
      }),
      "there is nothing to obey: no rows, and preset 'diagonal' has no use for bounds");
}

// A grid in the text, arrays by name: integrals over cells, by C and by C++.
TEST(Law, TextHasTheGridAndAnyKindOfConstraint) {
  const std::string text =
      "[[axis]]\nname = 'x'\nkind = 'cells'\ncoordinates = [0.25, 0.75, 1.5]\n"
      "[[constraint]]\nkind = 'integral'\naxis = 'x'\nvalue = 'heat'\n"
      "[[constraint]]\nkind = 'boundary'\naxis = 'x'\nside = 'low'\nvalue = 1\n";
  const double heat = 3;
  const Constraints law = Constraints::from_toml(text, {{"heat", Input(&heat, {1})}}, 1e-3);
  ASSERT_EQ(law.rows(), 2);
  EXPECT_EQ(law.names()[0], "integral over x");
  EXPECT_EQ(law.noise_variances(), (std::vector<double>{1e-3, 1e-3}));
  double mean[3] = {1, 1, 1}, deviation[3] = {1, 1, 1};
  ProjectOptions options;
  options.noise_variance = 0;
  project(law, {{mean, {3}}, {deviation, {3}}, {}}, {{mean, {3}}, {deviation, {3}}, {}}, options);
  EXPECT_NEAR(0.5 * mean[0] + 0.625 * mean[1] + 0.75 * mean[2], 3, 1e-14);
  EXPECT_NEAR(mean[0], 1, 1e-15);
  EXPECT_EQ(
      test::message_of([&] { (void)Constraints::from_toml("[[axis]]\nname = 'x'\ncoordinates = [1, 0]\n"); }),
      "constraints, axis 1: axis x: coordinate 1 is 0, expected finite numbers that increase");
  EXPECT_EQ(test::message_of([&] { (void)Constraints::from_toml("[[constraint]]\nkind = 'bounds'\n"); }),
            "constraints: no [[axis]] in it");

  nouq_arrays arrays = 0;
  nouq_constraints rows = 0;
  ASSERT_EQ(nouq_new_arrays(&arrays), NOUQ_OK);
  const int64_t one = 1;
  const nouq_array value = nouq_row_major(&heat, NOUQ_FLOAT64, 1, &one);
  ASSERT_EQ(nouq_set_array(arrays, "heat", &value), NOUQ_OK);
  ASSERT_EQ(nouq_constraints_from_toml(0, text.c_str(), arrays, 1e-3, &rows), NOUQ_OK) << nouq_last_error();
  int64_t count = 0;
  ASSERT_EQ(nouq_constraint_rows(rows, &count), NOUQ_OK);
  EXPECT_EQ(count, 2);
  double noise[2];
  ASSERT_EQ(nouq_noise_variances(rows, noise, 2), NOUQ_OK);
  EXPECT_EQ(noise[1], 1e-3);
  EXPECT_EQ(nouq_noise_variances(rows, noise, 1), NOUQ_BAD_REQUEST);
  EXPECT_EQ(nouq_free_arrays(arrays), NOUQ_OK);
  EXPECT_EQ(nouq_free_arrays(arrays), NOUQ_BAD_HANDLE);
  EXPECT_EQ(nouq_set_array(arrays, "heat", &value), NOUQ_BAD_HANDLE);
  EXPECT_EQ(nouq_free_constraints(rows), NOUQ_OK);
}

TEST(Law, SeveralConstraintsAreOne) {
  const LawfulCase c;
  const Constraints bounds = Constraints::of(c.model),
                    law = Constraints::integral(c.model, "x", {c.mass.data(), {3, 20}});
  const Constraints both = Constraints::together({law, bounds});
  EXPECT_EQ(both.rows(), 20);
  EXPECT_TRUE(both.has_bounds());
  EXPECT_FALSE(law.has_bounds());
}

TEST(Band, IsThatOfTheCalibration) {
  const LawfulCase c;
  const Array<double> expected = half_width(conformal_of(c.surrogate), c.plain.expected.variance.view());
  const Answer answer = c.model.predict({c.plain.inputs.data(), c.plain.layout()});
  EXPECT_EQ(c.model.info().band_coverage, 0.8);
  ASSERT_EQ(answer.band.size(), static_cast<std::size_t>(expected.size()));
  for (Index i = 0; i < expected.size(); ++i) ASSERT_EQ(answer.band[i], expected[i]);
  EXPECT_EQ(answer.deviation[7], c.plain.deviation[7]);

  nouq_model handle = 0;
  ASSERT_EQ(nouq_load((c.folder / "model.nouq").c_str(), &handle), NOUQ_OK);
  Array<double> band(expected.shape());
  const nouq_array x = test::row_major(c.plain.inputs), b = test::row_major(band);
  ASSERT_EQ(nouq_predict_band(handle, &x, nullptr, nullptr, nullptr, &b, nullptr, nullptr), NOUQ_OK)
      << nouq_last_error();
  EXPECT_EQ(band, expected);
  double coverage = 0;
  EXPECT_EQ(nouq_band_coverage(handle, &coverage), NOUQ_OK);
  EXPECT_EQ(coverage, 0.8);
  nouq_free(handle);

  const test::LoadedCase plain("b_diverse");
  EXPECT_EQ(nouq_predict_band(plain.handle, &x, nullptr, nullptr, nullptr, &b, nullptr, nullptr),
            NOUQ_BAD_REQUEST);
  EXPECT_STREQ(nouq_last_error(), "a band is asked for: this model was not calibrated for it");
}

// On another grid than its own a pointwise band has no factors, and an answer comes without one.
TEST(Band, PointwiseIsForItsOwnGrid) {
  LawfulCase c;
  const auto band_with = [&](const Shape& shape) {
    c.surrogate.state["conformal.factor"] = Array<double>(shape, 2.0);
    const Model model(std::make_shared<SharedModel>(c.surrogate));
    return model.predict({c.plain.inputs.data(), c.plain.layout()}).band.size();
  };
  EXPECT_EQ(band_with({100, 20, 1}), 6000U);
  EXPECT_EQ(band_with({50, 20, 1}), 0U);
  EXPECT_EQ(band_with({20, 100, 1}), 0U);
  EXPECT_EQ(band_with({2000}), 0U);
}

}  // namespace
}  // namespace nouq
