#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nouq/data.h>

#include "data/expect_error.h"
#include "data/sample_data.h"

namespace nouq {
namespace {

using test::sample_data;

TEST(Validate, AcceptsACompleteDataSet) { EXPECT_NO_THROW(validate(sample_data(), "set")); }

TEST(Validate, NamesSourceArrayAndSampleOfANonFiniteValue) {
  DataSet data = sample_data();
  data.inputs.row(3)[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_ERROR(validate(data, "file.h5"),
               "file.h5: array 'inputs' is not finite in sample 3: value nan at element 7");
  data = sample_data();
  data.outputs.row(5)[0] = std::numeric_limits<float>::infinity();
  EXPECT_ERROR(validate(data, "set"), "array 'outputs' is not finite in sample 5");
  data = sample_data();
  data.parameters[2] = -std::numeric_limits<double>::infinity();
  EXPECT_ERROR(validate(data, "set"), "array 'parameters' is not finite in sample 2");
  data = sample_data();
  data.constraint_values["mass"][9] = std::nan("");
  EXPECT_ERROR(validate(data, "set"), "array 'mass' is not finite in sample 2");
}

TEST(Validate, RefusesShapesThatDisagree) {
  DataSet data = sample_data();
  data.outputs = Array<float>({6, 4, 5, 1});
  EXPECT_ERROR(validate(data, "set"), "array 'outputs' has shape [6, 4, 5, 1], expected [6, 5, 4, 1]");
  data = sample_data();
  data.input_channels.pop_back();
  EXPECT_ERROR(validate(data, "set"), "array 'inputs' has shape [6, 5, 4, 2], expected [6, 5, 4, 1]");
  data = sample_data();
  data.parameters = Array<double>({5, 1});
  EXPECT_ERROR(validate(data, "set"), "array 'parameters' has shape [5, 1], expected [6, 1]");
  data = sample_data();
  data.constraint_values["mass"] = Array<double>({7, 4});
  EXPECT_ERROR(validate(data, "set"), "constraint values 'mass' have shape [7, 4], expected 6 samples");
}

TEST(Validate, RefusesAnEmptySetAndBadAxes) {
  EXPECT_ERROR(validate(DataSet{}, "set"), "the grid has no axis");
  DataSet data = sample_data();
  data.inputs = Array<float>({0, 5, 4, 2});
  EXPECT_ERROR(validate(data, "set"), "array 'inputs' of shape [0, 5, 4, 2] holds no sample");
  data = sample_data();
  data.grid[1].coordinates[2] = data.grid[1].coordinates[1];
  EXPECT_ERROR(validate(data, "set"), "axis 't' must increase strictly");
  data = sample_data();
  data.grid[0].coordinates.clear();
  EXPECT_ERROR(validate(data, "set"), "axis 'x' has no coordinates");
  data = sample_data();
  data.grid[0].coordinates[4] = std::numeric_limits<double>::infinity();
  EXPECT_ERROR(validate(data, "set"), "coordinate 4 of axis 'x' is inf, not finite");
}

TEST(RequireSamples, SaysHowManyAreNeeded) {
  EXPECT_NO_THROW(require_samples(sample_data(6), 6, "training", "set"));
  EXPECT_ERROR(require_samples(sample_data(6), 20, "training with a batch of 20", "a.npz"),
               "a.npz: training with a batch of 20 needs at least 20 samples, this data set has 6");
}

TEST(Select, TakesTheRowsOfEveryArray) {
  const DataSet data = sample_data();
  const DataSet part = select(data, {4, 0, 4});
  validate(part, "part");
  ASSERT_EQ(part.size(), 3);
  for (const auto& [to, from] : {std::pair<Index, Index>{0, 4}, {1, 0}, {2, 4}}) {
    for (Index i = 0; i < 40; ++i) EXPECT_EQ(part.inputs.row(to)[i], data.inputs.row(from)[i]);
    for (Index i = 0; i < 20; ++i) EXPECT_EQ(part.outputs.row(to)[i], data.outputs.row(from)[i]);
    EXPECT_EQ(part.parameters[to], data.parameters[from]);
    EXPECT_EQ(part.constraint_values.at("mass").row(to)[3], data.constraint_values.at("mass").row(from)[3]);
  }
  EXPECT_EQ(part.provenance, data.provenance);
}

TEST(Select, KeepsAllThatIsNotOfOneSample) {
  DataSet data = sample_data();
  data.laws["heat"] = {{"x"}, 0};
  data.bounds = {{-1, 1}};
  const DataSet all = data;
  EXPECT_EQ(select(data, {0, 1, 2, 3, 4, 5}), all);
  EXPECT_EQ(take_out(data, {0}), select(all, {0}));
  EXPECT_EQ(data, select(all, {1, 2, 3, 4, 5}));
}

TEST(TakeOut, IsTheSelectionOfEachPart) {
  for (const std::vector<Index>& leaving :
       {std::vector<Index>{0}, {5}, {1, 4}, {0, 1, 2, 3, 4}, {1, 2, 3, 4, 5}, {0, 2, 4}}) {
    std::vector<Index> staying;
    for (Index i = 0; i < 6; ++i) {
      if (std::find(leaving.begin(), leaving.end(), i) == leaving.end()) staying.push_back(i);
    }
    const DataSet all = sample_data();
    DataSet rest = all;
    EXPECT_EQ(take_out(rest, leaving), select(all, leaving));
    EXPECT_EQ(rest, select(all, staying));
    validate(rest, "rest");
  }
}

TEST(TakeOut, RefusesWhatLeavesNoTwoParts) {
  DataSet data = sample_data();
  EXPECT_ERROR(take_out(data, {}), "no sample asked for");
  EXPECT_ERROR(take_out(data, {6}), "sample 6 does not exist, there are 6");
  EXPECT_ERROR(take_out(data, {2, 1}), "must increase");
  EXPECT_ERROR(take_out(data, {2, 2}), "must increase");
  EXPECT_ERROR(take_out(data, {0, 1, 2, 3, 4, 5}), "all 6 samples");
  EXPECT_EQ(data, sample_data());
}

TEST(Select, RefusesNothingAndUnknownSamples) {
  EXPECT_ERROR(select(sample_data(), {}), "no sample asked for");
  EXPECT_ERROR(select(sample_data(), {0, 6}), "sample 6 does not exist, there are 6");
  EXPECT_ERROR(select(sample_data(), {-1}), "sample -1 does not exist");
}

}  // namespace
}  // namespace nouq
