// Unevenly spaced points, and questions on other points than those of training.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "core/grid_domain.h"
#include "model/model_file.h"
#include "support/message.h"
#include "support/small_fit.h"
#include "uq/mean_derivative.h"
#include "uq/network_grid.h"
#include "uq/predictor.h"

namespace nouq {
namespace {

std::vector<double> stretched(Index n, double low = 0, double high = 1) {
  std::vector<double> points = linspace(0, 1, n);
  for (double& x : points) x = low + (high - low) * x * (0.4 + 0.6 * x);
  return points;
}

// u(x, t) = exp(-a t) sin(2 pi x) + a / 2 at other places along x.
DataSet data_on(const std::vector<double>& x, Index samples, std::uint64_t seed) {
  DataSet data = test::small_data(samples, seed, std::ssize(x), 8);
  data.grid[0].coordinates = x;
  for (Index i = 0; i < data.outputs.size(); ++i) {
    const double at = x[static_cast<std::size_t>(i / 8) % x.size()], t = data.grid[1].coordinates[i % 8];
    const auto a = static_cast<double>(data.inputs[i]);
    data.outputs[i] = static_cast<float>(std::exp(-a * t) * std::sin(2 * std::numbers::pi * at) + a / 2);
  }
  return data;
}

FitOptions options(Index epochs) {
  FitOptions fit = test::small_fit("diverse", epochs);
  fit.method.set("warmup", 1);
  return fit;
}

double relative_error(const Prediction& p, const DataSet& data) {
  double error = 0, size = 0;
  for (Index i = 0; i < p.mean.size(); ++i) {
    const auto u = static_cast<double>(data.outputs[i]);
    error += (p.mean[i] - u) * (p.mean[i] - u);
    size += u * u;
  }
  return std::sqrt(error / size);
}

double error_on(const Surrogate& s, const DataSet& data) {
  return relative_error(predict(s, data.grid, data.inputs.view(), {false, 1}), data);
}

TEST(UnevenGrid, CoordinatesMatter) {
  const DataSet uneven = data_on(stretched(16), 14, 1);
  DataSet even = uneven;
  even.grid[0].coordinates = linspace(0, 1, 16);
  const auto weights_of = [](const DataSet& data) { return fit(options(1), data, data)->weights; };
  EXPECT_NE(weights_of(uneven), weights_of(even));
}

// Right on its own points, and on any others over the same range.
TEST(UnevenGrid, IsAnsweredAtTheTruePlaces) {
  const DataSet train = data_on(stretched(24), 42, 1), validation = data_on(stretched(24), 7, 2);
  const Surrogate s = *fit(options(60), train, validation);
  const double own = error_on(s, data_on(stretched(24), 20, 3));
  EXPECT_LT(own, 0.2) << "it has learnt something";
  for (const Index n : {24, 31, 48}) {
    EXPECT_LT(error_on(s, data_on(linspace(0, 1, n), 20, 3)), 1.3 * own) << n << " even points";
    EXPECT_LT(error_on(s, data_on(stretched(n), 20, 3)), 1.3 * own) << n << " stretched points";
  }
  const Prediction p = predict(s, data_on(linspace(0, 1, 31), 2, 3).grid,
                               data_on(linspace(0, 1, 31), 2, 3).inputs.view(), {true, 1});
  EXPECT_EQ(p.samples.shape(), (Shape{2, 3, 31, 8, 1}));
  for (const double v : p.variance) EXPECT_GE(v, 0);
}

// Padding counted in points is no reason to be wrong, or to refuse.
TEST(OtherGrids, AreAnsweredByNetworksWithPaddingInPoints) {
  const Surrogate s = *fit(options(60), test::small_data(42, 1), test::small_data(7, 2));
  const double own = error_on(s, test::small_data(20, 3));
  EXPECT_LT(error_on(s, test::small_data(20, 3, 32, 16)), 1.25 * own);
  DataSet moved = data_on(stretched(16, 1.0 / 32, 31.0 / 32), 20, 3);
  EXPECT_LT(error_on(s, moved), 1.3 * own) << "as many points, elsewhere";
}

TEST(OtherGrids, TheTrainedPointsKeepTheirBits) {
  const DataSet data = test::small_data(14, 1);
  const Surrogate s = *fit(options(1), data, data);
  EXPECT_FALSE(on_even_points(s));
  const Prediction plain = predict(s, data.inputs.view(), {true, 1});
  const Prediction placed = predict(s, data.grid, data.inputs.view(), {true, 1});
  EXPECT_EQ(plain.mean, placed.mean);
  EXPECT_EQ(plain.variance, placed.variance);
  EXPECT_EQ(plain.samples, placed.samples);
}

TEST(UnevenGrid, WhatIsNotSupportedIsRefusedByName) {
  const DataSet data = data_on(stretched(16), 14, 1);
  const Surrogate s = *fit(options(1), data, data);
  EXPECT_EQ(
      test::message_of([&] {
        (void)predict(s, Array<float>({1, 20, 8, 1}).view());
      }),
      "20 points along axis x without coordinates: the model's 16 points there are unevenly spaced; give "
      "the inputs as a data set, whose grid says where its points are");
  EXPECT_EQ(
      test::message_of([&] {
        MeanDerivative(s, {16, 8});
      }),
      "derivatives: the model's points are unevenly spaced, its networks see interpolated fields; there are "
      "derivatives for evenly spaced axes only");
  DataSet ring = data;
  ring.grid[0].kind = AxisKind::periodic;
  EXPECT_EQ(
      test::message_of([&] { (void)fit(options(1), ring, ring); }),
      "axis x is periodic and its 16 points are unevenly spaced: where the period ends is not known; bring "
      "the data onto evenly spaced points");
}

// They were trained on uneven points as they come, and must be asked so.
TEST(UnevenGrid, ModelsOfBeforeKeepTheirNetworksPoints) {
  const DataSet data = data_on(stretched(16), 14, 1);
  Surrogate s = *fit(options(1), data, data);
  EXPECT_EQ(network_grid(s)[0].coordinates, linspace(0, 1, 16));
  EXPECT_EQ(format_version_of(s), 3);
  s.state.erase("network.points");
  EXPECT_EQ(network_grid(s), data.grid);
  EXPECT_TRUE(answers_on(s, data.grid));
  EXPECT_LT(format_version_of(s), 3);
}

TEST(GridDomain, SmallDeviationsAreEven) {
  Axis axis{"x", "", linspace(0, 1, 101)};
  axis.coordinates[50] += 5e-5;
  EXPECT_TRUE(evenly_spaced(axis)) << "half a hundredth of the distance";
  axis.coordinates[50] += 2e-4;
  EXPECT_FALSE(evenly_spaced(axis));
}

}  // namespace
}  // namespace nouq
