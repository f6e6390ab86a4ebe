#include "data/hdf5.h"

#include "core/error.h"
#include "core/file.h"
#include "data/array_file.h"
#include "data/hdf5_reader.h"
#include "data/hdf5_writer.h"
#include "data/layout.h"

namespace nouq {
namespace {

using hdf5::Reader;
using hdf5::Writer;

void check_format(const Reader& file) {
  const auto format = file.texts("/", "format");
  if (!format) return;
  require(format->size() == 1 && format->front() == layout::format_name, "{}: format is '{}', expected '{}'",
          file.source(), format->empty() ? "" : format->front(), layout::format_name);
  const double version = file.number("/", "version").value_or(0);
  require(version == 1 || version == layout::newest_version,
          "{}: version {} of the layout is not known, expected 1 to {}", file.source(), version,
          layout::newest_version);
}

std::vector<Channel> read_channels(const Reader& file, const std::string& array, Index count) {
  std::vector<Channel> channels = layout::unnamed(count);
  const auto fill = [&](const std::string& attribute, std::string Channel::*member) {
    const auto texts = file.texts(array, attribute);
    if (!texts) return;
    require(texts->size() == channels.size(), "{}: attribute '{}' has {} entries, expected {}",
            file.label(array), attribute, texts->size(), channels.size());
    for (std::size_t i = 0; i < channels.size(); ++i) channels[i].*member = (*texts)[i];
  };
  fill("names", &Channel::name);
  fill("units", &Channel::unit);
  return channels;
}

std::string one_text(const Reader& file, const std::string& array, const std::string& attribute) {
  const auto texts = file.texts(array, attribute);
  if (!texts) return {};
  require(texts->size() == 1, "{}: attribute '{}' must be one text", file.label(array), attribute);
  return texts->front();
}

// Files say `periodic` of every axis; a `kind` is only there where that does not say it all.
AxisKind read_kind(const Reader& file, const std::string& name) {
  const bool periodic = file.number(name, "periodic").value_or(0) != 0;
  const std::string text = one_text(file, name, "kind");
  if (text.empty()) return periodic ? AxisKind::periodic : AxisKind::points;
  const AxisKind kind = with_source(file.label(name), [&] { return axis_kind_from_name(text); });
  require(!periodic || kind == AxisKind::periodic, "{}: attribute 'kind' says {}, 'periodic' says 1",
          file.label(name), text);
  return kind;
}

Axis read_axis(const Reader& file, const std::string& name) {
  if (!file.has(name)) return {};
  const Array<double> points = file.read<double>(name);
  require(points.rank() == 1 && !points.empty(), "{} has shape {}, expected a list of coordinates",
          file.label(name), to_string(points.shape()));
  Axis axis;
  axis.name = one_text(file, name, "name");
  axis.unit = one_text(file, name, "unit");
  axis.kind = read_kind(file, name);
  axis.coordinates.assign(points.begin(), points.end());
  return axis;
}

Array<float> read_field(const Reader& file, const std::string& name, LoadReport* report) {
  Array<float> field = file.read<float>(name, report);
  require(field.rank() >= 3 && !field.empty(),
          "{} has shape {}, expected [samples, one or more axes, channels], none of them zero",
          file.label(name), to_string(field.shape()));
  return field;
}

// The values of a constraint and, where its attributes say so, the law that they belong to.
void read_constraint(const Reader& file, const std::string& name, DataSet& data) {
  const std::string array = "constraints/" + name;
  data.constraint_values[name] = file.read<double>(array);
  const std::string kind = one_text(file, array, "law");
  if (kind.empty()) return;
  const double channel = file.number(array, "channel").value_or(0);
  data.laws[name] = with_source(
      file.label(array), [&] { return layout::read_law(kind, one_text(file, array, "axes"), channel); });
}

DataSet read_own_layout(const Reader& file, LoadReport* report) {
  check_format(file);
  DataSet data;
  data.inputs = read_field(file, "inputs", report);
  data.outputs = read_field(file, "outputs", report);
  data.input_channels = read_channels(file, "inputs", data.inputs.shape().back());
  data.output_channels = read_channels(file, "outputs", data.outputs.shape().back());
  for (std::size_t i = 0; i + 2 < data.inputs.rank(); ++i) {
    data.grid.push_back(read_axis(file, fmt::format("axis{}", i)));
  }
  if (file.has("parameters")) {
    data.parameters = layout::parameter_table(file.read<double>("parameters"), file.label("parameters"));
    data.parameter_names = read_channels(file, "parameters", data.parameters.extent(1));
  }
  if (file.has("constraints")) {
    for (const std::string& name : file.names("constraints")) read_constraint(file, name, data);
  }
  if (file.has("bounds"))
    data.bounds = layout::read_bounds(file.read<double>("bounds"), file.label("bounds"));
  if (file.has("provenance")) data.provenance = file.scalars("provenance");
  if (report != nullptr) report->format = "nouq HDF5";
  return data;
}

DataSet read(const Reader& file, LoadReport* report) {
  const bool own = file.has("inputs") || file.has("outputs");
  require(
      own || hdf5::is_pdebench(file),
      "{}: has neither 'inputs' and 'outputs' nor a layout of PDEBench ('tensor', 'density', '0000/data')",
      file.source());
  DataSet data = own ? read_own_layout(file, report) : hdf5::read_pdebench(file, report);
  layout::fill_defaults(data, file.source(), report);
  validate(data, file.source());
  return data;
}

void write_channels(Writer& file, const std::string& array, const std::vector<Channel>& channels) {
  std::vector<std::string> names;
  std::vector<std::string> units;
  for (const Channel& channel : channels) {
    names.push_back(channel.name);
    units.push_back(channel.unit);
  }
  file.attribute(array, "names", names);
  file.attribute(array, "units", units);
}

void write_axis(Writer& file, const std::string& name, const Axis& axis) {
  file.add(name, Array<double>({axis.size()}, axis.coordinates));
  file.attribute(name, "name", axis.name);
  file.attribute(name, "unit", axis.unit);
  file.attribute(name, "periodic", axis.periodic() ? 1 : 0);
  if (axis.kind == AxisKind::cells) file.attribute(name, "kind", nouq::name(axis.kind));
}

void write_all(Writer& file, const DataSet& data) {
  file.attribute("/", "format", std::string(layout::format_name));
  file.attribute("/", "version", layout::version_of(data));
  file.add("inputs", data.inputs);
  write_channels(file, "inputs", data.input_channels);
  file.add("outputs", data.outputs);
  write_channels(file, "outputs", data.output_channels);
  for (std::size_t i = 0; i < data.grid.size(); ++i) write_axis(file, fmt::format("axis{}", i), data.grid[i]);
  if (!data.parameters.empty()) {
    file.add("parameters", data.parameters);
    write_channels(file, "parameters", data.parameter_names);
  }
  if (!data.constraint_values.empty()) file.add_group("constraints");
  for (const auto& [name, values] : data.constraint_values) file.add("constraints/" + name, values);
  for (const auto& [name, law] : data.laws) {
    file.attribute("constraints/" + name, "law", std::string(layout::law_kind));
    file.attribute("constraints/" + name, "axes", layout::joined_axes(law));
    file.attribute("constraints/" + name, "channel", static_cast<int>(law.channel));
  }
  if (!data.bounds.empty()) file.add("bounds", layout::bounds_table(data.bounds));
  if (!data.provenance.empty()) file.add_group("provenance");
  for (const auto& [key, text] : data.provenance) file.attribute("provenance", key, text);
}

}  // namespace

DataSet read_hdf5(std::span<const std::byte> file, const std::string& source, LoadReport* report) {
  const hdf5::Session session;
  return read(Reader(file, source), report);
}

DataSet load_hdf5(const std::filesystem::path& path, LoadReport* report) {
  const hdf5::Session session;
  return read(Reader(path), report);
}

void save_hdf5(const std::filesystem::path& path, const DataSet& data) {
  validate(data, path.string());
  layout::require_storable(data, path.string());
  const hdf5::Session session;
  Writer file(path.string());
  write_all(file, data);
  const std::span<const std::byte> bytes = file.finish();
  write_file_atomically(path, std::span(&bytes, 1));
}

namespace {

class Hdf5Run final : public RunFile {
 public:
  explicit Hdf5Run(const std::filesystem::path& path) : file_(path) {}
  [[nodiscard]] std::vector<std::string> names() const override { return file_.names("/"); }
  [[nodiscard]] bool has(const std::string& name) const override { return file_.has(name); }
  [[nodiscard]] Array<double> read(const std::string& name) const override {
    require(file_.has(name), "{} is missing", file_.label(name));
    return file_.read<double>(name);
  }

 private:
  hdf5::Session session_;  // first, so that it outlives the reader
  hdf5::Reader file_;
};

}  // namespace

std::unique_ptr<RunFile> open_hdf5_run_file(const std::filesystem::path& path) {
  return std::make_unique<Hdf5Run>(path);
}

}  // namespace nouq
