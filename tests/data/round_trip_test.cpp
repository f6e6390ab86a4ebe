// What is saved is loaded again, bit for bit, and the same data gives the same file.
#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "data/identical.h"
#include "data/load.h"
#include "data/npz.h"
#include "data/sample_data.h"
#include "data/temporary_folder.h"

namespace nouq {
namespace {

using test::identical;
using test::read_all;
using test::sample_data;

std::vector<std::string> file_names() {
  return NOUQ_HAVE_HDF5 ? std::vector<std::string>{"set.npz", "set.h5", "set.HDF5"}
                        : std::vector<std::string>{"set.npz"};
}

TEST(RoundTrip, KeepsEveryBit) {
  const test::TemporaryFolder folder;
  for (const std::string& name : file_names()) {
    const DataSet data = sample_data();
    save_data_set(folder / name, data);
    LoadReport report;
    EXPECT_TRUE(identical(load_data_set(folder / name, &report), data)) << name;
    EXPECT_TRUE(report.notices.empty()) << report.notices[0];
    EXPECT_TRUE(report.format.starts_with("nouq")) << report.format;
  }
}

TEST(RoundTrip, WorksWithoutTheOptionalParts) {
  const test::TemporaryFolder folder;
  DataSet data = sample_data(1);
  data.parameters = {};
  data.parameter_names.clear();
  data.constraint_values.clear();
  data.provenance.clear();
  data.grid.pop_back();
  data.inputs = test::awkward_floats({1, 5, 2}, 1);
  data.outputs = test::awkward_floats({1, 5, 1}, 2);
  for (const std::string& name : file_names()) {
    save_data_set(folder / name, data);
    EXPECT_TRUE(identical(load_data_set(folder / name), data)) << name;
  }
}

TEST(RoundTrip, KeepsLongProvenance) {
  const test::TemporaryFolder folder;
  DataSet data = sample_data();
  data.provenance["configuration"] = std::string(200000, 'x') + "é";
  data.provenance["empty"] = "";
  for (const std::string& name : file_names()) {
    save_data_set(folder / name, data);
    EXPECT_TRUE(identical(load_data_set(folder / name), data)) << name;
  }
}

TEST(RoundTrip, GivesTheSameFileForTheSameData) {
  const test::TemporaryFolder folder;
  for (const std::string& name : file_names()) {
    save_data_set(folder / name, sample_data());
    const std::string first = read_all(folder / name);
    save_data_set(folder / name, sample_data());
    EXPECT_EQ(first, read_all(folder / name)) << name;
  }
}

TEST(RoundTrip, CompressedNpzHoldsTheSame) {
  const test::TemporaryFolder folder;
  DataSet data = sample_data();
  data.outputs = Array<float>({6, 5, 4, 1}, 1.5F);
  save_npz(folder / "small.npz", data, Compression::deflate);
  save_npz(folder / "large.npz", data, Compression::none);
  EXPECT_TRUE(identical(load_npz(folder / "small.npz"), data));
  EXPECT_LT(read_all(folder / "small.npz").size(), read_all(folder / "large.npz").size());
}

TEST(Load, GoesByContentsAndSaveByExtension) {
  const test::TemporaryFolder folder;
  save_data_set(folder / "set.npz", sample_data());
  std::filesystem::rename(folder / "set.npz", folder / "set.h5");
  EXPECT_TRUE(identical(load_data_set(folder / "set.h5"), sample_data()));
  EXPECT_ERROR(save_data_set(folder / "set.csv", sample_data()),
               "ends in '.csv', expected .npz, .h5 or .hdf5");
  EXPECT_ERROR(load_data_set(folder / "none.npz"), "cannot open");
}

TEST(Save, RefusesWhatItCouldNotGiveBack) {
  const test::TemporaryFolder folder;
  for (const std::string& name : file_names()) {
    DataSet data = sample_data();
    data.input_channels[0].name = "bad\xff";
    EXPECT_ERROR(save_data_set(folder / name, data), "names of input channels: text is not UTF-8");
    data = sample_data();
    data.provenance["x"] = std::string("a\0b", 3);
    EXPECT_ERROR(save_data_set(folder / name, data), "provenance 'x': text holds a zero character");
    data = sample_data();
    data.constraint_values["a/b"] = data.constraint_values["mass"];
    EXPECT_ERROR(save_data_set(folder / name, data), "constraint 'a/b' cannot be the name of an array");
    data = sample_data();
    data.inputs[5] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_ERROR(save_data_set(folder / name, data), "not finite in sample 0");
    EXPECT_FALSE(std::filesystem::exists(folder / name)) << "a refused save leaves nothing behind";
  }
}

}  // namespace
}  // namespace nouq
