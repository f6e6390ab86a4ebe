// A training small enough for tests: smooth fields on a 16 x 8 grid whose output follows from the input.
#pragma once

#include <cmath>
#include <numbers>

#include <nouq/random.h>

#include "train/trainer.h"

namespace nouq::test {

inline std::vector<double> cell_centres(Index n) {
  const double half = 0.5 / static_cast<double>(n);
  return linspace(half, 1.0 - half, n);
}

// u(x, t) = exp(-a t) sin(2 pi x) + a / 2 for a random constant input a, at the centres of nx x nt cells.
inline DataSet small_data(Index samples, std::uint64_t seed, Index nx = 16, Index nt = 8) {
  DataSet data;
  data.grid = {{"x", "", cell_centres(nx)}, {"t", "", cell_centres(nt)}};
  data.input_channels = {{"a", ""}};
  data.output_channels = {{"u", ""}};
  data.inputs = Array<float>({samples, nx, nt, 1});
  data.outputs = Array<float>({samples, nx, nt, 1});
  Index i = 0;
  for (Index s = 0; s < samples; ++s) {
    const double a = 1.0 + Stream(seed, Purpose::tests, static_cast<std::uint64_t>(s)).uniform(0);
    for (const double x : data.grid[0].coordinates) {
      for (const double t : data.grid[1].coordinates) {
        data.inputs[i] = static_cast<float>(a);
        data.outputs[i++] = static_cast<float>(std::exp(-a * t) * std::sin(2 * std::numbers::pi * x) + a / 2);
      }
    }
  }
  return data;
}

inline TrainerOptions small_options() {
  TrainerOptions options;
  options.network.width = 8;
  options.network.modes = {4, 3};
  options.network.padding = {{3, std::nullopt}, {2, std::nullopt}};
  options.network.blocks = 3;
  options.network.features = 16;
  options.epochs = 8;
  options.batch = 7;
  options.schedule.base_rate = 5e-3;
  options.schedule.period = 20;
  options.seed = 3;
  return options;
}

}  // namespace nouq::test
