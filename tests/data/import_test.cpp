// Folders of solver runs: what is read, in which order, and what is left out and why.
#include "data/import.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "data/npy.h"
#include "data/temporary_folder.h"
#include "data/zip.h"
#include "support/message.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

using Arrays = std::vector<std::pair<std::string, Array<double>>>;

void write_npz(const fs::path& path, const Arrays& arrays) {
  ZipWriter zip(Compression::none);
  std::vector<std::string> headers;
  headers.reserve(arrays.size());
  for (const auto& [name, array] : arrays) {
    headers.push_back(npy_header(array));
    zip.add(name + ".npy", {test::bytes_of(headers.back()), std::as_bytes(array.span())});
  }
  write_file_atomically(path, zip.finish());
}

// value + 10 i + j on an n x m grid.
Array<double> ramp(Index n, Index m, double value) {
  Array<double> array({n, m});
  for (Index k = 0; k < array.size(); ++k) array[k] = value + static_cast<double>(10 * (k / m) + k % m);
  return array;
}

class Import : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder / "runs");
    options.folder = folder / "runs";
  }
  fs::path run(const std::string& name) const { return options.folder / name; }
  void table(const std::string& text) {
    options.table = folder / "t.csv";
    test::write_all(options.table, text);
  }
  DataSet import() { return import_runs(options, report); }
  // The message without the folders of this test.
  std::string refusal() {
    std::string message = test::message_of([&] { import(); });
    const std::string root = (folder / "").string();
    for (std::size_t at = 0; (at = message.find(root)) != std::string::npos;) message.erase(at, root.size());
    return message;
  }
  std::string skipped(std::size_t i) const {
    return report.skipped.at(i).what + ": " + report.skipped.at(i).reason;
  }

  test::TemporaryFolder folder;
  ImportOptions options;
  ImportReport report;
};

TEST_F(Import, SamplesComeInTheOrderOfTheTable) {
  save_npy(run("a.npy"), ramp(3, 2, 100));
  save_npy(run("b.npy"), ramp(3, 2, 200));
  table("k,file,l\n2,b,5\n1,a.npy,6\n");
  const DataSet data = import();
  EXPECT_EQ(report.read, (std::vector<std::string>{"b.npy", "a.npy"}));
  EXPECT_EQ(data.outputs.shape(), (Shape{2, 3, 2, 1}));
  EXPECT_EQ(data.outputs[0], 200.0F);
  EXPECT_EQ(data.outputs[7], 101.0F);
  EXPECT_EQ(data.parameters, Array<double>({2, 2}, std::vector<double>{2, 5, 1, 6}));
  EXPECT_EQ(data.parameter_names, (std::vector<Channel>{{"k", ""}, {"l", ""}}));
  EXPECT_EQ(data.input_channels, data.parameter_names) << "parameters are constant fields";
  EXPECT_EQ(data.inputs.shape(), (Shape{2, 3, 2, 2}));
  EXPECT_EQ(data.inputs[10], 2.0F);
  EXPECT_EQ(data.inputs[11], 5.0F);
  EXPECT_EQ(data.inputs[12], 1.0F);
}

TEST_F(Import, TimeBecomesTheLastAxis) {
  const Array<double> x({3}, std::vector<double>{0, 1, 5}), t({2}, std::vector<double>{7, 8});
  write_npz(run("a.npz"), {{"u", ramp(2, 3, 0)}, {"x", x}, {"t", t}, {"m", Array<double>({2}, 4.0)}});
  options.axes = {{"t", "s", AxisKind::points, "", {}}, {"x", "m", AxisKind::periodic, "", {}}};
  options.outputs = {{"u", "K"}};
  options.constraints = {{"mass", "m"}};
  table("file,k\na,1\n");
  const DataSet data = import();
  EXPECT_EQ(data.grid, (Grid{{"x", "m", {0, 1, 5}, AxisKind::periodic}, {"t", "s", {7, 8}}}));
  EXPECT_EQ(std::vector<float>(data.outputs.begin(), data.outputs.end()),
            (std::vector<float>{0, 10, 1, 11, 2, 12}));
  EXPECT_EQ(data.constraint_values.at("mass"), Array<double>({1, 2}, 4.0));
  EXPECT_EQ(data.output_channels, (std::vector<Channel>{{"u", "K"}}));
}

TEST_F(Import, ChannelsFromSeveralArraysAndFromALastAxis) {
  Array<double> v({2, 2});
  for (Index i = 0; i < 4; ++i) v[i] = static_cast<double>(i);
  write_npz(run("a.npz"), {{"p", Array<double>({2}, std::vector<double>{8, 9})}, {"v", v}});
  options.axes = {{"x", "", AxisKind::points, "", ParameterRange{-1, 1}}};
  options.inputs = {{"p", ""}};
  options.outputs = {{"p", "Pa"}, {"v", "m/s"}};
  const DataSet data = import();
  EXPECT_EQ(data.output_channels, (std::vector<Channel>{{"p", "Pa"}, {"v 0", "m/s"}, {"v 1", "m/s"}}));
  EXPECT_EQ(std::vector<float>(data.outputs.begin(), data.outputs.end()),
            (std::vector<float>{8, 0, 1, 9, 2, 3}));
  EXPECT_EQ(data.grid[0].coordinates, (std::vector<double>{-1, 1}));
  EXPECT_TRUE(data.parameters.empty());
}

TEST_F(Import, KindsOfAxesLawsAndBounds) {
  write_npz(run("a.npz"), {{"u", ramp(4, 2, 0)}, {"v", ramp(4, 2, 1)}, {"m", Array<double>({2}, 4.0)}});
  options.axes = {{"x", "", AxisKind::cells, "", ParameterRange{0, 2}}, {"t", "", AxisKind::points, "", {}}};
  options.outputs = {{"u", ""}, {"v", ""}};
  options.constraints = {{"heat", "m"}};
  options.laws["heat"] = {{"x"}, "v"};
  options.bounds[""] = {0, 50};
  options.bounds["v"] = {-1, 60};
  table("file,k\na,1\n");
  const DataSet data = import();
  EXPECT_EQ(data.grid[0], (Axis{"x", "", {0.25, 0.75, 1.25, 1.75}, AxisKind::cells}));
  EXPECT_EQ(data.laws, (Laws{{"heat", {{"x"}, 1}}}));
  EXPECT_EQ(data.bounds, (std::vector<Bounds>{{0, 50}, {-1, 60}}));
  options.laws["heat"].output = "w";
  EXPECT_EQ(refusal(), "unknown output 'w'; did you mean 'u'? Valid: u, v");
}

TEST_F(Import, CsvRunsAreColumnsOrAMatrix) {
  test::write_all(run("a.csv"), "x,u\n0,5\n1,6\n");
  table("file,k\na,1\n");
  options.outputs = {{"u", ""}};
  options.axes = {{"x", "", AxisKind::points, "", {}}};
  const DataSet columns = import();
  EXPECT_EQ(std::vector<float>(columns.outputs.begin(), columns.outputs.end()), (std::vector<float>{5, 6}));
  EXPECT_EQ(columns.grid[0].coordinates, (std::vector<double>{0, 1}));
  test::write_all(run("a.csv"), "0,5,1\n1,6,2\n");
  options.outputs.clear();
  options.axes.clear();
  EXPECT_EQ(import().outputs.shape(), (Shape{1, 2, 3, 1}));
}

TEST_F(Import, UnusableRunsAreLeftOutWithAReason) {
  save_npy(run("a.npy"), ramp(2, 2, 0));
  save_npy(run("b.npy"), Array<double>({2, 2}, std::nan("")));
  save_npy(run("c.npy"), ramp(2, 3, 0));
  test::write_all(run("d.npy"), "");
  test::write_all(run("e.csv"), "1,x,2\n");
  save_npy(run("f.npy"), ramp(2, 2, 0));
  save_npy(run("g.npy"), Array<double>({2, 2}, 1e39));
  test::write_all(run("h.txt"), "");
  table("file,k\na,1\nb,1\nc,1\nd,1\ne,1\nz,1\ng,1\n");
  EXPECT_EQ(import().size(), 1);
  ASSERT_EQ(report.skipped.size(), 7U);
  EXPECT_EQ(report.notices.front(),
            "h.txt is not taken for a run: it does not end in .npy, .npz, .h5, .hdf5 or .csv");
  EXPECT_EQ(skipped(0), options.table.string() + ":7: there is no file 'z' in the folder");
  EXPECT_EQ(skipped(1), "f.npy: is not in the table");
  EXPECT_EQ(skipped(2), "b.npy: array 'data' is not finite: value nan at element 0");
  EXPECT_EQ(skipped(3), "c.npy: has a grid of [2, 3], the first run (a.npy) has [2, 2]");
  EXPECT_EQ(skipped(4), "d.npy: " + run("d.npy").string() + ": the file is empty");
  EXPECT_EQ(skipped(5), "e.csv: " + run("e.csv").string() + ": holds a header and no rows");
  EXPECT_EQ(skipped(6), "g.npy: array 'data' is not finite: value 1e+39 at element 0") << "not in float32";
}

TEST_F(Import, RunsMustShareTheirCoordinates) {
  const auto x = [](double last) { return Array<double>({2}, std::vector<double>{0, last}); };
  write_npz(run("a.npz"), {{"u", x(1)}, {"x", x(1)}});
  write_npz(run("b.npz"), {{"u", x(1)}, {"x", x(2)}});
  write_npz(run("c.npz"), {{"u", x(1)}, {"x", Array<double>({3})}});
  write_npz(run("d.npz"), {{"w", x(1)}, {"x", x(1)}});
  options.inputs = options.outputs = {{"u", ""}};
  options.axes = {{"x", "", AxisKind::points, "", {}}};
  EXPECT_EQ(import().size(), 1);
  EXPECT_EQ(skipped(0), "b.npz: its coordinates differ from those of the first run (a.npz)");
  EXPECT_EQ(skipped(1), "c.npz: array 'x' has shape [3], expected the 2 coordinates of axis 'x'");
  EXPECT_EQ(skipped(2), "d.npz: unknown array 'u'; did you mean 'w'? Valid: w, x");
}

TEST_F(Import, ContradictionsInTheTableAreRefused) {
  save_npy(run("a.npy"), ramp(2, 2, 0));
  save_npy(run("b.npy"), ramp(2, 2, 0));
  test::write_all(run("b.csv"), "1,2\n3,4\n");
  const auto refused = [&](const std::string& text) {
    table(text);
    return refusal();
  };
  EXPECT_EQ(refused("file,k\na,1\na.npy,2\n"), "t.csv:3: 'a.npy' stands in the table twice");
  EXPECT_EQ(refused("file,k\nb,1\n"), "t.csv:2: 'b' fits b.csv and b.npy; write the whole name");
  EXPECT_EQ(refused("file,k\na,1\nb.npy,much\n"), "t.csv:3: 'much' in column 2 is not a number");
  EXPECT_EQ(refused("file,k\na,inf\n"), "t.csv:2: 'inf' in column 'k' is not finite");
  EXPECT_EQ(refused("run,k\na,1\n"), "t.csv: has no column 'file'; did you mean 'run'?");
  EXPECT_EQ(refused("file\na\n"),
            "t.csv: has no column of numbers besides 'file', so there are no parameters");
  EXPECT_EQ(refused("file,k\n../a,1\n"), "runs: no row of t.csv fits a file there");
}

TEST_F(Import, NothingToGoOn) {
  EXPECT_EQ(refusal(),
            "runs: nothing says what the inputs are: give a table of parameters or names of input arrays");
  options.inputs = {{"u", ""}};
  EXPECT_EQ(refusal(), "runs: holds no files that end in .npy, .npz, .h5, .hdf5 or .csv");
  write_npz(run("a.npz"), {{"u", ramp(2, 2, 0)}, {"w", ramp(2, 2, 0)}});
  EXPECT_EQ(refusal(),
            "runs: none of 1 runs could be used; the first, a.npz: has 2 arrays (u, w), so the outputs must "
            "be named");
  options.folder = folder / "nowhere";
  EXPECT_EQ(refusal(), "cannot list the folder nowhere: No such file or directory");
}

TEST_F(Import, OneFileMayHaveAllRuns) {
  const fs::path file = folder / "all.npz";
  Array<double> u({3, 2, 4}), start({3, 2}), k({3}), mass({3});
  for (Index i = 0; i < u.size(); ++i) u[i] = static_cast<double>(i);
  for (Index i = 0; i < start.size(); ++i) start[i] = static_cast<double>(100 + i);
  for (Index i = 0; i < 3; ++i) k[i] = mass[i] = static_cast<double>(10 * i);
  write_npz(file, {{"u", u}, {"u0", start}, {"k", k}, {"m", mass}, {"t", Array<double>({4}, {0, 1, 2, 5})}});
  options.folder = file;
  options.outputs = {{"u", ""}};
  options.inputs = {{"u0", ""}, {"k", ""}};
  options.axes = {{"x", "", AxisKind::points, "", {}}, {"t", "", AxisKind::points, "", {}}};
  options.constraints = {{"mass", "m"}};
  const DataSet data = import();
  EXPECT_EQ(data.outputs.shape(), (Shape{3, 2, 4, 1}));
  EXPECT_EQ(data.outputs[23], 23.0F);
  EXPECT_EQ(data.inputs.shape(), (Shape{3, 2, 4, 2}));
  for (Index i = 0; i < 24; ++i) {
    EXPECT_EQ(data.inputs[2 * i], static_cast<float>(100 + i / 4)) << "u0 is the same at every time";
    EXPECT_EQ(data.inputs[2 * i + 1], static_cast<float>(10 * (i / 8))) << "a number for each run";
  }
  EXPECT_EQ(data.grid[1].coordinates, (std::vector<double>{0, 1, 2, 5}));
  EXPECT_EQ(data.constraint_values.at("mass"), Array<double>({3, 1}, {0, 10, 20}));
  EXPECT_EQ(report.read[2], "all.npz sample 2");
}

TEST_F(Import, InputsThatCanLieAlongSeveralAxesMustSayAlongWhich) {
  const fs::path file = folder / "all.npz";
  write_npz(file, {{"u", Array<double>({2, 3, 3})}, {"a", Array<double>({2, 3}, {1, 2, 3, 4, 5, 6})}});
  options.folder = file;
  options.outputs = {{"u", ""}};
  options.inputs = {{"a", ""}};
  options.axes = {{"x", "", AxisKind::points, "", {}}, {"y", "", AxisKind::points, "", {}}};
  EXPECT_EQ(
      refusal(),
      "all.npz: none of 2 runs could be used; the first, all.npz sample 0: array 'a' of shape [3] can lie "
      "along several axes of 'u', [3, 3]: say along which, as in a[x]");
  options.input_axes["a"] = {"y"};
  const DataSet data = import();
  for (Index i = 0; i < 18; ++i)
    EXPECT_EQ(data.inputs[i], static_cast<float>(1 + i / 9 * 3 + i % 3)) << "point " << i;
  options.input_axes["a"] = {"z"};
  EXPECT_NE(refusal().find("unknown axis 'z'"), std::string::npos);
}

TEST_F(Import, OneFileMustHaveAsManyOfEach) {
  const fs::path file = folder / "all.npz";
  write_npz(file, {{"u", Array<double>({2, 3})}, {"a", Array<double>({4})}});
  options.folder = file;
  options.outputs = {{"u", ""}};
  options.inputs = {{"a", ""}};
  EXPECT_EQ(
      refusal(),
      "all.npz: array 'a' has 4 samples, 'u' has 2: in one file, the first extent of every array counts the "
      "samples");
  options.inputs.clear();
  table("k\n1\n2\n3\n");
  EXPECT_EQ(refusal(), "t.csv: has 3 rows, all.npz has 2 samples");
  table("k,solver\n1,fv\n2,fe\n");
  const DataSet data = import();
  EXPECT_EQ(data.parameters, Array<double>({2, 1}, {1, 2}));
  EXPECT_EQ(report.notices.front().substr(report.notices.front().find("column")),
            "column 'solver' is text ('fv', ...) and no parameter");
}

}  // namespace
}  // namespace nouq
