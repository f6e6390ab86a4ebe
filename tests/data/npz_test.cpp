// The NPZ layout of a data set: what may be left out, and what is refused.
#include "data/npz.h"

#include <cmath>

#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "data/load.h"
#include "data/npy.h"
#include "data/sample_data.h"
#include "data/temporary_folder.h"

namespace nouq {
namespace {

using test::bytes_of;
using test::sample_data;

// A set of arrays to be packed; tests change or remove some.
class Npz {
 public:
  template <class T>
  Npz& set(const std::string& name, const Array<T>& array) {
    std::string file = npy_header(array);
    std::vector<std::byte> text;
    std::span<const std::byte> values;
    if constexpr (std::is_same_v<T, std::string>) {
      text = npy_text_values(array);
      values = text;
    } else {
      values = std::as_bytes(array.span());
    }
    file.append(reinterpret_cast<const char*>(values.data()), values.size());
    members_[name + ".npy"] = file;
    return *this;
  }
  Npz& remove(const std::string& name) {
    members_.erase(name + ".npy");
    return *this;
  }
  [[nodiscard]] DataSet load(LoadReport* report = nullptr) const {
    ZipWriter zip(Compression::none);
    for (const auto& [name, contents] : members_) zip.add(name, {bytes_of(contents)});
    std::string file;
    for (const auto part : zip.finish()) file.append(reinterpret_cast<const char*>(part.data()), part.size());
    return read_npz(bytes_of(file), "bad.npz", report);
  }

 private:
  std::map<std::string, std::string> members_;
};

Array<std::string> texts(Shape shape, std::vector<std::string> values) {
  return {std::move(shape), std::move(values)};
}

Npz minimal() {
  return Npz().set("inputs", Array<float>({2, 3, 1}, 1.0F)).set("outputs", Array<float>({2, 3, 1}, 2.0F));
}

TEST(NpzLayout, NeedsOnlyInputsAndOutputs) {
  LoadReport report;
  const DataSet data = minimal().load(&report);
  EXPECT_EQ(data.grid[0].coordinates, (std::vector<double>{0.0, 0.5, 1.0}));
  EXPECT_EQ(data.input_channels[0].name, "input 0");
  ASSERT_EQ(report.notices.size(), 3U);
  EXPECT_NE(report.notices[2].find("axis 'axis 0' has no coordinates, 3 evenly spaced points"),
            std::string::npos);
}

TEST(NpzLayout, TakesShortFormsAndReportsWhatItIgnores) {
  LoadReport report;
  const DataSet data = minimal()
                           .set("axis0", Array<float>({3}, {1, 2, 4}))
                           .set("axes", texts({1}, {"x"}))
                           .set("input_channels", texts({1}, {"k"}))
                           .set("output_channels", texts({1, 2}, {"u", "K"}))
                           .set("parameters", Array<double>({2}, {7.0, 8.0}))
                           .set("parameter_names", texts({1}, {"m"}))
                           .set("colour", Array<float>({1}))
                           .load(&report);
  EXPECT_EQ(data.grid[0], (Axis{"x", "", {1, 2, 4}}));
  EXPECT_EQ(data.input_channels[0], (Channel{"k", ""}));
  EXPECT_EQ(data.output_channels[0], (Channel{"u", "K"}));
  EXPECT_EQ(data.parameters, Array<double>({2, 1}, {7.0, 8.0}));
  ASSERT_EQ(report.notices.size(), 1U);
  EXPECT_EQ(report.notices[0], "bad.npz: 'colour.npy' is not part of the layout and was ignored");
}

TEST(NpzLayout, SaysThatFloat64WasRounded) {
  LoadReport report;
  const DataSet data = minimal().set("inputs", Array<double>({2, 3, 1}, 0.1)).load(&report);
  EXPECT_EQ(data.inputs[0], 0.1F);
  ASSERT_FALSE(report.notices.empty());
  EXPECT_EQ(report.notices[0], "bad.npz: array 'inputs': float64 values were rounded to float32");
}

struct BadLayout {
  std::string name;
  std::function<void(Npz&)> change;
  std::string message;
  friend std::ostream& operator<<(std::ostream& out, const BadLayout& layout) { return out << layout.name; }
};

std::vector<BadLayout> bad_layouts() {
  const double nan = std::nan("");
  return {
      {"inputs_missing", [](Npz& z) { z.remove("inputs"); }, "array 'inputs' is missing"},
      {"outputs_missing", [](Npz& z) { z.remove("outputs"); }, "array 'outputs' is missing"},
      {"inputs_of_one_axis", [](Npz& z) { z.set("inputs", Array<float>({6})); },
       "array 'inputs' has shape [6], expected [samples"},
      {"no_samples",
       [](Npz& z) {
         z.set("inputs", Array<float>({0, 3, 1}));
       },
       "array 'inputs' has shape [0, 3, 1], expected [samples"},
      {"no_channels",
       [](Npz& z) {
         z.set("outputs", Array<float>({2, 3, 0}));
       },
       "array 'outputs' has shape [2, 3, 0], expected [samples"},
      {"inputs_are_text", [](Npz& z) { z.set("inputs", texts({1}, {"x"})); },
       "array 'inputs': array holds text"},
      {"samples_disagree",
       [](Npz& z) {
         z.set("outputs", Array<float>({3, 3, 1}));
       },
       "array 'outputs' has shape [3, 3, 1], expected [2, 3, 1]"},
      {"grids_disagree",
       [](Npz& z) {
         z.set("outputs", Array<float>({2, 4, 1}));
       },
       "array 'outputs' has shape [2, 4, 1], expected [2, 3, 1]"},
      {"nan_in_outputs",
       [](Npz& z) {
         z.set("outputs", Array<float>({2, 3, 1}, {1, 2, 3, 4, std::nanf(""), 6}));
       },
       "array 'outputs' is not finite in sample 1: value nan at element 1"},
      {"float64_beyond_float32",
       [](Npz& z) {
         z.set("inputs", Array<double>({2, 3, 1}, {0, 0, 0, 0, 0, 1e300}));
       },
       "array 'inputs' is not finite in sample 1: value inf"},
      {"axes_too_many",
       [](Npz& z) {
         z.set("axes", texts({2}, {"x", "t"}));
       },
       "array 'axes' names 2 axes, but the fields have 1"},
      {"axes_four_columns",
       [](Npz& z) {
         z.set("axes", texts({1, 4}, {"x", "m", "", "?"}));
       },
       "array 'axes' has shape [1, 4], expected one row of up to 3 texts"},
      {"axes_unknown_word",
       [](Npz& z) {
         z.set("axes", texts({1, 3}, {"x", "m", "yes"}));
       },
       "axis 0: unknown kind of axis 'yes'"},
      {"axis_too_short",
       [](Npz& z) {
         z.set("axis0", Array<double>({2}, {0, 1}));
       },
       "array 'inputs' has shape [2, 3, 1], expected [2, 2, 1]"},
      {"axis_of_two_axes",
       [](Npz& z) {
         z.set("axis0", Array<double>({3, 1}));
       },
       "array 'axis0' has shape [3, 1], expected a list of coordinates"},
      {"axis_not_increasing",
       [](Npz& z) {
         z.set("axis0", Array<double>({3}, {0, 2, 1}));
       },
       "must increase strictly, but 2 is followed by 1 at index 2"},
      {"channels_too_many",
       [](Npz& z) {
         z.set("input_channels", texts({2}, {"a", "b"}));
       },
       "array 'inputs' has shape [2, 3, 1], expected [2, 3, 2]"},
      {"parameters_of_three_axes",
       [](Npz& z) {
         z.set("parameters", Array<double>({2, 1, 1}));
       },
       "array 'parameters' has shape [2, 1, 1], expected [samples, parameters]"},
      {"parameters_empty_but_wide",
       [](Npz& z) {
         z.set("parameters", Array<double>({0, 4000000000000000000}));
       },
       "array 'parameters' has shape [0, 4000000000000000000], expected"},
      {"parameters_of_other_samples",
       [](Npz& z) {
         z.set("parameters", Array<double>({3, 1}));
       },
       "array 'parameters' has shape [3, 1], expected [2, 1]"},
      {"parameters_not_finite",
       [nan](Npz& z) {
         z.set("parameters", Array<double>({2}, {0, nan}));
       },
       "array 'parameters' is not finite in sample 1"},
      {"constraint_of_other_samples", [](Npz& z) { z.set("constraint_mass", Array<double>({3})); },
       "constraint values 'mass' have shape [3], expected 2 samples"},
      {"provenance_of_numbers",
       [](Npz& z) {
         z.set("provenance", Array<double>({1, 2}));
       },
       "array 'provenance': array holds numbers, expected text"},
      {"format_of_others", [](Npz& z) { z.set("format", texts({1}, {"their-data 7"})); },
       "format is 'their-data 7', expected 'nouq-data 1'"},
  };
}

class MalformedNpz : public testing::TestWithParam<BadLayout> {};
TEST_P(MalformedNpz, IsRefused) {
  Npz file = minimal();
  GetParam().change(file);
  EXPECT_ERROR(static_cast<void>(file.load()), GetParam().message);
  EXPECT_ERROR(static_cast<void>(file.load()), "bad.npz: ");
}
INSTANTIATE_TEST_SUITE_P(Files, MalformedNpz, testing::ValuesIn(bad_layouts()),
                         testing::PrintToStringParamName());

TEST(Load, RefusesFilesThatAreNoDataSets) {
  const test::TemporaryFolder folder;
  const auto refuses = [&](const std::string& bytes, const std::string& message) {
    test::write_all(folder / "file", bytes);
    EXPECT_ERROR(load_data_set(folder / "file"), message);
  };
  refuses("", "the file is empty");
  refuses("x,y\n1,2\n", "is neither NPZ nor HDF5");
  refuses("\x93NUMPY", "is one NPY array; a data set needs inputs and outputs in one NPZ file");
  refuses("PK\x03\x04", "not a ZIP (NPZ) file: 4 bytes are too few");
  EXPECT_ERROR(load_data_set(folder / ""), "not a regular file");
}

}  // namespace
}  // namespace nouq
