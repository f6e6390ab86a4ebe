#include "data/generate.h"

namespace nouq {

DataSet generate_data_set(const Problem& problem, const SampleRequest& request) {
  ProblemSamples samples = generate_samples(problem, request);
  DataSet data;
  data.inputs = std::move(samples.inputs);
  data.outputs = std::move(samples.outputs);
  data.grid = std::move(samples.grid);
  data.input_channels = {{samples.input_channel.name, samples.input_channel.unit}};
  data.output_channels = {{samples.output_channel.name, samples.output_channel.unit}};
  data.parameter_names = {{samples.parameter.name, samples.parameter.unit}};
  data.parameters = std::move(samples.parameters);
  if (!samples.mass.empty()) data.constraint_values["mass"] = std::move(samples.mass);
  data.provenance = {{"problem", problem.name()},
                     {"seed", std::to_string(request.seed)},
                     {"range", fmt::format("{}:{}", request.range.low, request.range.high)}};
  return data;
}

}  // namespace nouq
