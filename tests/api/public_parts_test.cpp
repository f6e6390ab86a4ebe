// What the tool is made of, for everybody: files of arrays, import, problems behind data, predictions as
// arrays, constraints that can be looked at, networks with given weights, lists.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <nouq/kernels.h>
#include <nouq/nouq.hpp>

#include "api/model_case.h"
#include "data/temporary_folder.h"
#include "nn/network.h"
#include "support/message.h"
#include "uq/moments.h"

namespace nouq {
namespace {

TEST(PublicFiles, ArraysGoThereAndBack) {
  const test::TemporaryFolder folder;
  const Array<double> u({2, 3}, {1, 2, 3, 4, 5, 6});
  write_arrays((folder / "a.npz").string(), {{"u", u}, {"inputs", Array<double>({1, 2, 1}, {7, 8})}});
  const auto file = open_arrays((folder / "a.npz").string());
  EXPECT_EQ(file->names(), (std::vector<std::string>{"u", "inputs"}));
  EXPECT_EQ(file->read("u"), u);
  const InputFile inputs = read_inputs((folder / "a.npz").string());
  EXPECT_EQ(inputs.inputs, (Array<float>({1, 2, 1}, {7, 8})));
  EXPECT_FALSE(inputs.data.has_value());
}

TEST(PublicImport, RunsBecomeADataSetAndBrokenOnesAreNamed) {
  const test::TemporaryFolder folder;
  for (const double k : {1.0, 2.0}) {
    const std::string name = k == 1.0 ? "a.npz" : "b.npz";
    write_arrays((folder / name).string(),
                 {{"k", Array<double>({2}, {k, k})}, {"u", Array<double>({2}, {k, 2 * k})}});
  }
  std::ofstream(folder / "c.npz") << "nothing";
  ImportOptions options{.folder = folder / ""};
  options.inputs = {{"k", ""}};
  options.outputs = {{"u", "K"}};
  options.axes = {{.name = "x", .range = ParameterRange{0, 1}}};
  ImportReport report;
  const DataSet data = import_runs(options, &report);
  EXPECT_EQ(data.size(), 2);
  EXPECT_EQ(data.outputs[3], 4.0F);
  ASSERT_EQ(report.skipped.size(), 1U);
  EXPECT_EQ(report.skipped[0].what, "c.npz");
}

TEST(PublicProblems, TheProblemBehindDataIsAskedAgain) {
  const DataSet data = generate("pme", {.samples = 3, .options = {{"nx", "20"}, {"nt", "6"}}});
  const auto problem = problem_of(data.provenance);
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(problem->default_grid().at(0).size(), 20);
  EXPECT_EQ(range_of(data.provenance)->high, 3.0);
  EXPECT_EQ(problem_of({}), nullptr);
  const DataSet solved = solve(*problem, std::vector{data.parameters[1]}, data.grid);
  const Array<float> expected = select(data, {1}).outputs;
  EXPECT_EQ(solved.outputs, expected);
  const DataSet asked = unsolved(*problem, std::vector{data.parameters[1]}, data.grid, true);
  EXPECT_TRUE(asked.outputs.empty());
  EXPECT_EQ(asked.constraint_values.at("mass").shape(), (Shape{1, 6}));
  EXPECT_EQ(draw(*problem, {.samples = 3}).outputs, data.outputs);
}

TEST(PublicPrediction, IsThatOfTheModelWithItsVariances) {
  const test::ModelCase c("b_diverse");
  const Prediction prediction = predict(c.model, c.inputs, {.samples = true, .threads = 1});
  EXPECT_EQ(prediction.mean, c.expected.mean);
  EXPECT_EQ(prediction.variance, c.expected.variance);
  const Answer answer = c.model.predict(Input(c.inputs.data(), c.layout()));
  const std::vector<Trust> trusts = trust(c.model, prediction);
  ASSERT_EQ(trusts.size(), 3U);
  EXPECT_EQ(trusts[2].score, answer.trust[2].score);
  EXPECT_FALSE(band(c.model, prediction).has_value());
  const Prediction again = from_samples(prediction.samples);
  for (Index i = 0; i < again.mean.size(); ++i) ASSERT_NEAR(again.mean[i], prediction.mean[i], 1e-6);
  EXPECT_EQ(test::message_of([] {
              (void)from_samples(Array<double>({3, 1, 2}));
            }),
            "samples of shape [3, 1, 2]: expected [n, members, ...] with at least two members");
  EXPECT_EQ(projection_names(), (std::vector<std::string>{"none", "diagonal", "low-rank", "bounded", "clip",
                                                          "diagonal-clip", "law"}));
  EXPECT_FALSE(uses_samples("diagonal"));
  EXPECT_TRUE(uses_samples("bounded"));
}

TEST(PublicPrediction, AProjectionMeetsTheValuesThatAreGiven) {
  const test::ModelCase c("b_diverse");
  const Prediction before = predict(c.model, c.inputs);
  const Index samples = before.mean.extent(0), times = c.model.grid().back().size();
  DataSet data;
  data.inputs = c.inputs;
  data.grid = c.model.grid();
  data.output_channels = {{"u", ""}};
  data.constraint_values["mass"] = Array<double>({samples, times}, 0.5);
  const Prediction after = project(c.model, data, before, {.name = "diagonal", .noise_variance = 0.0});
  const Constraints law = Constraints::of(data);
  const Index points = before.mean.size() / samples;
  for (const double residual : law.residuals(1, after.mean.span().subspan(points, points)))
    EXPECT_NEAR(residual, 0, 1e-12);
  EXPECT_GT(std::abs(law.residuals(1, before.mean.span().subspan(points, points)).front()), 1e-6);
  EXPECT_EQ(project(c.model, data, before, {}).mean, before.mean) << "none";
}

TEST(PublicConstraints, CanBeLookedAt) {
  const FieldGrid grid = fields_on({{"x", "", {0, 1, 2}}});
  const std::vector<double> total = {2};
  const Constraints law = Constraints::integral(grid, {"x"}, Input(total.data(), {1}));
  const std::vector<double> field = {1, 1, 1};
  EXPECT_EQ(law.sums(field), std::vector<double>{2});
  EXPECT_EQ(law.residuals(0, field), std::vector<double>{0});
  EXPECT_EQ(law.right_hand_sides(5), std::vector<double>{2}) << "the same for all samples";
  EXPECT_EQ(law.with_noise({0.25}).noise_variances(), std::vector<double>{0.25});
  EXPECT_EQ(law.noise_of(Array<float>({2, 3, 1}, {1, 1, 1, 2, 2, 2})), std::vector<double>{2})
      << "mean of 0 and 2^2";
  EXPECT_TRUE(law.lower(0).empty());
  const Constraints within = Constraints::within(grid, {{0, 1}});
  EXPECT_EQ(within.upper(0), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(within.rows(), 0);
  EXPECT_EQ(test::message_of([&] { (void)law.sums(std::vector<double>{1}); }),
            "a field of 1 values: expected 3");
  const auto problem = make_problem("pme");
  EXPECT_EQ(Constraints::of(*problem, problem->default_grid(), std::vector{2.5}).rows(),
            problem->default_grid().back().size());
  EXPECT_EQ(quadrature_weights(Axis{"x", "", {0, 1, 2}, AxisKind::points}),
            (std::vector<double>{0.5, 1, 0.5}));
}

TEST(PublicConstraints, AProjectionReports) {
  const std::vector<double> total = {2};
  const Constraints law =
      Constraints::integral(fields_on({{"x", "", {0, 1, 2}}}), {"x"}, Input(total.data(), {1}));
  std::vector<double> mean = {1, 2, 1}, variance = {1, 1, 1};
  const Layout layout({1, 3});
  ProjectReport report;
  project(law, {{mean.data(), layout}, {}, {}, {variance.data(), layout}}, {{mean.data(), layout}, {}, {}},
          {}, &report);
  EXPECT_NEAR(report.residual_before.at(0), 1, 1e-15);
  EXPECT_NEAR(report.residual_after.at(0), 0, 1e-15);
}

TEST(PublicNetwork, RunsGivenWeightsAndBecomesAModel) {
  const test::ModelCase c("b_diverse");
  const NetworkOptions& options = c.surrogate.network;
  std::map<std::string, Array<float>> tensors;
  const ParameterLayout layout(options);
  for (const Tensor& tensor : layout.tensors()) {
    const auto begin = c.surrogate.weights[0].begin() + tensor.offset;
    tensors.emplace(tensor.name, Array<float>(tensor.shape, begin, begin + tensor.size()));
  }
  FixedNetwork network(options, tensors);
  EXPECT_EQ(network.tensors(), tensors);
  EXPECT_EQ(network.run(c.inputs).shape().back(), options.outputs);
  EXPECT_EQ(predict(network.model(c.surrogate.grid), c.inputs).mean, c.expected.mean);
  tensors.erase("lift.weight");
  EXPECT_EQ(test::message_of([&] { FixedNetwork(options, tensors); }), "the tensor 'lift.weight' is missing");
}

TEST(PublicLists, NameWhatThereIs) {
  EXPECT_EQ(method_list().back().name, "diverse");
  EXPECT_EQ(method_list().back().count, "heads");
  EXPECT_EQ(architecture_list().front().name, "fno");
  EXPECT_FALSE(architecture_list().front().summary.empty());
  EXPECT_EQ(constraint_list().front().name, "integral");
  EXPECT_EQ(constraint_list().front().settings,
            (std::vector<std::string>{"axis", "value", "rule", "channel", "noise_variance"}));
  EXPECT_FALSE(kernel_target().empty());
}

// What comes out of a projection has a sized deviation and a band.
TEST(PublicSizing, ProjectedPredictionsAreSizedToo) {
  const DataSet data = generate("pme", {.samples = 60, .options = {{"nx", "12"}, {"nt", "6"}}});
  const TrainSettings settings{.epochs = 1, .threads = 1, .options = {{"width", 4}, {"count", 3}}};
  const Model model = train(data, settings);
  const ModelInfo info = model.info();
  ASSERT_EQ(info.projections.size(), projection_names().size() - 1);
  EXPECT_GT(info.projections[2].band_factor, 0);
  const Prediction before = predict(model, data.inputs, {.samples = true});
  const Prediction after = sized_and_projected(model, data, before, {"bounded"});
  EXPECT_EQ(after.band.shape(), after.mean.shape());
  EXPECT_TRUE(sized_and_projected(model, data, before, {"bounded", 1e-6}).band.empty());
  EXPECT_TRUE(sized_and_projected(model, data, before, {"clip"}).band.empty());
}

// A model is sized as it was trained; others of it can be had, and what is not there is refused.
TEST(PublicSizing, AModelCanBeAskedForOtherSizes) {
  const DataSet data = generate("pme", {.samples = 30, .options = {{"nx", "12"}, {"nt", "6"}}});
  const TrainSettings settings{.epochs = 1, .threads = 1, .options = {{"width", 4}, {"count", 3}}};
  const Model model = train(data, settings);
  const auto sizing = model.info().sizing;
  ASSERT_TRUE(sizing.has_value());
  EXPECT_TRUE(sizing->by_law);
  EXPECT_EQ(sizing->held_out, 30);
  const Prediction usual = predict(model, data.inputs), plain = predict(model.sized("none"), data.inputs);
  EXPECT_NEAR(usual.variance[5], sizing->scale[0] * (plain.variance[5] + sizing->floor[0]),
              1e-12 * usual.variance[5]);
  Prediction by_law = usual;
  DataSet impossible = data;
  for (double& mass : impossible.constraint_values.at("mass")) mass += 100;
  size_by_law(model, impossible, by_law);
  EXPECT_GT(by_law.variance[5], 100 * usual.variance[5]);
  EXPECT_EQ(by_law.mean, usual.mean);
  Prediction untouched = usual;
  size_by_law(model.sized("data"), impossible, untouched);
  EXPECT_EQ(untouched.variance, usual.variance);
  EXPECT_FALSE(model.sized("none").info().has_trust);
  EXPECT_EQ(test::message_of([&] { (void)model.sized("none").sized("data"); }),
            "sizing data: the model was not sized; train it again with two held-out samples or more");
  EXPECT_NE(test::message_of([&] { (void)model.sized("lax"); }).find("did you mean 'law'"),
            std::string::npos);
}

}  // namespace
}  // namespace nouq
