// PDEBench's layouts, as its generating scripts write them (shapes and names), and their mapping.
#if NOUQ_HAVE_HDF5
#include <functional>

#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "data/hdf5_file.h"
#include "data/load.h"
#include "data/temporary_folder.h"

namespace nouq {
namespace {

using test::Hdf5File;

// Values that tell their own index: 0, 1, 2, ...
Array<float> counted(Shape shape) {
  Array<float> values(std::move(shape));
  for (Index i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return values;
}

DataSet load(const std::function<void(Hdf5File&)>& fill, LoadReport* report = nullptr) {
  const test::TemporaryFolder folder;
  {
    const hdf5::Session session;
    Hdf5File file(folder / "pde.hdf5");
    fill(file);
  }
  return load_data_set(folder / "pde.hdf5", report);
}

TEST(PdeBench, OneDimensionalTrajectories) {
  LoadReport report;
  const DataSet data = load(
      [](Hdf5File& file) {  // 2 samples, 3 times, 4 points; one time too many in the list, as published
        file.add("tensor", counted({2, 3, 4}))
            .add("x-coordinate", counted({4}))
            .add("t-coordinate", counted({4}));
        file.number("/", "beta", 0.4);
      },
      &report);
  EXPECT_EQ(report.format, "PDEBench trajectories");
  ASSERT_EQ(data.outputs.shape(), (Shape{2, 4, 3, 1}));
  ASSERT_EQ(data.inputs.shape(), (Shape{2, 4, 3, 1}));
  EXPECT_EQ(data.grid[0].name, "x");
  EXPECT_EQ(data.grid[1].name, "t");
  EXPECT_EQ(data.grid[1].coordinates, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(data.provenance.at("beta"), "0.4");
  for (Index n = 0; n < 2; ++n) {
    for (Index x = 0; x < 4; ++x) {
      for (Index t = 0; t < 3; ++t) {
        EXPECT_EQ(data.outputs.row(n)[x * 3 + t], static_cast<float>((n * 3 + t) * 4 + x));
        EXPECT_EQ(data.inputs.row(n)[x * 3 + t], static_cast<float>(n * 12 + x))
            << "the first time, repeated";
      }
    }
  }
}

TEST(PdeBench, DarcyFlow) {
  const DataSet data = load([](Hdf5File& file) {
    file.add("tensor", counted({2, 1, 3, 4})).add("nu", counted({2, 3, 4})).add("x-coordinate", counted({3}));
    file.add("y-coordinate", counted({4})).add("t-coordinate", counted({10})).number("/", "beta", 1.0);
  });
  EXPECT_EQ(data.inputs.shape(), (Shape{2, 3, 4, 1}));
  EXPECT_EQ(data.outputs.shape(), (Shape{2, 3, 4, 1}));
  EXPECT_EQ(data.inputs[23], 23.0F);
  EXPECT_EQ(data.outputs[17], 17.0F);
  EXPECT_EQ(data.input_channels[0].name, "nu");
}

TEST(PdeBench, CompressibleFlowIn2d) {
  const DataSet data = load([](Hdf5File& file) {
    for (const char* name : {"Vx", "Vy", "density", "pressure"}) file.add(name, counted({1, 2, 3, 2}));
    for (const char* name : {"x-coordinate", "y-coordinate", "t-coordinate"}) file.add(name, counted({3}));
  });
  ASSERT_EQ(data.outputs.shape(), (Shape{1, 3, 2, 2, 4}));
  EXPECT_EQ(data.output_channels[0].name, "density");
  EXPECT_EQ(data.output_channels[3].name, "Vy");
  EXPECT_EQ(data.input_channels[1].name, "pressure at the first time");
  // Point (2, 1) at time 1: index (1 * 3 + 2) * 2 + 1 in every variable.
  for (Index c = 0; c < 4; ++c) EXPECT_EQ(data.outputs[((2 * 2 + 1) * 2 + 1) * 4 + c], 11.0F);
  for (Index c = 0; c < 4; ++c) EXPECT_EQ(data.inputs[((2 * 2 + 1) * 2 + 1) * 4 + c], 5.0F);
}

TEST(PdeBench, OneGroupPerSample) {
  LoadReport report;
  const DataSet data = load(
      [](Hdf5File& file) {  // 10000 must come after 9999
        for (const char* group : {"9999", "10000"}) {
          const std::string name = group;
          Array<float> values = counted({2, 3, 2, 2});
          values[0] = static_cast<float>(std::stoi(name));
          file.add(name + "/data", values).add(name + "/grid/x", counted({3}));
          file.add(name + "/grid/y", counted({2})).add(name + "/grid/t", counted({2}));
        }
      },
      &report);
  EXPECT_EQ(report.format, "PDEBench, one group per sample");
  ASSERT_EQ(data.outputs.shape(), (Shape{2, 3, 2, 2, 2}));
  EXPECT_EQ(data.outputs.row(0)[0], 9999.0F);
  EXPECT_EQ(data.outputs.row(1)[0], 10000.0F);
  // Time 1, point (2, 1), variable 1: index ((1 * 3 + 2) * 2 + 1) * 2 + 1.
  EXPECT_EQ(data.outputs.row(1)[((2 * 2 + 1) * 2 + 1) * 2 + 1], 23.0F);
  EXPECT_EQ(data.inputs.row(1)[((2 * 2 + 1) * 2 + 1) * 2 + 1], 11.0F);
  EXPECT_EQ(data.output_channels[1].name, "u1");
  EXPECT_EQ(data.grid[2].name, "t");
}

struct BadFile {
  std::string name;
  std::function<void(Hdf5File&)> fill;
  std::string message;
  friend std::ostream& operator<<(std::ostream& out, const BadFile& file) { return out << file.name; }
};

std::vector<BadFile> bad_files() {
  return {
      {"tensor_of_two_axes",
       [](Hdf5File& f) {
         f.add("tensor", counted({2, 3}));
       },
       "array 'tensor' has shape [2, 3], expected [samples, times, x]"},
      {"tensor_empty",
       [](Hdf5File& f) {
         f.add("tensor", counted({2, 0, 3}));
       },
       "array 'tensor' has shape [2, 0, 3]"},
      {"times_too_few",
       [](Hdf5File& f) {
         f.add("tensor", counted({2, 3, 4})).add("t-coordinate", counted({2}));
       },
       "array 't-coordinate' has shape [2], expected a list of 3 coordinates"},
      {"points_disagree",
       [](Hdf5File& f) {
         f.add("tensor", counted({2, 3, 4})).add("x-coordinate", counted({3}));
       },
       "array 'x-coordinate' has shape [3], expected a list of 4 coordinates"},
      {"darcy_nu_disagrees",
       [](Hdf5File& f) {
         f.add("tensor", counted({2, 1, 3, 4})).add("nu", counted({2, 4, 3}));
       },
       "array 'nu' has shape [2, 4, 3], expected [2, 3, 4]"},
      {"darcy_with_times",
       [](Hdf5File& f) {
         f.add("tensor", counted({2, 5, 3, 4})).add("nu", counted({2, 3, 4}));
       },
       "array 'tensor' has shape [2, 5, 3, 4], expected [samples, 1, x, y] beside 'nu'"},
      {"flow_shapes_disagree",
       [](Hdf5File& f) {
         f.add("density", counted({2, 3, 4})).add("Vx", counted({2, 3, 5}));
       },
       "array 'Vx' has shape [2, 3, 5], expected [2, 3, 4]"},
      {"sample_of_other_shape",
       [](Hdf5File& f) {
         f.add("0000/data", counted({2, 3, 1})).add("0001/data", counted({2, 4, 1}));
       },
       "array '0001/data' has shape [2, 4, 1], but sample 0000 has [2, 3, 1]"},
      {"sample_of_other_grid",
       [](Hdf5File& f) {
         for (const char* g : {"0000", "0001"}) f.add(std::string(g) + "/data", counted({2, 3, 1}));
         f.add("0000/grid/x", counted({3}));
       },
       "sample 0001 has another grid than sample 0000"},
      {"sample_without_data",
       [](Hdf5File& f) {
         f.add("0000/data", counted({2, 3, 1})).add("0001/grid/x", counted({3}));
       },
       "array '0001/data' is missing"},
      {"sample_linked_many_times",
       [](Hdf5File& f) {
         f.add("0000/data", counted({10, 100, 1}));
         for (int i = 1; i < 50; ++i)
           H5Lcreate_hard(f.id(), "0000", f.id(), std::to_string(1000 + i).c_str(), f.links(), H5P_DEFAULT);
       },
       "and the arrays before it claim"},
      {"sample_nan",
       [](Hdf5File& f) {
         auto bad = counted({2, 3, 1});
         bad[4] = std::numeric_limits<float>::quiet_NaN();
         f.add("0000/data", counted({2, 3, 1})).add("0001/data", bad);
       },
       "array 'outputs' is not finite in sample 1"},
  };
}

class MalformedPdeBench : public testing::TestWithParam<BadFile> {};
TEST_P(MalformedPdeBench, IsRefused) { EXPECT_ERROR(load(GetParam().fill), GetParam().message); }
INSTANTIATE_TEST_SUITE_P(Files, MalformedPdeBench, testing::ValuesIn(bad_files()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace nouq
#endif
