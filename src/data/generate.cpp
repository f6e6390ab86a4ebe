#include "data/generate.h"

#include <fmt/format.h>

namespace nouq {

namespace {

DataSet data_of(const Problem& problem, ProblemSamples samples) {
  DataSet data;
  data.inputs = std::move(samples.inputs);
  data.outputs = std::move(samples.outputs);
  data.grid = std::move(samples.grid);
  data.input_channels = {{samples.input_channel.name, samples.input_channel.unit}};
  data.output_channels = {{samples.output_channel.name, samples.output_channel.unit}};
  data.parameter_names = {{samples.parameter.name, samples.parameter.unit}};
  data.parameters = std::move(samples.parameters);
  if (!samples.mass.empty()) data.constraint_values["mass"] = std::move(samples.mass);
  data.provenance = {{"problem", problem.name()}};
  return data;
}

}  // namespace

DataSet generate_data_set(const Problem& problem, const SampleRequest& request) {
  DataSet data = data_of(problem, generate_samples(problem, request));
  data.provenance["seed"] = std::to_string(request.seed);
  data.provenance["range"] = fmt::format("{}:{}", request.range.low, request.range.high);
  return data;
}

DataSet solve_data_set(const Problem& problem, std::span<const double> parameters, const Grid& grid) {
  return data_of(problem, solve_samples(problem, parameters, grid));
}

DataSet unsolved_data_set(const Problem& problem, std::span<const double> parameters, const Grid& grid,
                          bool law) {
  ProblemSamples samples = input_samples(problem, parameters, grid);
  if (law && problem.has_mass_law() && problem.time_axis())
    samples.mass = masses_of(problem, parameters, samples.grid);
  return data_of(problem, std::move(samples));
}

}  // namespace nouq
