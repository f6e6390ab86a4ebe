#include "question.h"

#include "argument_values.h"
#include "core/error.h"
#include "core/grid_domain.h"
#include "data/generate.h"
#include "data/load.h"
#include "data/recorded_problem.h"

namespace nouq::cli {
namespace {

// Inputs that are the same everywhere, one value a channel: what runs with a table of parameters were
// imported as.
Question from_channel_values(const std::vector<std::string>& parameters, const Surrogate& surrogate) {
  const std::map<std::string, std::string> given = parse_pairs(parameters, "--param");
  Shape shape = shape_of(surrogate.grid);
  shape.insert(shape.begin(), 1);
  const auto channels = std::ssize(surrogate.input_channels);
  shape.push_back(channels);
  Array<float> inputs(shape);
  std::string names;
  for (const Channel& channel : surrogate.input_channels) names += (names.empty() ? "" : ", ") + channel.name;
  for (Index c = 0; c < channels; ++c) {
    const auto value = given.find(surrogate.input_channels[c].name);
    require(value != given.end() && given.size() == static_cast<std::size_t>(channels),
            "--param: the model takes {}: give each of them once, or the inputs with --input", names);
    const auto number = static_cast<float>(parse_number(value->second, "--param " + value->first));
    for (Index i = c; i < inputs.size(); i += channels) inputs[i] = number;
  }
  return {std::move(inputs), surrogate.grid, std::nullopt};
}

Question from_parameters(const std::vector<std::string>& parameters, const Surrogate& surrogate,
                         const Wanted& wanted) {
  const Provenance provenance = provenance_of(surrogate);
  const auto problem = problem_of(provenance);
  if (!problem) return from_channel_values(parameters, surrogate);
  const std::vector<double> values = parse_parameters(parameters, *problem);
  DataSet data = wanted.truth ? solve_data_set(*problem, values, surrogate.grid)
                              : unsolved_data_set(*problem, values, surrogate.grid, wanted.law);
  data.provenance = provenance;  // bounds depend on the problem's options
  return {data.inputs, data.grid, std::move(data)};
}

// Plain arrays say nothing about where their points are. A wrong number of axes is for `predict` to refuse.
Grid grid_of(const Array<float>& inputs, const Grid& trained) {
  if (inputs.rank() != trained.size() + 2) return trained;
  return regridded(trained, {inputs.shape().begin() + 1, inputs.shape().end() - 1});
}

Question from_file(const std::filesystem::path& path, const Surrogate& surrogate) {
  InputFile file = load_inputs(path);
  Grid grid = file.data ? file.data->grid : grid_of(file.inputs, surrogate.grid);
  return {std::move(file.inputs), std::move(grid), std::move(file.data)};
}

}  // namespace

Question question_of(const std::filesystem::path& input, const std::vector<std::string>& parameters,
                     const Surrogate& surrogate, const Wanted& wanted) {
  require(input.empty() != parameters.empty(), "give the inputs: either --input FILE or --param NAME=VALUE");
  return input.empty() ? from_parameters(parameters, surrogate, wanted) : from_file(input, surrogate);
}

std::vector<OutOfRange> out_of_range(const Surrogate& surrogate, const Array<float>& inputs) {
  std::vector<OutOfRange> list;
  const auto channels = std::ssize(surrogate.input_channels);
  for (Index c = 0; c < channels && surrogate.input_range.size() == 2 * channels; ++c) {
    const double low = surrogate.input_range[2 * c], high = surrogate.input_range[2 * c + 1];
    Index outside = 0;
    for (Index i = c; i < inputs.size(); i += channels)
      outside += static_cast<double>(inputs[i]) < low || static_cast<double>(inputs[i]) > high ? 1 : 0;
    if (outside > 0)
      list.push_back({surrogate.input_channels[c].name, low, high,
                      static_cast<double>(outside * channels) / static_cast<double>(inputs.size())});
  }
  return list;
}

}  // namespace nouq::cli
