// The library that only uses models: what needs data files, problems or training says so by name.
//
// Contract: compiled into the inference-only build, in place of data.cpp, evaluate.cpp, improve.cpp,
// program_solver.cpp, settings.cpp and train.cpp.
#ifdef NOUQ_INFERENCE_ONLY
#include <nouq/evaluate.h>
#include <nouq/files.h>
#include <nouq/import.h>
#include <nouq/improve.h>
#include <nouq/problem_data.h>
#include <nouq/train.h>

#include "core/error.h"

namespace nouq {
namespace {

[[noreturn]] void refuse(const char* what) {
  fail("{}: this nouq was built to use models only (NOUQ_INFERENCE_ONLY); build it without that option",
       what);
}

}  // namespace

DataSet read(const std::string&, LoadReport*) { refuse("reading data"); }
void write_arrays(const std::string&, const std::vector<NamedArray>&) { refuse("writing arrays"); }
std::unique_ptr<RunFile> open_arrays(const std::string&) { refuse("reading arrays"); }
InputFile read_inputs(const std::string&) { refuse("reading inputs"); }
DataSet import_runs(const ImportOptions&, ImportReport*) { refuse("importing runs"); }
Improved improve(const DataSet&, const ImproveSettings&, const RunSolver&, const ImproveProgress&,
                 const std::optional<Model>&) {
  refuse("the loop with the solver");
}
RunSolver program_solver(const ProgramSolver&, const DataSet&) { refuse("the loop with the solver"); }
DataSet draw(const Problem&, const GenerateSettings&) { refuse("generating data"); }
DataSet solve(const Problem&, std::span<const double>, const Grid&) { refuse("generating data"); }
DataSet unsolved(const Problem&, std::span<const double>, const Grid&, bool) { refuse("generating data"); }
void write(const std::string&, const DataSet&) { refuse("writing data"); }
void require_writable(const std::string&) { refuse("writing data"); }
std::string fingerprint(const DataSet&) { refuse("the fingerprint of data"); }
DataSplit split(const DataSet&, const SplitFractions&, std::uint64_t) { refuse("splitting data"); }
DataSet generate(const std::string&, const GenerateSettings&) { refuse("generating data"); }
void check_data(const DataSet&, const TrainSettings&, const std::string&) { refuse("training"); }
Model train(DataSet, const TrainSettings&, const Progress&) { refuse("training"); }
Model train(const DataSet&, const DataSet&, const TrainSettings&, const Progress&) { refuse("training"); }
Model train(DataSet&&, const DataSet&, const TrainSettings&, const Progress&) { refuse("training"); }
Selected select_model(DataSet&&, const DataSet&, const TrainSettings&, const SelectSettings&,
                      const Progress&) {
  refuse("selection");
}
Selected select_model(DataSet, const TrainSettings&, const SelectSettings&, const Progress&) {
  refuse("selection");
}
Selected select_model(const DataSet&, const DataSet&, const TrainSettings&, const SelectSettings&,
                      const Progress&) {
  refuse("selection");
}
TrainSettings settings_from_toml(const std::string&, const TrainSettings&) { refuse("training"); }
TrainSettings settings_from_json(const std::string&, const TrainSettings&) { refuse("training"); }
std::string to_json(const TrainSettings&) { refuse("training"); }
std::string difference(const TrainSettings&, const TrainSettings&) { refuse("training"); }
void set_option(TrainSettings&, const std::string&, const OptionValue&) { refuse("training"); }
void describe(OptionTable&, TrainSettings&) { refuse("training"); }
void describe(OptionTable&, SelectSettings&) { refuse("training"); }
std::vector<SettingInfo> train_settings() { refuse("training"); }
Evaluation evaluate(const Model&, const DataSet&, const EvaluateSettings&) { refuse("evaluation"); }
Evaluation evaluate(const Model&, const DataSet&, const Prediction&, const EvaluateSettings&) {
  refuse("evaluation");
}

}  // namespace nouq
#endif
