#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "data/normalisation.h"
#include "data/sample_data.h"

namespace nouq {
namespace {

using test::sample_data;

// Ordinary numbers: the largest float leaves the range when it is scaled.
DataSet ordinary_data() {
  DataSet data = sample_data(7);
  data.inputs[2] = data.outputs[2] = 3.0F;
  return data;
}

DataSet scaled_copy(DataSet data, const Normalisation& inputs, const Normalisation& outputs) {
  inputs.apply(data.inputs.view());
  outputs.apply(data.outputs.view());
  return data;
}

class ScaledDataTest : public testing::Test {
 protected:
  DataSet data = ordinary_data();
  Normalisation inputs = Normalisation::per_channel(data.inputs.view());
  Normalisation outputs = Normalisation::per_channel(data.outputs.view());
};

TEST_F(ScaledDataTest, GathersTheRowsOfAScaledCopy) {
  const DataSet copy = scaled_copy(data, inputs, outputs);
  const std::vector<Index> samples = {4, 0, 6, 4};
  const DataSet expected = select(copy, samples);
  Array<float> x(expected.inputs.shape()), y(expected.outputs.shape());
  ScaledData(data, inputs, outputs).gather(samples, x.data(), y.data());
  EXPECT_EQ(x, expected.inputs);
  EXPECT_EQ(y, expected.outputs);
  ScaledData(data).gather(samples, x.data(), y.data());
  EXPECT_EQ(x, select(data, samples).inputs);
}

TEST_F(ScaledDataTest, HasTheFingerprintOfAScaledCopy) {
  EXPECT_EQ(ScaledData(data).fingerprint(), data_fingerprint(data));
  EXPECT_EQ(ScaledData(data, inputs, outputs).fingerprint(),
            data_fingerprint(scaled_copy(data, inputs, outputs)));
  EXPECT_EQ(ScaledData(data, {}, outputs).fingerprint(), data_fingerprint(scaled_copy(data, {}, outputs)));
  DataSet large = data;  // hashed in more than one piece
  large.outputs = test::awkward_floats({7, 300, 100, 1}, 9);
  large.outputs[2] = 1.0F;
  EXPECT_EQ(ScaledData(large, {}, outputs).fingerprint(), data_fingerprint(scaled_copy(large, {}, outputs)));
}

TEST_F(ScaledDataTest, RefusesANormalisationOfOtherChannels) {
  EXPECT_ERROR(ScaledData(data, outputs, outputs), "inputs of shape [7, 5, 4, 2]");
  EXPECT_ERROR(ScaledData(data, inputs, inputs), "normalisation of 2 channels");
}

}  // namespace
}  // namespace nouq
