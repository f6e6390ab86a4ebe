// A small data set with every kind of member filled in, for the tests of src/data.
#pragma once

#include <limits>

#include <nouq/data.h>
#include <nouq/random.h>

namespace nouq::test {

// Values with all kinds of float32 in them: ordinary, negative zero, subnormal, largest.
inline Array<float> awkward_floats(Shape shape, std::uint64_t index) {
  Array<float> values(std::move(shape));
  const Stream stream(5, Purpose::tests, index);
  for (Index i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(stream.normal(static_cast<std::uint64_t>(i)));
  }
  values[0] = -0.0F;
  values[1] = std::numeric_limits<float>::denorm_min();
  values[2] = std::numeric_limits<float>::max();
  return values;
}

inline Array<double> doubles(Shape shape, std::uint64_t index) {
  Array<double> values(std::move(shape));
  const Stream stream(6, Purpose::tests, index);
  for (Index i = 0; i < values.size(); ++i) values[i] = stream.normal(static_cast<std::uint64_t>(i));
  return values;
}

// n samples on a 5 x 4 grid: two input channels, one output channel, one parameter, masses at 4 times.
inline DataSet sample_data(Index n = 6) {
  DataSet data;
  data.grid = {{"x", "m", linspace(0.0, 1.0, 5), AxisKind::periodic}, {"t", "s", linspace(0.0, 0.3, 4)}};
  data.input_channels = {{"permeability", "m^2"}, {"initial value", ""}};
  data.output_channels = {{"u", "K"}};
  data.inputs = awkward_floats({n, 5, 4, 2}, 1);
  data.outputs = awkward_floats({n, 5, 4, 1}, 2);
  data.parameter_names = {{"m", "1"}};
  data.parameters = doubles({n, 1}, 3);
  data.constraint_values["mass"] = doubles({n, 4}, 4);
  data.provenance = {{"problem", "pme"}, {"seed", "7"}, {"note", "δ \"quoted\"\nsecond line"}};
  return data;
}

}  // namespace nouq::test
