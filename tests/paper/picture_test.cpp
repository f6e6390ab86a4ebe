// What results keep for pictures: the right sample, the right points, and nothing that was tampered with.
#include <cmath>

#include <gtest/gtest.h>
#include <nouq/problem.h>

#include "data/generate.h"
#include "nn/parameters.h"
#include "paper/pictures.h"
#include "physics/projection_choice.h"

namespace nouq::paper {
namespace {

// Two networks whose weights are all zero but for the output's bias: constant fields.
Surrogate constants(const Grid& grid, float first, float second) {
  Surrogate s;
  s.method = "ensemble";
  s.grid = grid;
  s.input_channels = {{"a", ""}};
  s.output_channels = {{"u", ""}};
  s.network.modes = {3, 2};
  s.network.padding.assign(2, Padding{0, {}});
  s.network.width = 2;
  s.network.features = 4;
  s.network.blocks = 2;
  const ParameterLayout layout(s.network);
  s.weights.assign(2, std::vector<float>(layout.size()));
  s.weights[0][layout.head_bias()] = first;
  s.weights[1][layout.head_bias()] = second;
  return s;
}

DataSet test_set(const std::string& problem, Index samples) {
  const auto family = make_problem(problem);
  return generate_data_set(*family, {samples, 7, family->range(Shift::small), {}, 1});
}

TEST(FieldPicture, IsOfTheSampleInTheMiddleOfTheParameters) {
  DataSet data = test_set("heat", 5);
  for (Index i = 0; i < 5; ++i) data.parameters[i] = (i * 3) % 5;  // 0, 3, 1, 4, 2
  const DataSet one = pictured_sample(data);
  ASSERT_EQ(one.size(), 1);
  EXPECT_EQ(one.parameters[0], 2.0);
  EXPECT_EQ(one.outputs[37], data.outputs.row(4)[37]);
  data.parameters = {};
  data.parameter_names = {};
  EXPECT_EQ(pictured_sample(data).outputs[37], data.outputs.row(2)[37]);
}

TEST(FieldPicture, KeepsTheProfileAtTheMiddleTime) {
  const DataSet sample = pictured_sample(test_set("pme", 3));
  const Surrogate s = constants(sample.grid, 1, 2);
  const ResultJson json = ResultJson::parse(field_picture(s, sample, 1).dump());
  const auto picture = read_field_picture(json, sample.grid);
  ASSERT_TRUE(picture);
  ASSERT_EQ(picture->grid.size(), 1U);
  EXPECT_EQ(picture->grid[0].coordinates, sample.grid[0].coordinates);
  EXPECT_NEAR(*picture->time, sample.grid[1].coordinates[10], 1e-4);
  EXPECT_NEAR(*picture->parameter, sample.parameters[0], 1e-4 * sample.parameters[0]);
  for (std::size_t i = 0; i < 100; ++i) {
    const auto truth = static_cast<double>(sample.outputs[static_cast<Index>(i) * 20 + 10]);
    EXPECT_NEAR(picture->truth[i], truth, 1e-4 * std::abs(truth)) << i;
    EXPECT_EQ(picture->mean[i], 1.5) << i;
    EXPECT_EQ(picture->variance[i], 0.5) << i;
  }
  const Prediction before = predict(s, sample.inputs.view(), {true, 1});
  const Prediction diagonal = project({ProjectionKind::diagonal, {}, 1}, s, sample, before);
  EXPECT_NEAR(picture->diagonal[50], diagonal.mean[50 * 20 + 10], 1e-4);
  const Prediction bounded = project({ProjectionKind::bounded, {}, 1}, s, sample, before);
  EXPECT_NEAR(picture->bounded[50], bounded.mean[50 * 20 + 10], 1e-4);
  EXPECT_NEAR(picture->bounded_variance[50], bounded.variance[50 * 20 + 10], 1e-4);
}

// The step leaves the domain at t = 0.5 / beta, long before the middle time.
TEST(FieldPicture, IsOfATimeAtWhichThereIsSomethingToSee) {
  const auto family = make_problem("advection");
  const DataSet sample =
      pictured_sample(generate_data_set(*family, {3, 7, family->range(Shift::large), {}, 1}));
  const auto picture =
      read_field_picture(field_picture(constants(sample.grid, 0, 1), sample, 1), sample.grid);
  ASSERT_TRUE(picture);
  EXPECT_GT(*picture->time, 0.0);
  EXPECT_LT(*picture->time, 0.5 / 3);
  EXPECT_EQ(picture->truth.front(), 1.0);
  EXPECT_EQ(picture->truth.back(), 0.0);
}

TEST(FieldPicture, IsAThinnedMapWhereThereIsNoTime) {
  const DataSet sample = pictured_sample(test_set("darcy", 3));
  const auto picture =
      read_field_picture(field_picture(constants(sample.grid, 0, 0), sample, 1), sample.grid);
  ASSERT_TRUE(picture);
  EXPECT_EQ(shape_of(picture->grid), (Shape{32, 32}));
  EXPECT_EQ(picture->grid[1].coordinates[3], sample.grid[1].coordinates[6]);
  EXPECT_FALSE(picture->time);
  EXPECT_TRUE(picture->bounded.empty()) << "no law";
  const auto truth = static_cast<double>(sample.outputs[2 * 20 * 64 + 2 * 9]);
  EXPECT_NEAR(picture->truth[20 * 32 + 9], truth, 1e-4 * truth);
}

TEST(FieldPicture, IsNotReadWhereItDoesNotFit) {
  const DataSet sample = pictured_sample(test_set("heat", 3));
  const ResultJson right = field_picture(constants(sample.grid, 1, 2), sample, 1);
  ASSERT_TRUE(read_field_picture(right, sample.grid));
  for (const char* key : {"truth", "mean", "variance", "diagonal", "bounded_variance"}) {
    ResultJson lacking = right, shorter = right, unknown = right, words = right, huge = right;
    lacking.erase(key);
    shorter[key].erase(0);
    unknown[key][0] = nullptr;
    words[key] = "many";
    huge[key][0] = 1e200;
    for (const ResultJson& wrong : {lacking, shorter, unknown, words, huge})
      EXPECT_FALSE(read_field_picture(wrong, sample.grid)) << key;
  }
  ResultJson negative = right;
  negative["variance"][5] = -1;
  EXPECT_FALSE(read_field_picture(negative, sample.grid));
  EXPECT_FALSE(read_field_picture(nullptr, sample.grid));
  EXPECT_FALSE(read_field_picture(7, sample.grid));
  EXPECT_FALSE(read_field_picture(right, {sample.grid[0]}));
}

// One sample whose input is constant, and whose truth at time j is a ramp of slope `slopes[j]`.
DataSet ramps(const Grid& grid, float input, const std::vector<float>& slopes) {
  DataSet sample;
  sample.grid = grid;
  sample.inputs = sample.outputs = Array<float>({1, grid[0].size(), grid[1].size(), 1}, input);
  for (Index i = 0; i < sample.outputs.size(); ++i)
    sample.outputs[i] = slopes[i % grid[1].size()] * static_cast<float>(i / grid[1].size());
  return sample;
}

const std::vector<float> always = {1, 1, 1, 1, 1, 1};

// One complex weight 3 + 4i of the frequency -1 along x, 1 along t, from channel 0 to channel 1.
TEST(MemberPicture, PutsAWeightAtItsFrequencyAndChannel) {
  const Grid grid = {{"x", "", linspace(0, 1, 12)}, {"t", "", linspace(0, 1, 6)}};
  Surrogate s = constants(grid, 1, 3);
  const Index mode = 1 * 6 + 5, width = 2;  // along x: 0, 1, 2, -3, -2, -1
  const Index real =
      ParameterLayout(s.network).offset("blocks.1.spectral.weight") + mode * width * 2 * width + 1;
  s.weights[0][real] = 3;
  s.weights[0][real + width] = 4;
  const DataSet input = ramps(grid, 0.5F, always);
  const MemberPicture picture = member_picture(s, input, input);
  ASSERT_EQ(picture.weights.size(), 2U);
  EXPECT_EQ(picture.weights[0].block, 0);
  const WeightPicture& last = picture.weights[1];
  EXPECT_EQ(last.block, 1);
  EXPECT_EQ(last.frequencies, (std::vector<double>{-3, -2, -1, 0, 1, 2}));
  ASSERT_EQ(last.magnitudes.size(), 2U);
  for (std::size_t channel = 0; channel < 2; ++channel) {
    for (std::size_t f = 0; f < 6; ++f)  // averaged over two channels and two frequencies along t
      EXPECT_NEAR(last.magnitudes[0][channel * 6 + f], channel == 1 && f == 2 ? 5.0 / 4 : 0.0, 1e-6);
  }
  // Magnitudes 5 and 0: mean 2.5, deviation 5 / sqrt(2).
  EXPECT_NEAR(last.variation[6 + 2], std::sqrt(2.0) / 4, 1e-6);
  // Features are gelu(0) = 0, outputs the biases.
  EXPECT_EQ(picture.large.features[1], std::vector<double>(12, 0.0));
  EXPECT_EQ(picture.large.outputs[1], std::vector<double>(12, 3.0));
  // In their own unit where networks see normalised data.
  s.output_normalisation = Normalisation({10}, {4});
  EXPECT_EQ(member_picture(s, input, input).large.outputs[1], std::vector<double>(12, 22.0));
  const DataSet shifted = ramps(grid, 2.0F, always);
  s.input_normalisation = Normalisation({1.25}, {1.5});  // 2 becomes 0.5
  s.weights[0].assign(s.weights[0].size(), 0.1F);
  const MemberPicture seen = member_picture(s, shifted, shifted);
  s.input_normalisation = {};
  EXPECT_EQ(seen.in_domain.features[0], member_picture(s, input, input).in_domain.features[0]);
  EXPECT_NE(seen.in_domain.features[0], member_picture(s, shifted, input).in_domain.features[0]);
  s.weights.resize(1);
  EXPECT_THROW((void)member_picture(s, input, input), Error);
}

TEST(MemberPicture, IsReadBackUnlessItWasTamperedWith) {
  const Grid grid = {{"x", "", linspace(0, 1, 12)}, {"t", "", linspace(0, 1, 6)}};
  Surrogate s = constants(grid, 1, 3);
  for (std::size_t i = 0; i < s.weights[0].size(); ++i) s.weights[0][i] += 0.25F * static_cast<float>(i % 5);
  const DataSet near = ramps(grid, 0.5F, always), far = ramps(grid, 4.0F, {1, 4, 0, 0, 0, 0});
  const ResultJson right = to_result(member_picture(s, near, far));
  EXPECT_NE(right["in_domain"]["outputs"][0], right["large"]["outputs"][0]);
  const auto back = read_member_picture(ResultJson::parse(right.dump()), 12);
  ASSERT_TRUE(back);
  EXPECT_GT(back->weights[1].variation[0], 0.0);
  EXPECT_EQ(to_result(*back), right);
  EXPECT_NEAR(*back->in_domain.place, 0.6, 1e-5) << "the middle of six times";
  EXPECT_NEAR(*back->large.place, 0.2, 1e-5) << "the last time with something to see";
  EXPECT_EQ(back->large.truth[11], 44.0);
  ResultJson older = right;  // of a version that kept neither
  for (const char* key : {"truth", "place"}) older["large"].erase(key);
  EXPECT_TRUE(read_member_picture(older, 12));
  EXPECT_FALSE(read_member_picture(right, 13));
  const std::vector<std::pair<const char*, ResultJson>> wrong = {
      {"/weights/0/variation", ResultJson::array()},
      {"/weights/0/variation/3", 1e200},
      {"/weights/1/frequencies", ResultJson::array()},
      {"/weights/1/frequencies/1", -3},
      {"/weights/0/magnitudes", ResultJson::array()},
      {"/weights/0/magnitudes/1", "x"},
      {"/weights/0/block", -1},
      {"/weights/0/block", 1e300},
      {"/weights/0/block", 9223372036854775807},
      {"/weights", "x"},
      {"/weights/2", right["weights"][0]},
      {"/in_domain/features", {right["in_domain"]["features"][0]}},
      {"/in_domain/features/2", right["in_domain"]["features"][0]},
      {"/large/truth", {1, 2}},
      {"/large/place", "x"},
      {"/large/outputs", "x"},
      {"/large/outputs/0/0", nullptr}};
  for (const auto& [place, value] : wrong) {
    ResultJson other = right;
    other[ResultJson::json_pointer(place)] = value;
    EXPECT_FALSE(read_member_picture(other, 12)) << place << " " << value;
  }
  EXPECT_FALSE(read_member_picture(nullptr, 12));
}

}  // namespace
}  // namespace nouq::paper
