// nouq import: solver runs become a data set.
#include <algorithm>
#include <sstream>

#include <nouq/import.h>

#include "argument_values.h"
#include "commands.h"
#include "core/error.h"
#include "core/names.h"

namespace nouq::cli {
namespace {

struct ImportCommand {
  std::filesystem::path folder;
  std::filesystem::path table;
  std::string file_column = "file";
  std::vector<std::string> parameters;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> axes;
  std::vector<std::string> coordinates;
  std::vector<std::string> periodic, cells;
  std::vector<std::string> constraints, laws, lower, upper;
  bool strict = false;
  std::filesystem::path output;
};

OptionTable import_table(ImportCommand& options) {
  OptionTable table(
      "import", "make a data set from solver runs: a folder of files, or one file with all of them",
      "Files may be NPY (one array, called 'data'), NPZ, HDF5 or CSV (an array per column; without a "
      "header one matrix, called 'data'). A run that cannot be used is left out, and the report says "
      "why. An axis called t becomes the last one.");
  table.group("What to read");
  table.add("folder", options.folder, "the folder of runs, or one file whose arrays have the samples first")
      .as_positional()
      .as_required();
  table.add("table", options.table,
            "CSV table with one row of parameters per run; for one file in the order of its samples");
  table.add("file-column", options.file_column, "column of the table with the names of the files")
      .shown_as("COLUMN");
  table
      .add("parameters", options.parameters,
           "columns that are parameters, with units if you like; all others with numbers by default")
      .shown_as("COLUMN[:UNIT]");
  table
      .add(
          "inputs", options.inputs,
          "arrays that are input fields; by default the parameters, as constant fields. One that lacks axes of "
          "the outputs is the same along them; where their extents leave a doubt, u0[x] says which it has")
      .shown_as("ARRAY[:UNIT]");
  table.add("outputs", options.outputs, "arrays that are output fields; by default the only array of a file")
      .shown_as("ARRAY[:UNIT]");
  table.group("The grid");
  table.add("axes", options.axes, "names of the arrays' axes, in their order").shown_as("NAME[:UNIT]");
  table
      .add(
          "coordinates", options.coordinates,
          "where an axis gets its coordinates: an array, or a range, of evenly spaced points or filled by equal "
          "cells; by default the array with the axis's name")
      .shown_as("AXIS=ARRAY|A:B");
  table.add("periodic", options.periodic, "axes along which the fields repeat").shown_as("AXIS");
  table
      .add("cells", options.cells,
           "axes whose values are averages over cells, or at their centres, as of finite volumes; the "
           "coordinates are the centres")
      .shown_as("AXIS");
  table.group("Conservation");
  table.add("constraint", options.constraints, "values that a law prescribes, e.g. mass=total_mass")
      .shown_as("NAME=ARRAY");
  table
      .add("law", options.laws,
           "what such values are: the integral over these axes of an output, by default the first; 'mass' "
           "without one is the integral over all axes but t")
      .shown_as("NAME=AXIS[+AXIS][:OUTPUT]");
  table.add("lower", options.lower, "lower bound of the outputs, or of one of them").shown_as("[OUTPUT=]X");
  table.add("upper", options.upper, "upper bound of the outputs, or of one of them").shown_as("[OUTPUT=]X");
  table.group("How");
  table.add("strict", options.strict, "refuse to leave out any run");
  table.add("output", options.output, "where to: NAME.npz or NAME.h5").with_letter('o').as_required();
  table.example("nouq import runs --table runs.csv --outputs u:K --axes x:m,t:s -o mine.npz",
                "Each file in runs/ holds u, x and t; runs.csv has a column 'file' and the parameters");
  table.example("nouq import runs --inputs k --outputs p --axes x,y --coordinates x=0:1,y=0:1 -o mine.h5",
                "Input fields come from the files too");
  table.example("nouq import all.npz --inputs u0 --outputs u --axes x,t -o mine.npz",
                "All runs in one file: u is [samples, x, t] and u0, the initial state, [samples, x]");
  return table;
}

std::vector<Channel> channels(const std::vector<std::string>& texts) {
  std::vector<Channel> result;
  for (const std::string& text : texts) {
    const auto [name, unit] = split_once(text, ':');
    result.push_back({name, unit});
  }
  return result;
}

ImportAxis& axis_named(std::vector<ImportAxis>& axes, const std::string& name, const std::string& label) {
  std::vector<std::string> names;
  for (ImportAxis& axis : axes) {
    if (axis.name == name) return axis;
    names.push_back(axis.name);
  }
  require(!names.empty(), "{} speaks of axis '{}': name the axes with --axes first", label, name);
  fail("{}: unknown axis '{}'; did you mean '{}'?", label, name, nearest_name(name, names));
}

std::vector<ImportAxis> axes_of(const ImportCommand& command) {
  std::vector<ImportAxis> axes;
  for (const Channel& axis : channels(command.axes)) {
    const bool twice =
        std::any_of(axes.begin(), axes.end(), [&](const auto& one) { return one.name == axis.name; });
    require(!twice, "--axes: '{}' is given twice", axis.name);
    ImportAxis& added = axes.emplace_back();
    added.name = axis.name;
    added.unit = axis.unit;
  }
  for (const auto& [name, source] : parse_pairs(command.coordinates, "--coordinates")) {
    ImportAxis& axis = axis_named(axes, name, "--coordinates");
    if (source.find(':') == std::string::npos) {
      axis.array = source;
    } else {
      axis.range = parse_range(source, "--coordinates " + name);
    }
  }
  for (const std::string& name : command.periodic)
    axis_named(axes, name, "--periodic").kind = AxisKind::periodic;
  for (const std::string& name : command.cells) {
    ImportAxis& axis = axis_named(axes, name, "--cells");
    require(axis.kind != AxisKind::periodic, "axis '{}' is in --periodic and in --cells: give one", name);
    axis.kind = AxisKind::cells;
  }
  return axes;
}

std::map<std::string, ImportLaw> laws_of(const ImportCommand& command) {
  std::map<std::string, ImportLaw> laws;
  for (const auto& [name, what] : parse_pairs(command.laws, "--law")) {
    const auto [axes, output] = split_once(what, ':');
    ImportLaw& law = laws[name];
    law.output = output;
    std::istringstream stream(axes);
    for (std::string axis; std::getline(stream, axis, '+');) law.axes.push_back(axis);
  }
  return laws;
}

void add_bounds(const std::vector<std::string>& words, const char* label, double Bounds::*side,
                std::map<std::string, Bounds>& bounds) {
  for (const std::string& word : words) {
    const auto [first, second] = split_once(word, '=');
    const bool named = word.find('=') != std::string::npos;
    bounds[named ? first : ""].*side = parse_number(named ? second : first, label);
  }
}

std::map<std::string, Bounds> bounds_of(const ImportCommand& command) {
  std::map<std::string, Bounds> bounds;
  add_bounds(command.lower, "--lower", &Bounds::lower, bounds);
  add_bounds(command.upper, "--upper", &Bounds::upper, bounds);
  return bounds;
}

// u0[x] and u0[x]:K are the array u0 and the axes it has.
std::map<std::string, std::vector<std::string>> without_axes(std::vector<Channel>& inputs) {
  std::map<std::string, std::vector<std::string>> axes;
  for (Channel& input : inputs) {
    const auto open = input.name.find('[');
    if (open == std::string::npos || !input.name.ends_with(']')) continue;
    std::istringstream list(input.name.substr(open + 1, input.name.size() - open - 2));
    input.name.resize(open);
    auto& own = axes[input.name];
    for (std::string axis; std::getline(list, axis, '+');) own.push_back(axis);
  }
  return axes;
}

ImportOptions import_options(const ImportCommand& command) {
  std::vector<Channel> inputs = channels(command.inputs);
  const auto input_axes = without_axes(inputs);
  return {.folder = command.folder,
          .table = command.table,
          .file_column = command.file_column,
          .parameters = channels(command.parameters),
          .inputs = inputs,
          .input_axes = input_axes,
          .outputs = channels(command.outputs),
          .axes = axes_of(command),
          .constraints = parse_pairs(command.constraints, "--constraint"),
          .laws = laws_of(command),
          .bounds = bounds_of(command)};
}

void say_what_happened(const ImportReport& report, const Output& output) {
  for (const std::string& notice : report.notices) output.say("{}", notice);
  for (const SkippedRun& skipped : report.skipped)
    output.say("left out {}: {}", skipped.what, skipped.reason);
}

Json json_of(const ImportReport& report, const ImportCommand& command, const DataSet& data) {
  Json skipped = Json::array();
  for (const SkippedRun& one : report.skipped)
    skipped.push_back({{"what", one.what}, {"reason", one.reason}});
  return {{"file", command.output.string()},
          {"samples", data.size()},
          {"grid", shape_of(data.grid)},
          {"read", report.read},
          {"skipped", skipped},
          {"fingerprint", fingerprint(data)}};
}

// Of the folder only its name: paths of a machine do not belong into data.
std::string name_of(const std::filesystem::path& folder) {
  return (folder.has_filename() ? folder : folder.parent_path()).filename().string();
}

void run_import(const ImportCommand& command, Output& output) {
  require_writable(command.output.string());
  const ImportOptions options = import_options(command);
  ImportReport report;
  DataSet data = import_runs(options, &report);
  say_what_happened(report, output);
  require(!command.strict || report.skipped.empty(),
          "{} of {} runs would be left out ({}: {}); --strict forbids that", report.skipped.size(),
          report.skipped.size() + report.read.size(),
          report.skipped.empty() ? "" : report.skipped.front().what,
          report.skipped.empty() ? "" : report.skipped.front().reason);
  data.provenance = {{"made by", "nouq import " NOUQ_VERSION}, {"imported from", name_of(command.folder)}};
  write(command.output.string(), data);
  output.say("{}: {} samples on a {} grid; {} left out", command.output.string(), data.size(),
             to_string(shape_of(data.grid)), report.skipped.size());
  if (!report.skipped.empty())
    output.say("WARNING: {} of {} runs are missing from {}; --strict makes that an error",
               report.skipped.size(), report.skipped.size() + report.read.size(), command.output.string());
  output.result(json_of(report, command, data));
}

}  // namespace

Command import_command() { return make_command(import_table, run_import); }

}  // namespace nouq::cli
