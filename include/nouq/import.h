// A data set from a folder of solver runs, one file each, or from one file that has all of them.
//
// Why: this is how data come into being: somebody varies a parameter, runs the solver, and keeps a folder of
// results and a table of what was varied. When: `nouq import` and programs that do the same:
//
//   nouq::ImportOptions options{.folder = "runs", .table = "runs.csv"};
//   options.outputs = {{"u", "K"}};
//   options.axes = {{.name = "x", .unit = "m"}, {.name = "t", .unit = "s"}};
//   nouq::ImportReport report;
//   const nouq::DataSet data = nouq::import_runs(options, &report);
//
// In one file, the first extent of inputs, outputs and constraint values counts the samples; coordinates are
// without it. An input that lacks axes of the outputs (an initial state, a number for each run) is the same
// along them.
//
// Contract: a run that cannot be used (a broken file, values that are not finite, another grid than the first
// run's) is left out and the report says why; a table that contradicts itself is refused. Samples come in the
// order of the table's rows, without a table in the order of the file names. The result has passed
// `validate`.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nouq/data.h>
#include <nouq/problem.h>

namespace nouq {

// One axis of the arrays, in their order. An axis called "t" becomes the last one of the data set.
struct ImportAxis {
  std::string name = {};
  std::string unit = {};
  AxisKind kind = AxisKind::points;
  // Where its coordinates come from: an array in each file, or a range, of evenly spaced points from end to
  // end or of equal cells that fill it. With neither, an array with the name of the axis, if there is one.
  std::string array = {};
  std::optional<ParameterRange> range = {};
};

// The integral of an output over some axes has the values of a constraint.
struct ImportLaw {
  std::vector<std::string> axes = {};
  std::string output = {};  // channel; empty: the first
};

struct ImportOptions {
  std::filesystem::path folder = {};  // or one file with all runs
  // CSV with a header; empty: no parameters. For one file its rows are in the order of the samples.
  std::filesystem::path table = {};
  std::string file_column = "file";      // names the run of each row, with or without ending
  std::vector<Channel> parameters = {};  // columns of the table; empty: all with numbers but the file column
  std::vector<Channel> inputs = {};      // arrays; empty: the parameters, as constant fields
  // Axes that an input has, where it has not all of them and their extents leave a doubt.
  std::map<std::string, std::vector<std::string>> input_axes = {};
  std::vector<Channel> outputs = {};                    // arrays; empty: the only array of each file
  std::vector<ImportAxis> axes = {};                    // empty: as many as the first output has
  std::map<std::string, std::string> constraints = {};  // name of the constraint -> array of its values
  std::map<std::string, ImportLaw> laws = {};           // name of the constraint -> what its values are
  std::map<std::string, Bounds> bounds = {};            // of output channels; "" stands for all
};

struct SkippedRun {
  std::string what;
  std::string reason;
};

struct ImportReport {
  std::vector<std::string> read;  // file names, in the order of the samples
  std::vector<SkippedRun> skipped;
  std::vector<std::string> notices;
};

NOUQ_API DataSet import_runs(const ImportOptions& options, ImportReport* report = nullptr);

}  // namespace nouq
