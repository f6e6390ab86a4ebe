// nouq info: what is in a file.
#include <algorithm>

#include "commands.h"
#include "info_entries.h"
#include "model_info.h"

namespace nouq::cli {
namespace {

struct InfoOptions {
  std::filesystem::path file;
};

OptionTable info_table(InfoOptions& options) {
  OptionTable table(
      "info", "show what is in a data file or a model file",
      "Of data: shapes, ranges, parameters, origin, fingerprint. Of a model: method, architecture, "
      "grid, training ranges, normalisation, calibration, training history, origin, fingerprint; "
      "with --json every number but the weights.");
  table.add("file", options.file, "a model; or data: NPZ or HDF5, also of PDEBench")
      .as_positional()
      .as_required();
  table.example("nouq info pme.h5", "Look at a data set");
  table.example("nouq info pme.nouq", "Look at a model");
  return table;
}

// Smallest and largest of every `stride`-th value from `first` on: a channel of a field, a column of a table.
template <class T>
std::pair<double, double> range_of(const Array<T>& values, Index first, Index stride) {
  double low = static_cast<double>(values[first]);
  double high = low;
  for (Index i = first; i < values.size(); i += stride) {
    low = std::min(low, static_cast<double>(values[i]));
    high = std::max(high, static_cast<double>(values[i]));
  }
  return {low, high};
}

template <class T>
Json describe_columns(const Array<T>& values, const std::vector<Channel>& names) {
  Json columns = Json::array();
  const auto stride = std::ssize(names);
  for (Index i = 0; i < stride; ++i) {
    const Channel& channel = names[i];
    const auto [low, high] = range_of(values, i, stride);
    columns.push_back({{"name", channel.name}, {"unit", channel.unit}, {"low", low}, {"high", high}});
  }
  return columns;
}

Json describe_constraints(const DataSet& data) {
  Json constraints = Json::array();
  for (const auto& [name, values] : data.constraint_values) {
    const auto [low, high] = range_of(values, 0, 1);
    constraints.push_back({{"name", name}, {"shape", values.shape()}, {"low", low}, {"high", high}});
  }
  return constraints;
}

Json describe(const DataSet& data, const InfoOptions& options, const LoadReport& report) {
  return {{"file", options.file.string()},
          {"format", report.format},
          {"samples", data.size()},
          {"grid", describe_grid(data.grid)},
          {"inputs", describe_columns(data.inputs, data.input_channels)},
          {"outputs", describe_columns(data.outputs, data.output_channels)},
          {"parameters", describe_columns(data.parameters, data.parameter_names)},
          {"constraints", describe_constraints(data)},
          {"laws", describe_laws(laws_of(data))},
          {"bounds", describe_bounds(data.bounds, data.output_channels)},
          {"provenance", Json(data.provenance)},
          {"fingerprint", fingerprint(data)}};
}

void print_description(const Output& output, const Json& about) {
  for (const char* part : {"file", "format"}) print_fact(output, part, about[part].get<std::string>());
  print_fact(output, "samples", std::to_string(about["samples"].get<Index>()));
  for (const char* part : {"grid", "inputs", "outputs", "parameters", "constraints", "laws", "bounds"})
    print_entries(output, part, about[part]);
  print_texts(output, "provenance", about["provenance"]);
  print_fact(output, "fingerprint", about["fingerprint"].get<std::string>());
}

void run_info(const InfoOptions& options, Output& output) {
  if (is_model_file(options.file)) return show_model(options.file, output);
  LoadReport report;
  const DataSet data = read(options.file.string(), &report);
  for (const std::string& notice : report.notices) output.say("{}", notice);
  const Json about = describe(data, options, report);
  print_description(output, about);
  output.result(about);
}

}  // namespace

Command info_command() { return make_command(info_table, run_info); }

}  // namespace nouq::cli
