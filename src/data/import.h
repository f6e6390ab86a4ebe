// Importing is public (nouq/import.h).
#pragma once

#include <memory>

#include <nouq/data.h>
#include <nouq/files.h>
#include <nouq/import.h>
#include <nouq/problem.h>

namespace nouq {

DataSet import_runs(const ImportOptions& options, ImportReport& report);

// The first step: which files of a folder become samples, and with which parameters.
struct PlannedRun {
  std::filesystem::path file;
  std::vector<double> parameters;
  std::string name = {};          // in reports
  std::optional<Index> row = {};  // the sample of a file that has several
};

struct ImportPlan {
  std::vector<PlannedRun> runs;
  std::vector<Channel> parameter_names;
};

// Files and rows that have no partner are reported, and columns of text; a table that contradicts itself is
// refused.
// `stacked` is the number of samples in one file that has all of them, or 0.
ImportPlan plan_import(const ImportOptions& options, Index stacked, ImportReport& report);

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

ImportedRun read_run(const RunFile& file, const ImportOptions& options);

// One sample of a file that has all of them: fields and constraint values without their first extent.
class StackedFile {
 public:
  explicit StackedFile(const ImportOptions& options);
  [[nodiscard]] Index samples() const { return samples_; }
  // Valid as long as this is.
  [[nodiscard]] std::unique_ptr<RunFile> run(Index sample) const;

 private:
  class Run;
  std::unique_ptr<RunFile> file_;
  std::map<std::string, Array<double>> stacks_;
  Index samples_ = 0;
};

}  // namespace nouq
