// nouq info: what is in a file.
#include <algorithm>

#include "commands.h"
#include "data/load.h"
#include "train/fingerprint.h"

namespace nouq::cli {
namespace {

struct InfoOptions {
  std::filesystem::path file;
};

OptionTable info_table(InfoOptions& options) {
  OptionTable table("info", "show what is in a data file: shapes, ranges, parameters, origin, fingerprint");
  table.add("file", options.file, "NPZ or HDF5, also of PDEBench").as_positional().as_required();
  table.example("nouq info pme.h5", "Look at a data set");
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
  const auto stride = static_cast<Index>(names.size());
  for (Index i = 0; i < stride; ++i) {
    const Channel& channel = names[static_cast<std::size_t>(i)];
    const auto [low, high] = range_of(values, i, stride);
    columns.push_back({{"name", channel.name}, {"unit", channel.unit}, {"low", low}, {"high", high}});
  }
  return columns;
}

Json describe_grid(const Grid& grid) {
  Json axes = Json::array();
  for (const Axis& axis : grid) {
    axes.push_back({{"name", axis.name},
                    {"unit", axis.unit},
                    {"points", axis.size()},
                    {"low", axis.coordinates.front()},
                    {"high", axis.coordinates.back()},
                    {"periodic", axis.periodic}});
  }
  return axes;
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
          {"provenance", Json(data.provenance)},
          {"fingerprint", data_fingerprint(data)}};
}

std::string with_unit(const Json& entry) {
  const auto unit = entry.value("unit", "");
  return entry["name"].get<std::string>() + (unit.empty() || unit == "1" ? "" : " [" + unit + "]");
}

// One line per entry; the first carries the heading.
void print_entries(const Output& output, const std::string& heading, const Json& entries) {
  std::string first = heading;
  for (const Json& entry : entries) {
    std::string extent;
    if (entry.contains("points")) extent = fmt::format("{} points ", entry["points"].get<Index>());
    if (entry.contains("shape")) extent = to_string(entry["shape"].get<Shape>()) + " values ";
    output.print("{:<12} {:<24} {}from {:.6g} to {:.6g}{}\n", first, with_unit(entry), extent,
                 entry["low"].get<double>(), entry["high"].get<double>(),
                 entry.value("periodic", false) ? ", periodic" : "");
    first.clear();
  }
}

void print_description(const Output& output, const Json& about) {
  output.print("{:<12} {}\n", "file", about["file"].get<std::string>());
  output.print("{:<12} {}\n", "format", about["format"].get<std::string>());
  output.print("{:<12} {}\n", "samples", about["samples"].get<Index>());
  for (const char* part : {"grid", "inputs", "outputs", "parameters", "constraints"})
    print_entries(output, part, about[part]);
  std::string heading = "provenance";
  for (const auto& [key, text] : about["provenance"].items()) {
    output.print("{:<12} {}: {}\n", heading, key, text.get<std::string>());
    heading.clear();
  }
  output.print("{:<12} {}\n", "fingerprint", about["fingerprint"].get<std::string>());
}

void run_info(const InfoOptions& options, Output& output) {
  LoadReport report;
  const DataSet data = load_data_set(options.file, &report);
  for (const std::string& notice : report.notices) output.say("{}", notice);
  const Json about = describe(data, options, report);
  print_description(output, about);
  output.result(about);
}

}  // namespace

Command info_command() { return make_command(info_table, run_info); }

}  // namespace nouq::cli
