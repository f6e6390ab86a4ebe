// Fields of a solver become a data set: filled, checked, written and read again.
//
// The solver here is the heat equation u_t = k u_xx on [0, 2 pi], u(x, 0) = sin x, by its formula; its input
// is the diffusivity k as a constant field, its output u(x, t). Yours takes its place.
//
// Sample run:  ./01_data heat-runs.npz
//   heat-runs.npz: 60 samples, inputs [60, 100, 20, 1], mass known at 20 times
//
// 1. describe the grid and the channels
// 2. fill inputs and outputs, one sample after the other
// 3. say what is conserved: the integral over x at every time
// 4. check, write, read
#include <cmath>
#include <cstdio>
#include <exception>

#include <nouq/nouq.hpp>

int main(int count, char** arguments) try {
  if (count != 2) {
    std::fprintf(stderr, "usage: 01_data FILE.npz\n");
    return 2;
  }
  constexpr nouq::Index samples = 60, nx = 100, nt = 20;

  // 1. The grid and the channels.
  nouq::DataSet data;
  data.grid = {{"x", "m", nouq::linspace(0, 2 * M_PI, nx)}, {"t", "s", nouq::linspace(0, 1, nt)}};
  data.input_channels = {{"k", "m^2/s"}};
  data.output_channels = {{"u", "K"}};
  data.parameter_names = {{"k", "m^2/s"}};

  // 2. The fields, [samples, x, t, channel].
  data.inputs = nouq::Array<float>({samples, nx, nt, 1});
  data.outputs = nouq::Array<float>({samples, nx, nt, 1});
  data.parameters = nouq::Array<double>({samples, 1});
  for (nouq::Index s = 0; s < samples; ++s) {
    const double k = 1.0 + 4.0 * static_cast<double>(s) / (samples - 1);
    data.parameters[s] = k;
    float* input = data.inputs.row(s).data();
    float* output = data.outputs.row(s).data();
    for (const double x : data.grid[0].coordinates) {
      for (const double t : data.grid[1].coordinates) {
        *input++ = static_cast<float>(k);
        *output++ = static_cast<float>(std::exp(-k * t) * std::sin(x));
      }
    }
  }

  // 3. The heat in the rod is zero at every time, whatever k.
  data.constraint_values["mass"] = nouq::Array<double>({samples, nt}, 0.0);

  // 4. Shapes that do not agree and values that are not finite are found here, not in the training.
  nouq::validate(data, "the solver");
  nouq::write(arguments[1], data);
  const nouq::DataSet again = nouq::read(arguments[1]);
  std::printf("%s: %lld samples, inputs %s, mass known at %lld times\n", arguments[1],
              static_cast<long long>(again.size()), nouq::to_string(again.inputs.shape()).c_str(),
              static_cast<long long>(again.constraint_values.at("mass").extent(1)));
  return again.outputs == data.outputs ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
