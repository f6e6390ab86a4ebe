// Derivatives of the mean: against differences of predictions, against each other, and by parameters.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <nouq/gradient.h>
#include <nouq/nouq.h>
#include <nouq/prediction.h>
#include <nouq/problem_data.h>

#include "api/shared_model.h"
#include "data/temporary_folder.h"
#include "support/message.h"
#include "support/small_fit.h"
#include "uq/mean_derivative.h"

namespace nouq {
namespace {

// Fields whose scale is far from one, so that a normalisation that is forgotten shows.
DataSet scaled_data(Index samples, std::uint64_t seed) {
  DataSet data = test::small_data(samples, seed);
  for (float& v : data.inputs) v = 100 + 20 * v;
  for (float& v : data.outputs) v = 5 + 3 * v;
  return data;
}

Surrogate fitted(const std::string& method) {
  FitOptions options = test::small_fit(method, 4);
  options.method.set("warmup", 1);
  options.normalise = true;
  auto surrogate = fit(options, scaled_data(21, 1), scaled_data(25, 2));
  EXPECT_TRUE(surrogate);
  return *surrogate;
}

// The masks of dropout are a function of the input; the ones that all inputs share stay when it moves.
Model model_of(Surrogate surrogate) {
  surrogate.state.erase("dropout.per_input");
  return Model(std::make_shared<SharedModel>(std::move(surrogate)));
}

Array<double> normals(const Shape& shape, std::uint64_t seed) {
  const Stream stream(seed, Purpose::tests);
  Array<double> values(shape);
  for (Index i = 0; i < values.size(); ++i) values[i] = stream.normal(static_cast<std::uint64_t>(i));
  return values;
}

double product(const Array<double>& a, const Array<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

class EveryMethodsGradient : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethodsGradient, MatchesDifferencesOfPredictions) {
  const Model model = model_of(fitted(GetParam()));
  const DataSet data = scaled_data(2, 5);
  const Array<double> sensitivity = normals(data.outputs.shape(), 1);
  Array<double> direction = normals(data.inputs.shape(), 2);
  for (double& d : direction) d = 1 + 0.2 * d;
  const Array<double> by_input = gradient(model, data.inputs, sensitivity);
  const Array<double> along = derivative(model, data.inputs, direction);
  const double h = 0.25;  // inputs spread by 20
  Array<float> above = data.inputs, below = data.inputs;
  for (Index i = 0; i < above.size(); ++i) {
    above[i] += static_cast<float>(h * direction[i]);
    below[i] -= static_cast<float>(h * direction[i]);
  }
  const Array<double> high = predict(model, above).mean, low = predict(model, below).mean;
  double largest = 0, error = 0;
  for (Index i = 0; i < along.size(); ++i) {
    largest = std::max(largest, std::abs(along[i]));
    error = std::max(error, std::abs((high[i] - low[i]) / (2 * h) - along[i]));
  }
  ASSERT_GT(largest, 0);
  EXPECT_LT(error, 1e-3 * largest);
  // The two are adjoint to each other.
  const double left = product(sensitivity, along), right = product(by_input, direction);
  const double scale = std::sqrt(product(sensitivity, sensitivity) * product(along, along));
  EXPECT_NEAR(left, right, 1e-5 * scale);
}

TEST_P(EveryMethodsGradient, DependsNeitherOnThreadsNorOnTheBatch) {
  Model model = model_of(fitted(GetParam()));
  const DataSet data = scaled_data(3, 5);
  const Array<double> weights = normals(data.outputs.shape(), 1);
  const Array<double> one = gradient(model, data.inputs, weights),
                      along = derivative(model, data.inputs, weights);
  model.set_threads(3);
  EXPECT_EQ(gradient(model, data.inputs, weights), one);
  EXPECT_EQ(derivative(model, data.inputs, weights), along);
  const auto row = [](const auto& a) { return std::pair{Shape{1, 16, 8, 1}, a.row(1)}; };
  const Array<float> input(row(data.inputs).first, data.inputs.row(1).begin(), data.inputs.row(1).end());
  const Array<double> weight({1, 16, 8, 1}, weights.row(1).begin(), weights.row(1).end());
  const Array<double> alone = gradient(model, input, weight);
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), one.row(1).begin()));
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethodsGradient, testing::ValuesIn(method_names()),
                         [](const auto& test) { return test.param; });

// The difference in double is exact to far beyond single precision: against the adjoint in double.
TEST(MeanDerivative, IsExactToOneInTenMillion) {
  Surrogate surrogate = fitted("bayesian");
  surrogate.input_normalisation = surrogate.output_normalisation = {};
  const DataSet data = test::small_data(1, 5);
  const Array<double> direction = normals(data.inputs.shape(), 2),
                      sensitivity = normals(data.outputs.shape(), 1);
  Array<double> along(data.outputs.shape());
  MeanDerivative slope(surrogate, {16, 8});
  slope.derivative(data.inputs.data(), 1, direction.data(), along.data());
  Network<double> network(surrogate.network, {16, 8}, 1);
  const std::vector<double> weights(surrogate.weights[0].begin(), surrogate.weights[0].end());
  const std::vector<double> input(data.inputs.begin(), data.inputs.end());
  Array<double> by_input(data.inputs.shape());
  network.input_gradient(weights.data(), input.data(), 1, sensitivity.data(), by_input.data());
  const double scale = std::sqrt(product(sensitivity, sensitivity) * product(along, along));
  EXPECT_NEAR(product(sensitivity, along), product(by_input, direction), 1e-8 * scale);
}

TEST(Gradient, MasksOfTheInputAreHeldAsTheyAre) {
  Surrogate surrogate = fitted("dropout");
  const Model own(std::make_shared<SharedModel>(surrogate));
  const DataSet data = scaled_data(1, 5);
  const Array<double> weights = normals(data.outputs.shape(), 1);
  const Array<double> by_input = gradient(own, data.inputs, weights),
                      along = derivative(own, data.inputs, weights);
  EXPECT_NEAR(product(weights, along), product(by_input, weights),
              1e-5 * std::sqrt(product(weights, weights) * product(along, along)));
  EXPECT_NE(by_input, gradient(model_of(surrogate), data.inputs, weights));  // other masks
}

// --- By parameters ---------------------------------------------------------------------------------------

Model of_problem(const std::string& name) {
  const auto problem = make_problem(name);
  FitOptions options = test::small_fit("diverse", 3);
  Grid grid = problem->default_grid();
  for (std::size_t a = 0; a < grid.size(); ++a)
    grid[a].coordinates = linspace(grid[a].coordinates.front(), grid[a].coordinates.back(), a == 0 ? 16 : 8);
  GenerateSettings settings;
  settings.samples = 45;
  settings.grid = grid;
  const DataSplit parts = split(draw(*problem, settings), {0.5, 0.5, 0});
  return Model(std::make_shared<SharedModel>(*fit(options, parts.train, parts.validation)));
}

TEST(ParameterGradient, MatchesDifferencesOfPredictions) {
  const Model model = of_problem("heat");
  const InputParameters parameters(model);
  ASSERT_EQ(parameters.list().size(), 1U);
  EXPECT_EQ(parameters.list()[0].symbol, "k");
  EXPECT_LE(parameters.list()[0].range.low, parameters.list()[0].trained.low);
  EXPECT_GT(parameters.list()[0].range.high, parameters.list()[0].trained.high);
  const double k = 2.5, h = 0.05;
  const auto mean_at = [&](double value) {
    return predict(model, parameters.inputs(Array<double>({1, 1}, value))).mean;
  };
  const Array<double> high = mean_at(k + h), low = mean_at(k - h), weights = normals(high.shape(), 3);
  const Array<double> by_k = parameter_gradient(model, parameters, Array<double>({1, 1}, k), weights);
  const double difference = (product(high, weights) - product(low, weights)) / (2 * h);
  EXPECT_NEAR(by_k[0], difference, 1e-3 * std::abs(difference));
  const Array<double> along =
      parameter_derivative(model, parameters, Array<double>({1, 1}, k), Array<double>({1, 1}, 2.0));
  EXPECT_NEAR(product(along, weights), 2 * by_k[0], 1e-4 * std::abs(by_k[0]));
}

TEST(ParameterGradient, ColumnsOfATableAreTheChannelsTheyName) {
  DataSet data = test::small_data(21, 1);
  const Index points = 16 * 8;
  data.input_channels = {{"b", "m"}, {"a", ""}};  // in another order than the table
  data.parameter_names = {{"a", ""}, {"b", "m"}};
  data.parameters = Array<double>({21, 2});
  Array<float> inputs({21, 16, 8, 2});
  for (Index i = 0; i < 21 * points; ++i) {
    const double a = static_cast<double>(data.inputs[i]);
    inputs[2 * i] = static_cast<float>(10 * a);
    inputs[2 * i + 1] = static_cast<float>(a);
    data.parameters[2 * (i / points)] = a;
    data.parameters[2 * (i / points) + 1] = 10 * a;
  }
  data.inputs = inputs;
  const Model model(std::make_shared<SharedModel>(*fit(test::small_fit("diverse", 3), data, data)));
  const InputParameters parameters(model);
  EXPECT_EQ(parameters.list()[1].name, "b");
  EXPECT_EQ(parameters.list()[1].unit, "m");
  const Array<double> values({1, 2}, std::vector<double>{1.5, 15});
  const Array<float> fields = parameters.inputs(values);
  EXPECT_EQ(fields[0], 15);
  EXPECT_EQ(fields[1], 1.5F);
  const Array<double> weights({1, 16, 8, 1}, 1.0);
  const Array<double> by_input = gradient(model, fields, weights);
  const Array<double> by_parameter = parameter_gradient(model, parameters, values, weights);
  double a = 0, b = 0;
  for (Index i = 0; i < points; ++i) {
    b += by_input[2 * i];
    a += by_input[2 * i + 1];
  }
  EXPECT_DOUBLE_EQ(by_parameter[0], a);
  EXPECT_DOUBLE_EQ(by_parameter[1], b);
}

TEST(ParameterGradient, WhatIsNotKnownIsRefusedByName) {
  const Model jumps = of_problem("advection-ic");
  const InputParameters parameters(jumps);
  EXPECT_EQ(
      test::message_of([&] {
        (void)parameters.derivative(Array<double>({1, 1}, 0.5), 0, 0);
      }),
      "the gradient by a of the problem 'advection-ic' is not known: its input does not change smoothly with it; "
      "ask for the gradient by the input field");
  const Model fields = model_of(fitted("diverse"));
  EXPECT_FALSE(InputParameters::known(fields));
  EXPECT_NE(
      test::message_of([&] { InputParameters{fields}; }).find("are fields, not functions of parameters"),
      std::string::npos);
}

TEST(Gradient, WrongShapesAndNumbersAreRefused) {
  const Model model = model_of(fitted("diverse"));
  const DataSet data = scaled_data(1, 5);
  EXPECT_EQ(test::message_of([&] {
              (void)gradient(model, data.inputs, Array<double>({1, 16, 8, 2}));
            }),
            "sensitivity of shape [1, 16, 8, 2]: expected [1, 16, 8, 1]");
  Array<double> wrong(data.outputs.shape());
  wrong[7] = std::nan("");
  EXPECT_EQ(test::message_of([&] { (void)derivative(model, data.inputs, wrong); }),
            "direction: nan at element 7, expected finite numbers");
}

// --- C ---------------------------------------------------------------------------------------------------

TEST(GradientInC, IsThatOfCxx) {
  const Model model = of_problem("heat");
  const test::TemporaryFolder folder;
  model.save((folder / "m.nouq").string());
  nouq_model handle = 0;
  ASSERT_EQ(nouq_load((folder / "m.nouq").c_str(), &handle), NOUQ_OK) << nouq_last_error();
  const InputParameters parameters(model);
  Array<double> values({1}, 2.5), weights = normals({16, 8}, 3), by_k({1}), by_input({16, 8});
  Array<float> inputs = parameters.inputs(Array<double>({1, 1}, 2.5));
  const auto view = [](const void* data, int type, const Shape& shape) {
    return nouq_row_major(data, type, static_cast<int32_t>(shape.size()), shape.data());
  };
  const nouq_array v = view(values.data(), NOUQ_FLOAT64, {1}),
                   w = view(weights.data(), NOUQ_FLOAT64, {16, 8});
  const nouq_array g = view(by_k.data(), NOUQ_FLOAT64, {1}), x = view(inputs.data(), NOUQ_FLOAT32, {16, 8});
  const nouq_array by_x = view(by_input.data(), NOUQ_FLOAT64, {16, 8});
  const Array<double> full({1, 16, 8, 1}, weights.begin(), weights.end());
  ASSERT_EQ(nouq_gradient(handle, &x, &w, &by_x), NOUQ_OK) << nouq_last_error();
  const Array<double> expected = gradient(model, inputs, full);
  EXPECT_TRUE(std::equal(by_input.begin(), by_input.end(), expected.begin()));
  const Array<double> by_parameter = parameter_gradient(model, parameters, Array<double>({1, 1}, 2.5), full);
  // A sample of one channel without its channel, on its own, is enough.
  ASSERT_EQ(nouq_parameter_gradient(handle, &v, &w, &g), NOUQ_OK) << nouq_last_error();
  EXPECT_EQ(by_k[0], by_parameter[0]);
  ASSERT_EQ(nouq_parameter_derivative(handle, &v, &v, &by_x), NOUQ_OK) << nouq_last_error();
  EXPECT_EQ(nouq_gradient(handle, &x, &v, &by_x), NOUQ_BAD_REQUEST);
  EXPECT_EQ(nouq_gradient(handle, &x, &w, nullptr), NOUQ_BAD_REQUEST);
  nouq_free(handle);
}

}  // namespace
}  // namespace nouq
