#include <nouq/data.h>
#include <nouq/files.h>
#include <nouq/import.h>
#include <nouq/problem_data.h>

#include "core/communicator.h"
#include "core/error.h"
#include "data/array_file.h"
#include "data/generate.h"
#include "data/import.h"
#include "data/load.h"
#include "data/recorded_problem.h"
#include "data/split.h"
#include "train/fingerprint.h"

namespace nouq {

DataSet read(const std::string& path, LoadReport* report) { return load_data_set(path, report); }

void write(const std::string& path, const DataSet& data) { save_data_set(path, data); }

void require_writable(const std::string& path) { require_savable(path); }

void write_arrays(const std::string& path, const std::vector<NamedArray>& arrays) {
  save_arrays(path, arrays);
}

std::unique_ptr<RunFile> open_arrays(const std::string& path) { return open_run_file(path); }

InputFile read_inputs(const std::string& path) { return load_inputs(path); }

DataSet import_runs(const ImportOptions& options, ImportReport* report) {
  ImportReport own;
  return import_runs(options, report == nullptr ? own : *report);
}

std::string fingerprint(const DataSet& data) { return data_fingerprint(data); }

DataSplit split(const DataSet& data, const SplitFractions& fractions, std::uint64_t seed) {
  const Split parts = split(data.size(), split_counts(data.size(), fractions), seed);
  const auto part = [&](const std::vector<Index>& samples) {
    return samples.empty() ? DataSet{} : select(data, samples);
  };
  return {part(parts.train), part(parts.validation), part(parts.test)};
}

DataSet generate(const std::string& name, const GenerateSettings& s) {
  DataSet data = draw(*make_problem(name, s.options), s);
  record_options(s.options, data.provenance);
  return data;
}

DataSet draw(const Problem& problem, const GenerateSettings& s) {
  const ParameterRange range =
      s.range ? ParameterRange{s.range->first, s.range->second} : problem.range(shift_from_name(s.shift));
  require(s.samples >= 1, "generate: {} samples, expected at least 1", s.samples);
  DataSet data = generate_data_set(problem, {s.samples, s.seed, range, s.grid, s.threads, &ranks()});
  release_others(ranks());
  return data;
}

DataSet solve(const Problem& problem, std::span<const double> parameters, const Grid& grid) {
  return solve_data_set(problem, parameters, grid);
}

DataSet unsolved(const Problem& problem, std::span<const double> parameters, const Grid& grid, bool law) {
  return unsolved_data_set(problem, parameters, grid, law);
}

}  // namespace nouq
