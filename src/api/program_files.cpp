#include "api/program_files.h"

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/grid_domain.h"
#include "core/json_types.h"
#include "core/names.h"
#include "data/array_file.h"
#include "data/import.h"

namespace nouq {
namespace {

namespace fs = std::filesystem;

std::string csv_of(const DataSet& question, const DataSet& like) {
  std::string names, values;
  for (std::size_t c = 0; c < like.parameter_names.size(); ++c) {
    names += (c == 0 ? "" : ",") + like.parameter_names[c].name;
    values += fmt::format("{}{}", c == 0 ? "" : ",", question.parameters[static_cast<Index>(c)]);
  }
  return names + "\n" + values + "\n";
}

std::string json_of(const DataSet& question, const DataSet& like) {
  OrderedJson json = OrderedJson::object();
  for (std::size_t c = 0; c < like.parameter_names.size(); ++c)
    json[like.parameter_names[c].name] = question.parameters[static_cast<Index>(c)];
  return json.dump(1) + "\n";
}

// Parameters, coordinates and input fields, each by its name; of two with one name the first.
std::vector<NamedArray> arrays_of(const DataSet& question, const DataSet& like) {
  std::vector<NamedArray> arrays;
  const auto add = [&](const std::string& name, Array<double> values) {
    if (find_named(arrays, name) == nullptr) arrays.push_back({name, std::move(values)});
  };
  if (!question.parameters.empty())
    for (std::size_t c = 0; c < like.parameter_names.size(); ++c)
      add(like.parameter_names[c].name, Array<double>({1}, question.parameters[static_cast<Index>(c)]));
  for (const Axis& axis : like.grid) add(axis.name, Array<double>({axis.size()}, axis.coordinates));
  const auto channels = std::ssize(like.input_channels);
  for (Index c = 0; c < channels; ++c) {
    Array<double> field(shape_of(like.grid));
    for (Index p = 0; p < field.size(); ++p) field[p] = question.inputs[p * channels + c];
    add(like.input_channels[static_cast<std::size_t>(c)].name, std::move(field));
  }
  return arrays;
}

// "u 0", "u 1": the channels of an array u.
std::vector<Channel> arrays_of_channels(const std::vector<Channel>& channels) {
  std::vector<Channel> arrays;
  for (const Channel& channel : channels) {
    const std::string name = channel.name.substr(0, channel.name.rfind(' '));
    if (find_named(arrays, name) == nullptr) arrays.push_back({name, ""});
  }
  return arrays;
}

std::vector<Channel> outputs_of(const RunFile& file, const ProgramSolver& program, const DataSet& like) {
  std::vector<Channel> named;
  for (const std::string& name : program.outputs) named.push_back({name, ""});
  if (!named.empty()) return named;
  const auto all_there = [&](const std::vector<Channel>& list) {
    return std::all_of(list.begin(), list.end(), [&](const Channel& c) { return file.has(c.name); });
  };
  if (all_there(like.output_channels)) return like.output_channels;
  if (const auto arrays = arrays_of_channels(like.output_channels); all_there(arrays)) return arrays;
  const auto names = file.names();
  require(names.size() == 1, "its answer has the arrays {}, expected '{}', or one array alone",
          fmt::format("{}", fmt::join(names, ", ")), like.output_channels.front().name);
  return {{names.front(), ""}};
}

std::vector<ImportAxis> axes_of(const ProgramSolver& program, const DataSet& like) {
  std::vector<ImportAxis> axes;
  const auto add = [&](const Axis& axis) {
    axes.emplace_back();
    axes.back().name = axis.name;
    axes.back().unit = axis.unit;
    axes.back().kind = axis.kind;
  };
  if (program.axes.empty()) std::for_each(like.grid.begin(), like.grid.end(), add);
  for (const std::string& name : program.axes) {
    const Axis* axis = find_named(like.grid, name);
    std::vector<std::string> known;
    for (const Axis& one : like.grid) known.push_back(one.name);
    if (axis == nullptr) fail_unknown_name("axis", name, known);
    add(*axis);
  }
  return axes;
}

void check_grid(const ImportedRun& run, const DataSet& like) {
  require(run.shape == shape_of(like.grid), "its answer is on a grid of {}, expected {}",
          to_string(run.shape), to_string(shape_of(like.grid)));
  for (std::size_t i = 0; i < like.grid.size(); ++i) {
    const Axis &own = run.grid[i], &expected = like.grid[i];
    require(own.name == expected.name, "the axes of its answer are in the order {}, ...: expected {}, ...",
            own.name, expected.name);
    require(own.coordinates.empty() || same_points({own}, {expected}),
            "the coordinates of axis '{}' in its answer are not those of the data", own.name);
  }
}

}  // namespace

bool asked_by_parameters(const DataSet& data) {
  return !data.parameters.empty() &&
         std::all_of(data.input_channels.begin(), data.input_channels.end(),
                     [&](const Channel& c) { return find_named(data.parameter_names, c.name) != nullptr; });
}

std::string input_format(const std::string& given, const DataSet& data) {
  const bool numbers = asked_by_parameters(data);
  if (given.empty()) return numbers ? "csv" : "npz";
  (void)index_of_name("format of the input", given, std::vector<std::string>{"csv", "json", "npz"});
  require(numbers || given == "npz", "format of the input: the inputs are fields, expected npz, not {}",
          given);
  return given;
}

void write_question(const fs::path& path, const std::string& format, const DataSet& question,
                    const DataSet& like) {
  if (format == "npz") return save_arrays(path, arrays_of(question, like));
  write_file_atomically(path, format == "csv" ? csv_of(question, like) : json_of(question, like));
}

SolverAnswer read_answer(const fs::path& path, const ProgramSolver& program, const DataSet& like) {
  const auto file = open_run_file(path);
  ImportOptions options;
  options.outputs = outputs_of(*file, program, like);
  options.axes = axes_of(program, like);
  const ImportedRun run = read_run(*file, options);
  check_grid(run, like);
  Shape shape = run.shape;
  shape.push_back(std::ssize(run.output_channels));
  SolverAnswer answer{Array<double>(shape, {run.outputs.begin(), run.outputs.end()})};
  for (const auto& entry : like.constraint_values) {
    for (const std::string& name : {entry.first, "constraint_" + entry.first})
      if (file->has(name)) answer.constraint_values[entry.first] = file->read(name);
  }
  return answer;
}

}  // namespace nouq
