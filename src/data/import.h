// Importing is public (nouq/import.h).
#pragma once

#include <nouq/data.h>
#include <nouq/import.h>
#include <nouq/problem.h>

namespace nouq {

DataSet import_runs(const ImportOptions& options, ImportReport& report);

// The first step: which files of a folder become samples, and with which parameters.
struct PlannedRun {
  std::filesystem::path file;
  std::vector<double> parameters;
};

struct ImportPlan {
  std::vector<PlannedRun> runs;
  std::vector<Channel> parameter_names;
};

// Files and rows that have no partner are reported; a table that contradicts itself is refused.
ImportPlan plan_import(const ImportOptions& options, ImportReport& report);

// The second step: one solver run, read and brought into the layout of a data set.
struct ImportedRun {
  Grid grid;    // coordinates may be missing: they are then the same numbers for all runs
  Shape shape;  // points along each axis of the grid
  std::vector<Channel> input_channels;  // none when the inputs are the parameters
  std::vector<Channel> output_channels;
  std::vector<float> inputs;  // [axes..., channels]
  std::vector<float> outputs;
  std::map<std::string, Array<double>> constraints;
};

ImportedRun read_run(const std::filesystem::path& file, const ImportOptions& options);

}  // namespace nouq
