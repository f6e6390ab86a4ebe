// numpy and h5py read our files, and we read theirs. Skipped where Python lacks them.
#include "support/python.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/expect_error.h"
#include "data/identical.h"
#include "data/load.h"
#include "data/npz.h"
#include "data/sample_data.h"
#include "data/temporary_folder.h"

namespace nouq {
namespace {

using test::has_numpy;

bool has_h5py() { return NOUQ_HAVE_HDF5 && has_numpy() && test::run_python("-c 'import h5py' 2>/dev/null"); }

bool run_script(const std::string& name, const test::TemporaryFolder& folder, const std::string& format) {
  return test::run_python(fmt::format("-B {}/tests/data/python/{} {} {}", test::source_dir(), name,
                                      (folder / "").string(), format));
}

template <class T>
void dump(const std::filesystem::path& path, const Array<T>& array) {
  const auto bytes = std::as_bytes(array.span());
  test::write_all(path, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void dump_all(const test::TemporaryFolder& folder, const DataSet& data) {
  dump(folder / "inputs.bin", data.inputs);
  dump(folder / "outputs.bin", data.outputs);
  dump(folder / "parameters.bin", data.parameters);
  dump(folder / "mass.bin", data.constraint_values.at("mass"));
}

// The set that write_sets.py writes.
void expect_their_set(const DataSet& data) {
  ASSERT_EQ(data.inputs.shape(), (Shape{3, 5, 4, 2}));
  ASSERT_EQ(data.outputs.shape(), (Shape{3, 5, 4, 1}));
  for (Index i = 0; i < data.inputs.size(); ++i) ASSERT_EQ(data.inputs[i], static_cast<float>(i) / 7.0F);
  for (Index i = 0; i < data.outputs.size(); ++i) ASSERT_EQ(data.outputs[i], static_cast<float>(i) / 3.0F);
  EXPECT_EQ(data.grid[0].coordinates, linspace(0, 1, 5));
  EXPECT_EQ(data.grid[0].unit, "m");
  EXPECT_TRUE(data.grid[0].periodic());
  EXPECT_EQ(data.grid[1].name, "t");
  EXPECT_FALSE(data.grid[1].periodic());
  EXPECT_EQ(data.input_channels, (std::vector<Channel>{{"k", "m²"}, {"u0", "K"}}));
  EXPECT_EQ(data.output_channels, (std::vector<Channel>{{"u", ""}}));
  EXPECT_EQ(data.parameters, Array<double>({3, 1}, {0, 1, 2}));
  EXPECT_EQ(data.constraint_values.at("mass").shape(), (Shape{3, 4}));
  EXPECT_EQ(data.provenance.at("author"), "numpy δ");
}

TEST(Numpy, ReadsOurFiles) {
  if (!has_numpy()) GTEST_SKIP() << "no Python with numpy was found when this was configured";
  const test::TemporaryFolder folder;
  const DataSet data = test::sample_data();
  dump_all(folder, data);
  save_npz(folder / "stored.npz", data);
  save_npz(folder / "deflated.npz", data, Compression::deflate);
  ZipWriter zip64(Compression::deflate, 0);
  const std::string hello = "hello";
  zip64.add("a", {test::bytes_of(hello)});
  std::string file;
  for (const auto part : zip64.finish()) file.append(reinterpret_cast<const char*>(part.data()), part.size());
  test::write_all(folder / "zip64.zip", file);
  EXPECT_TRUE(run_script("check_sets.py", folder, "npz"));
}

TEST(Numpy, WritesFilesWeRead) {
  if (!has_numpy()) GTEST_SKIP() << "no Python with numpy was found when this was configured";
  const test::TemporaryFolder folder;
  ASSERT_TRUE(run_script("write_sets.py", folder, "npz"));
  for (const char* name : {"plain.npz", "compressed.npz", "fortran_big_endian.npz", "float64.npz"}) {
    SCOPED_TRACE(name);
    LoadReport report;
    expect_their_set(load_data_set(folder / name, &report));
    EXPECT_EQ(report.notices.size(), std::string(name) == "float64.npz" ? 2U : 0U);
  }
  EXPECT_ERROR(load_data_set(folder / "pickle.npz"),
               "array 'inputs': dtype '|O' holds Python objects (pickle)");
}

// The snippets of docs/data-format.md, run as they stand.
TEST(H5py, SnippetsOfTheDocumentationWriteFilesWeRead) {
  if (!has_h5py()) GTEST_SKIP() << "no HDF5, or no Python with h5py was found when this was configured";
  const test::TemporaryFolder folder;
  ASSERT_TRUE(test::run_snippets("data-format.md", folder / ""));
  for (const char* name : {"mine.npz", "mine.h5"}) {
    LoadReport report;
    const DataSet data = load_data_set(folder / name, &report);
    EXPECT_EQ(data.size(), 400);
    EXPECT_EQ(data.grid[1].unit, "s");
    EXPECT_EQ(data.input_channels[0], (Channel{"k", "m^2/s"}));
    EXPECT_TRUE(report.notices.empty()) << report.notices[0];
  }
}

TEST(H5py, ReadsOurFiles) {
  if (!has_h5py()) GTEST_SKIP() << "no HDF5, or no Python with h5py was found when this was configured";
  const test::TemporaryFolder folder;
  const DataSet data = test::sample_data();
  dump_all(folder, data);
  save_data_set(folder / "set.h5", data);
  EXPECT_TRUE(run_script("check_sets.py", folder, "hdf5"));
}

TEST(H5py, WritesFilesWeRead) {
  if (!has_h5py()) GTEST_SKIP() << "no HDF5, or no Python with h5py was found when this was configured";
  const test::TemporaryFolder folder;
  ASSERT_TRUE(run_script("write_sets.py", folder, "hdf5"));
  for (const char* name : {"plain.h5", "gzip.h5", "lzf.h5", "latest.h5"}) {
    SCOPED_TRACE(name);
    expect_their_set(load_data_set(folder / name));
  }
  const DataSet data = load_data_set(folder / "pdebench_groups.h5");
  ASSERT_EQ(data.outputs.shape(), (Shape{3, 32, 32, 4, 2}));
  const std::string noise = test::read_all(folder / "noise.bin");
  const auto* expected = reinterpret_cast<const float*>(noise.data());
  for (Index t = 0; t < 4; ++t) {
    for (Index point = 0; point < 1024; ++point) {
      for (Index c = 0; c < 2; ++c) {
        ASSERT_EQ(data.outputs.row(1)[(point * 4 + t) * 2 + c], expected[(t * 1024 + point) * 2 + c]);
      }
    }
  }
  for (const float value : data.outputs.row(2)) ASSERT_EQ(value, 2.0F);
}

}  // namespace
}  // namespace nouq
