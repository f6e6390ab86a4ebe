#include <nouq/data.h>

#include "core/error.h"
#include "data/generate.h"
#include "data/load.h"
#include "data/recorded_problem.h"
#include "data/split.h"
#include "train/fingerprint.h"

namespace nouq {

DataSet read(const std::string& path) { return load_data_set(path); }

void write(const std::string& path, const DataSet& data) { save_data_set(path, data); }

void require_writable(const std::string& path) { require_savable(path); }

std::string fingerprint(const DataSet& data) { return data_fingerprint(data); }

DataSplit split(const DataSet& data, const SplitFractions& fractions, std::uint64_t seed) {
  const Split parts = split(data.size(), split_counts(data.size(), fractions), seed);
  const auto part = [&](const std::vector<Index>& samples) {
    return samples.empty() ? DataSet{} : select(data, samples);
  };
  return {part(parts.train), part(parts.validation), part(parts.test)};
}

DataSet generate(const std::string& name, const GenerateSettings& s) {
  const auto problem = make_problem(name, s.options);
  const ParameterRange range =
      s.range ? ParameterRange{s.range->first, s.range->second} : problem->range(shift_from_name(s.shift));
  require(s.samples >= 1, "generate: {} samples, expected at least 1", s.samples);
  DataSet data = generate_data_set(*problem, {s.samples, s.seed, range, s.grid, s.threads});
  record_options(s.options, data.provenance);
  return data;
}

}  // namespace nouq
