// Which runs to do next.
#include <cmath>

#include <gtest/gtest.h>
#include <nouq/suggest.h>
#include <nouq/train.h>

#include "support/message.h"

namespace nouq {
namespace {

// u(x) = a sin(3 x) + b x of two parameters that are input channels, too; b = 0 where a is small.
DataSet runs(const std::vector<std::pair<double, double>>& parameters) {
  DataSet data;
  const auto count = std::ssize(parameters);
  data.grid = {{"x", "", linspace(0, 1, 16)}};
  data.input_channels = data.parameter_names = {{"a", ""}, {"b", ""}};
  data.output_channels = {{"u", ""}};
  data.inputs = Array<float>({count, 16, 2});
  data.outputs = Array<float>({count, 16, 1});
  data.parameters = Array<double>({count, 2});
  for (Index s = 0; s < count; ++s) {
    const auto [a, b] = parameters[static_cast<std::size_t>(s)];
    data.parameters[2 * s] = a;
    data.parameters[2 * s + 1] = b;
    for (Index i = 0; i < 16; ++i) {
      const double x = data.grid[0].coordinates[static_cast<std::size_t>(i)];
      data.inputs[(s * 16 + i) * 2] = static_cast<float>(a);
      data.inputs[(s * 16 + i) * 2 + 1] = static_cast<float>(b);
      data.outputs[s * 16 + i] = static_cast<float>(a * std::sin(3 * x) + b * x);
    }
  }
  return data;
}

// Trained on the lower left quarter of the unit square.
const Model& model() {
  static const Model trained = [] {
    std::vector<std::pair<double, double>> corner;
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 5; ++j) corner.emplace_back(0.05 + 0.1 * i, 0.05 + 0.1 * j);
    }
    TrainSettings settings;
    settings.epochs = 30;
    settings.batch = 5;
    settings.threads = 1;
    settings.options = {{"width", 8}, {"count", 3}};
    return train(runs(corner), settings);
  }();
  return trained;
}

const std::vector<AskedRange> square = {{"a", 0, 1}, {"b", 0, 1}};

double distance(const Array<double>& points, Index i, Index j) {
  return std::hypot(points[2 * i] - points[2 * j], points[2 * i + 1] - points[2 * j + 1]);
}

TEST(Suggest, GoesWhereTheModelKnowsLittleAndSpreadsOut) {
  const InputParameters parameters(model());
  const Array<double> points = points_in(parameters, square, 128);
  const std::vector<Suggestion> list = suggest(model(), parameters.question(points), {6, 1});
  ASSERT_EQ(list.size(), 6U);
  int known = 0;
  double total = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Index at = list[i].candidate;
    known += points[2 * at] < 0.5 && points[2 * at + 1] < 0.5 ? 1 : 0;
    total += list[i].gain;
    const double before = i > 0 ? list[i - 1].gain : 1;
    EXPECT_LE(list[i].gain, before * (1 + 1e-9)) << "each adds less than the one before";
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GT(distance(points, at, list[j].candidate), 0.1) << "a batch, not neighbours";
  }
  EXPECT_EQ(known, 0) << "the trained quarter";
  EXPECT_GT(total, 0.3);
  EXPECT_LT(total, 1.0 + 1e-9);
  EXPECT_GT(list.front().error, 0);
  EXPECT_NE(list.front().verdict, Verdict::in_domain);
}

TEST(Suggest, TakesFieldsWithoutParametersAndTheSameWhateverTheThreads) {
  const InputParameters parameters(model());
  DataSet fields = parameters.question(points_in(parameters, square, 40));
  fields.parameters = {};
  fields.parameter_names = {};
  const auto one = suggest(model(), fields, {5, 1}), three = suggest(model(), fields, {5, 3});
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(one[i].candidate, three[i].candidate);
    EXPECT_EQ(one[i].gain, three[i].gain);
  }
}

// The second half of a batch is what is suggested once the first half is known.
TEST(Suggest, RunsThatAreThereNeedNotBeDoneAgain) {
  const InputParameters parameters(model());
  const Array<double> points = points_in(parameters, square, 128);
  const DataSet pool = parameters.question(points);
  const std::vector<Suggestion> batch = suggest(model(), pool, {6, 1});
  const DataSet done = select(pool, {batch[0].candidate, batch[1].candidate, batch[2].candidate});
  const std::vector<Suggestion> next = suggest(model(), pool, {3, 1, &done});
  for (const Suggestion& one : next)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_GT(distance(points, one.candidate, batch[j].candidate), 0.1);
  DataSet other = done;
  other.parameters = {};
  EXPECT_EQ(test::message_of([&] {
              (void)suggest(model(), pool, {3, 1, &other});
            }),
            "the runs that are there have parameters of shape [], expected [3, 2]");
}

// A candidate that is there twice is suggested once: the second teaches nothing.
TEST(Suggest, DoesNotSuggestTheSameTwice) {
  const InputParameters parameters(model());
  const Array<double> twice({4, 2}, {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.1, 0.9});
  const auto list = suggest(model(), parameters.question(twice), {2, 1});
  EXPECT_NE(list[0].candidate == 3, list[1].candidate == 3);
}

TEST(Suggest, MistakesAreNamed) {
  const InputParameters parameters(model());
  const DataSet four = parameters.question(points_in(parameters, square, 4));
  EXPECT_EQ(test::message_of([&] {
              (void)suggest(model(), four, {5, 1});
            }),
            "5 suggestions of 4 candidates: expected 1 to 4");
  EXPECT_EQ(test::message_of([&] {
              (void)points_in(parameters, {{"a", 0, 1}}, 4);
            }).find("ranges: none for the parameter b; the model was trained on 0.05 to "),
            0U);
  EXPECT_EQ(test::message_of([&] {
              (void)points_in(parameters, {{"a", 1, 0}, {"b", 0, 1}}, 4);
            }),
            "range of a: 1 to 0, expected the lower end first");
  EXPECT_EQ(test::message_of([&] { (void)points_in(parameters, square, 4, "sobl"); }),
            "unknown design 'sobl'; did you mean 'sobol'? Valid: sobol, random");
  EXPECT_EQ(test::message_of([&] {
              (void)points_in(parameters, {{"a", 0, 1}, {"c", 0, 1}}, 4);
            }).find("ranges: none for the parameter b"),
            0U);
}

TEST(Designs, FillTheRanges) {
  const InputParameters parameters(model());
  for (const std::string& design : design_names()) {
    const Array<double> points = points_in(parameters, {{"b", 2, 4}, {"a", -1, 0}}, 64, design, 3);
    for (Index i = 0; i < 64; ++i) {
      EXPECT_TRUE(points[2 * i] >= -1 && points[2 * i] <= 0) << design;
      EXPECT_TRUE(points[2 * i + 1] >= 2 && points[2 * i + 1] <= 4) << design;
    }
    EXPECT_NE(points, points_in(parameters, {{"b", 2, 4}, {"a", -1, 0}}, 64, design, 4)) << design;
  }
}

}  // namespace
}  // namespace nouq
